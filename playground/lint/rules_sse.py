"""The rules about bytes, lines and bodies, the same for every format. Joined with the others in rules.py."""

from __future__ import annotations

from typing import Final

from playground.lint.rule import ALL, JSON, SSE, UTF_8, Rule

_ABORT: Final = "openai-python and openai-node stop with a JSON error; what came after is lost."

SSE_RULES: Final = (
    # The body is no stream.
    Rule(
        "compressed-body-corrupted", "error", ALL, ("body",),
        "The body is gzip that some layer decoded as text: it cannot be undone.",
        "compressed bytes passed on untouched, or decompressed before they are read as text",
        ("https://www.rfc-editor.org/rfc/rfc1952", "Wei-Shaw/claude-relay-service#1030"),
        "They see no event and report an empty stream.",
    ),
    Rule(
        "empty-body", "error", ALL, ("body",),
        "The answer has no body, or only white space.",
        "a stream, or an error that says why there is none",
        (SSE, "preloop/preloop#109", "earendil-works/pi#2537"),
        "openai-python and openai-node fail with an assertion that no chunk came.",
    ),
    Rule(
        "error-body", "error", ALL, ("body",),
        "The body is a JSON document that carries an error.",
        "an event stream; errors before it with an HTTP status of 400 or above",
        ("https://platform.claude.com/docs/en/api/errors", "BerriAI/litellm#18757"),
        "They raise it as an API error when the status is 400 or above, and see no event when it is 200.",
    ),
    Rule(
        "not-sse-html", "error", ALL, ("body",),
        "The body is an HTML page, as gateways and firewalls send it.",
        "an event stream",
        (SSE, "QwenLM/qwen-code#6465"),
        "They report only that no chunk came.",
    ),
    Rule(
        "not-sse-json", "error", ALL, ("body",),
        "The body is one JSON object, not an event stream.",
        "an event stream",
        (SSE, "BerriAI/litellm#18757"),
        "They see no event: no line of it is a field with a meaning.",
    ),
    Rule(
        "not-sse-ndjson", "error", ALL, ("body",),
        "The body is lines of JSON objects, not an event stream.",
        "an event stream: each object behind `data: `, and a blank line after it",
        (SSE, "0xPlaygrounds/rig#825", "code-yeongyu/oh-my-openagent#1124"),
        "openai-python and openai-node fail with an assertion that no chunk came.",
    ),
    # Bytes: encoding and framing.
    Rule(
        "cr-line-endings", "info", ALL, ("bytes",),
        "Every line ends with a bare CR. That is legal and rarely read right.",
        "LF or CRLF",
        (SSE,),
    ),
    Rule(
        "invalid-utf8", "error", ALL, ("bytes",),
        "Some bytes are not UTF-8; each broken sequence is shown as U+FFFD.",
        "UTF-8, and characters that no server cuts in two",
        (UTF_8, "ggml-org/llama.cpp#28926", "mattn/tensai#110"),
        "openai-python and anthropic-sdk-python raise UnicodeDecodeError; the Node clients replace.",
    ),
    Rule(
        "leading-bom", "info", ALL, ("bytes",),
        "The stream starts with a byte order mark, which a reader must remove.",
        "no byte order mark",
        (SSE, "openai/openai-python#3819", "rexxars/eventsource-parser#41"),
        "openai-python keeps it and loses the first event; openai-node removes it.",
    ),
    Rule(
        "mixed-line-endings", "info", ALL, ("bytes",),
        "Lines end in different ways (LF, CRLF, CR): the stream was put together by several programs.",
        "one kind of line end",
        (SSE,),
    ),
    Rule(
        "unterminated-final-event", "error", ALL, ("bytes",),
        "The body ends inside an event: what stands there without its blank line is never dispatched.",
        "a blank line after the last event",
        (SSE, "openai/openai-node#2725", "rexxars/eventsource-parser#18", "anomalyco/opencode#40454"),
        "Without a dispatched terminal event openai-python's Responses helper raises, and openai-node reports "
        "'in_progress'.",
    ),
    # Lines.
    Rule(
        "bom-inside-stream", "warning", ALL, ("line",),
        "A line is ignored because a byte order mark stands before its field name.",
        "at most one byte order mark, at the very start",
        (SSE, "assistant-ui/assistant-ui#6954"),
        "The Python clients ignore the line, the Node clients remove one mark a line.",
    ),
    Rule(
        "done-outside-data", "error", ALL, ("line",),
        "[DONE] stands on a line of its own and not in a data field, so that it is ignored.",
        "data: [DONE]",
        (SSE, "Portkey-AI/gateway#55"),
    ),
    Rule(
        "error-field", "error", ALL, ("line",),
        "An error came in a field named `error`, which no event stream has.",
        "the error in a data field",
        (SSE, "ggml-org/llama.cpp#16104", "coddy-project/coddy-agent#106"),
        "They ignore the line: openai-python ends quietly, openai-node misses a finish reason.",
    ),
    Rule(
        "event-without-data", "warning", ALL, ("line",),
        "A blank line ends an event that has a name and no data: it is never dispatched.",
        "a data field in every event",
        (SSE, "anthropics/anthropic-sdk-typescript#903", "NousResearch/hermes-agent#35418"),
        "The clients of OpenAI parse its empty data and raise, those of Messages skip it.",
    ),
    Rule(
        "invalid-retry", "info", ALL, ("line",),
        "The value of a retry field is not made of digits alone; it is ignored.",
        "one or more ASCII digits",
        (SSE,),
    ),
    Rule(
        "json-outside-data", "error", ALL, ("line",),
        "A line of JSON stands in the stream without `data: ` and is ignored.",
        "data: and the JSON",
        (SSE, "gumieri/nenya#17", "diegosouzapw/OmniRoute#4937"),
    ),
    Rule(
        "nul-in-id", "info", ALL, ("line",),
        "The value of an id field holds the character NUL; it is ignored.",
        "an id without U+0000",
        (SSE,),
    ),
    Rule(
        "unknown-field-line", "warning", ALL, ("line",),
        "A line is ignored because its field has no meaning in an event stream.",
        "the fields data, event, id and retry, and comments, which start with a colon",
        (SSE, "LionSR/TeXRA#2771"),
    ),
    # Events whose data is no JSON object.
    Rule(
        "comment-as-data", "warning", ALL, ("event",),
        "A comment was sent again as the data of an event.",
        "the comment as it came, a line that starts with a colon",
        (SSE, "mnfst/llm-gateway#2053"),
        _ABORT,
    ),
    Rule(
        "double-data-prefix", "error", ALL, ("event",),
        "The data starts with `data:`: some layer added the field name to lines that had it already.",
        "one `data: ` before the JSON",
        (SSE, "openclaw/openclaw#97474", "paiml/aprender#2015"),
        _ABORT,
    ),
    Rule(
        "empty-data", "warning", ALL, ("event",),
        "An event is dispatched whose data is empty.",
        "a comment as a sign of life, and JSON in every data field",
        (SSE, "router-for-me/CLIProxyAPI#2460"),
        _ABORT + " The clients of Messages skip it.",
    ),
    Rule(
        "invalid-json", "error", ALL, ("event",),
        "The data of an event is no JSON.",
        "one JSON object (NaN and Infinity are no JSON)",
        (JSON, "LionSR/TeXRA#2771", "infiniflow/ragflow#15266"),
        "They raise a JSON error and stop reading; Python's clients accept NaN and Infinity.",
    ),
    Rule(
        "multiple-json-in-event", "error", ALL, ("event",),
        "Several JSON objects came in one event: the blank line between two events is missing.",
        "a blank line after every event",
        (SSE, "acheong08/ChatGPT-to-API#14", "ggml-org/llama.cpp#14268"),
        _ABORT,
    ),
    Rule(
        "not-an-object", "warning", ALL, ("event",),
        "The data of an event is JSON but no object.",
        "a JSON object",
        (JSON,),
    ),
    # Errors and calls, whatever the format.
    Rule(
        "error-in-stream", "error", ALL, ("event", "line"),
        "The upstream reported an error after the answer had begun.",
        "a stream that reaches its end",
        (
            "https://platform.claude.com/docs/en/build-with-claude/streaming#error-events", "vercel/ai#21360",
            "Effect-TS/effect#7262", "BerriAI/litellm#40578",
        ),
        "openai-python and openai-node raise for a non-empty `error`; a flat error event of Responses is only yielded; "
        "the clients of Messages raise for an event named error and skip one without a name.",
    ),
    Rule(
        "lone-surrogate", "error", ALL, ("end",),
        "Half of a character came as an escape and its other half never did; it is shown as U+FFFD.",
        "both halves of a surrogate pair",
        (JSON + "#section-8.2", "Kohaku-Lab/KohakuTerrarium#48"),
        "They keep the bare half, which cannot be encoded as UTF-8.",
    ),
    Rule(
        "split-surrogate-pair", "warning", ALL, ("end",),
        "The two halves of one character came in two JSON strings; they are joined.",
        "both halves in one string",
        (JSON + "#section-8.2", "elie222/rakazo#416", "elizaOS/eliza#30904"),
        "Python's clients keep two bare halves, which cannot be encoded; in JavaScript they join by themselves.",
    ),
    Rule(
        "tool-arguments-empty", "info", ALL, ("end",),
        "The arguments of a tool call are empty text.",
        "a JSON object, {} for a tool without parameters",
        (JSON, "vercel/ai#6687", "openai/openai-python#3502", "QwenLM/qwen-code#6249"),
        "They hand on the empty text, which JSON parsers refuse.",
    ),
    Rule(
        "tool-arguments-invalid-json", "error", ALL, ("end",),
        "The arguments of a tool call are no JSON object.",
        "a JSON object",
        (JSON, "mudler/cogito#66", "vllm-project/vllm#22015", "CommandCodeAI/command-code#785", "vercel/ai#20405"),
        "The clients of OpenAI hand on the text; anthropic-sdk-python parses leniently, so that cut input looks whole.",
    ),
    Rule(
        "tool-id-missing", "error", ALL, ("end",),
        "A tool call never got an id, so that its result cannot be sent back.",
        "an id (Responses: call_id) with every call",
        ("https://platform.openai.com/docs/guides/function-calling",),
    ),
)  # fmt: skip
