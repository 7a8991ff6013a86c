"""The rules of Chat Completions. Joined with the others in rules.py."""

from __future__ import annotations

from typing import Final

from playground.lint.rule import CHAT, Rule

_ROUTER: Final = "https://openrouter.ai/docs/guides/best-practices/reasoning-tokens"
_NO_CHOICES: Final = "openai-python raises TypeError, openai-node throws: neither takes it for an empty list."

CHAT_RULES: Final = (
    # Choices and chunks.
    Rule(
        "choices-missing", "warning", "C", ("event",),
        "An object has no `choices` and carries no error; it adds nothing but usage.",
        "choices in every chunk, [] where there is nothing to say",
        (CHAT, "janhq/jan#8392", "anomalyco/opencode#28833", "langchain-ai/langchain#27886"),
        _NO_CHOICES,
    ),
    Rule(
        "choices-null", "warning", "C", ("event",),
        "`choices` is null; it is read as an empty list.",
        "choices: []",
        (CHAT, "pydantic/pydantic-ai#5165", "BerriAI/litellm#4429"),
        _NO_CHOICES,
    ),
    Rule(
        "empty-stream", "error", "C", ("end",),
        "No choice appeared in the whole stream.",
        "at least one choice, or an error that says why there is none",
        (CHAT, "vllm-project/vllm#40986", "openclaw/openclaw#97474"),
        "openai-python and openai-node fail with an assertion that hides the cause.",
    ),
    Rule(
        "id-changes", "warning", "C", ("event",),
        "A chunk has another id than the first one.",
        "one id on all chunks of an answer",
        (CHAT, "BerriAI/litellm#12481"),
    ),
    Rule(
        "missing-delta", "warning", "C", ("event",),
        "A choice has no delta; its finish reason counts all the same.",
        "delta: {} where there is nothing to add",
        (CHAT, "openai/openai-python#1677", "openai/openai-node#1982", "smallmain/vscode-unify-chat-provider#29"),
        "openai-python raises AttributeError on a null delta.",
    ),
    Rule(
        "object-not-chunk", "info", "C", ("event",),
        "`object` is something else than chat.completion.chunk.",
        'object: "chat.completion.chunk"',
        (CHAT, "AbanteAI/mentat#429", "langfuse/langfuse#2833"),
        "openai-python's stream helper leaves such chunks out.",
    ),
    Rule(
        "role-repeated", "info", "C", ("event",),
        "The role comes again after the first chunk of a choice.",
        "the role once, with the first chunk",
        (CHAT, "BerriAI/litellm#8193"),
        "openai-python appends: the role becomes 'assistantassistant'.",
    ),
    # The end.
    Rule(
        "content-after-finish", "warning", "C", ("event",),
        "Something is said in a choice that has its finish reason already.",
        "the finish reason with or after the last piece",
        (CHAT, "BerriAI/litellm#31634"),
    ),
    Rule(
        "data-after-done", "warning", "C", ("event",),
        "An event came after [DONE].",
        "nothing after data: [DONE]",
        (CHAT,),
        "They stop reading at [DONE].",
    ),
    Rule(
        "done-with-whitespace", "warning", "C", ("event",),
        "There is white space around [DONE]; it counts all the same.",
        "data: [DONE]",
        (CHAT, "vllm-project/vllm#37510", "xoai/sage-wiki#78"),
        "openai-python and openai-node do not take it for the end and stop with a JSON error.",
    ),
    Rule(
        "missing-done", "warning", "C", ("end",),
        "The stream ended without [DONE].",
        "data: [DONE] as the last event",
        (CHAT, "huggingface/text-generation-inference#1896", "lidge-jun/opencodex#1170"),
        "They take the end of the body for the end of the stream.",
    ),
    Rule(
        "finish-empty-string", "warning", "C", ("event",),
        "The finish reason is '', which is read as null.",
        "finish_reason: null while a choice goes on",
        (CHAT, "ollama/ollama#4357", "sgl-project/sglang#3912", "looplj/axonhub#2073"),
    ),
    Rule(
        "finish-null-string", "warning", "C", ("event",),
        "The finish reason is the text 'null', which is read as null.",
        "finish_reason: null while a choice goes on",
        (CHAT,),
    ),
    Rule(
        "finish-repeated", "warning", "C", ("event",),
        "A choice gets a finish reason again; the last one stands.",
        "one finish reason for a choice",
        (CHAT, "linagora/openrag#462", "BerriAI/litellm#31634"),
        "They keep the last one as well.",
    ),
    Rule(
        "finish-stop-with-tool-calls", "warning", "C", ("end",),
        "The finish reason is 'stop' although there are tool calls to run.",
        "finish_reason: tool_calls",
        (CHAT, "ollama/ollama#7963", "BerriAI/litellm#22900"),
    ),
    Rule(
        "missing-finish-reason", "error", "C", ("end",),
        "A choice never got a finish reason: its answer may be cut.",
        "a finish reason for every choice",
        (CHAT, "vercel/ai#19165", "openai/openai-python#434", "earendil-works/pi#7441"),
        "openai-node's helper throws 'missing finish_reason', openai-python ends quietly.",
    ),
    Rule(
        "unknown-finish-reason", "warning", "C", ("event",),
        "The finish reason is none of those that the format has.",
        "stop, length, tool_calls, content_filter, function_call, or error by dialect",
        (CHAT, "litellm's map of finish reasons"),
    ),
    # Errors.
    Rule(
        "error-finish", "error", "C", ("event",),
        "A choice ended with the finish reason 'error'.",
        "one of the format's own finish reasons",
        ("https://openrouter.ai/docs/api/reference/errors-and-debugging", "genkit-ai/genkit#6079"),
    ),
    Rule(
        "error-flat-fields", "warning", "C", ("event",),
        "The error stands in `error_message` on the chunk itself.",
        'an object: {"error": {"message": ...}}',
        (CHAT, "NousResearch/hermes-agent#65631"),
        "With choices: null, which often comes with it, they fail before they could look.",
    ),
    Rule(
        "error-not-object", "warning", "C", ("event",),
        "`error` is no object.",
        'an object: {"error": {"message": ...}}',
        (CHAT, "code-yeongyu/oh-my-openagent#1196"),
        "openai-python raises, but with a text of its own instead of the one on the wire.",
    ),
    # What is said.
    Rule(
        "content-array", "info", "C", ("event",),
        "`content` is a list of typed parts and not a string.",
        "a string",
        (CHAT, "https://docs.mistral.ai/capabilities/reasoning"),
    ),
    Rule(
        "inline-think-tags", "info", "C", ("end",),
        "Reasoning stands inside the text, between <think> and </think>.",
        "reasoning in a field of its own",
        ("vllm-project/vllm#35705", "BerriAI/litellm#8193"),
    ),
    Rule(
        "legacy-function-call", "info", "C", ("event",),
        "The call comes in the deprecated `function_call`.",
        "tool_calls",
        (CHAT,),
        "They keep it in message.function_call, not among the tool calls.",
    ),
    Rule(
        "reasoning-channels-differ", "warning", "C", ("event",),
        "Two reasoning fields of one delta say different things; one of them is shown.",
        "one reasoning field a delta",
        (_ROUTER, "chenyme/grok2api#960"),
    ),
    Rule(
        "reasoning-details-missing-index", "warning", "C", ("event",),
        "An entry of reasoning_details has no index; it goes to the running reasoning.",
        "an index with every entry",
        (_ROUTER, "pailat/adk-llm-bridge#82"),
        "openai-python raises RuntimeError on the second such chunk.",
    ),
    Rule(
        "reasoning-mirrored", "info", "C", ("event",),
        "The same reasoning comes in two fields of one delta; it is shown once.",
        "one reasoning field a delta",
        (_ROUTER, "MoonshotAI/kimi-code#3928"),
    ),
    # Tool calls.
    Rule(
        "tool-arguments-not-string", "warning", "C", ("event",),
        "`function.arguments` is no string; it is appended as JSON text.",
        "a string that holds JSON",
        (CHAT, "can1357/oh-my-pi#1779"),
        "openai-node makes '[object Object]' of it, openai-python keeps the object.",
    ),
    Rule(
        "tool-arguments-null", "info", "C", ("event",),
        "`function.arguments` is null, which adds nothing.",
        "a string, '' where there is nothing yet",
        (CHAT, "ogx-ai/ogx#5462"),
    ),
    Rule(
        "tool-id-changes", "warning", "C", ("event",),
        "A fragment of a call has another id than the call; the first one stands.",
        "the id once, with the first fragment",
        (CHAT, "NousResearch/hermes-agent#5254"),
        "openai-python appends the ids, openai-node keeps the last one.",
    ),
    Rule(
        "tool-id-misplaced", "warning", "C", ("event",),
        "The id of a call stands inside `function`, where it is not used.",
        "the id on the entry itself",
        (CHAT,),
    ),
    Rule(
        "tool-index-missing", "warning", "C", ("event",),
        "An entry of tool_calls has no index.",
        "an index with every entry",
        (CHAT, "openai/openai-python#2806", "comet-ml/opik#8362"),
        "openai-python raises TypeError, openai-node loses the calls.",
    ),
    Rule(
        "tool-index-reused", "warning", "C", ("event",),
        "Another call comes under an index that is taken; it opens a new call.",
        "an index of its own for every call",
        (CHAT, "ollama/ollama#15457", "vercel/ai#14277"),
        "They merge the two calls into one whose arguments are no JSON.",
    ),
    Rule(
        "tool-index-sparse", "info", "C", ("end",),
        "The indexes of the calls are not 0, 1, 2 and so on.",
        "indexes from 0 without a gap",
        (CHAT,),
        "openai-python and openai-node use the index as a position in a list.",
    ),
    Rule(
        "tool-index-twice-in-chunk", "info", "C", ("event",),
        "Two entries of one delta belong to the same call.",
        "one entry a call in a delta",
        (CHAT, "openai/openai-python#3201"),
        "openai-python reads it right since #3425.",
    ),
    Rule(
        "tool-name-empty", "info", "C", ("event",),
        "A later fragment of a call has the name ''; it is ignored.",
        "the name once, with the first fragment",
        (CHAT, "NousResearch/hermes-agent#5254"),
    ),
    Rule(
        "tool-name-repeated", "warning", "C", ("event",),
        "A later fragment of a call repeats its name; the repetition is ignored.",
        "the name once, with the first fragment",
        (CHAT, "NousResearch/hermes-agent#8259"),
        "openai-python appends it, openai-node overwrites.",
    ),
    Rule(
        "tool-name-split", "warning", "C", ("event",),
        "A later fragment of a call brings another piece of its name, which is appended.",
        "the whole name with the first fragment",
        (CHAT, "continuedev/continue#5849"),
        "openai-node keeps the last piece alone, openai-python appends.",
    ),
    # Usage.
    Rule(
        "usage-in-x-groq", "info", "C", ("event",),
        "Usage stands in `x_groq` and not at the top of the chunk.",
        "usage on the chunk",
        (CHAT, "groq-python's type of x_groq"),
        "They find no usage.",
    ),
    Rule(
        "usage-not-last", "info", "C", ("event",),
        "A chunk without usage follows one that had it.",
        "usage on the last chunk",
        (CHAT, "openai-python lib/streaming/chat/_completions.py"),
        "openai-python overwrites usage with every chunk and ends with none.",
    ),
    Rule(
        "usage-repeated", "info", "C", ("event",),
        "Usage came more than once; the last one counts.",
        "usage once, on the last chunk",
        (CHAT, "sgl-project/sglang#20685"),
        "They keep the last one as well.",
    ),
)  # fmt: skip
