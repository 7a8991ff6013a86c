"""The rules of Messages, and those that Messages and Responses share. Joined with the others in rules.py."""

from __future__ import annotations

from typing import Final

from playground.lint.rule import MESSAGES, RESPONSES, SSE, Rule

_BY_NAME: Final = "The clients of Messages go by the event name"

MESSAGES_RULES: Final = (
    # Events, in Messages and Responses.
    Rule(
        "done-sentinel", "info", "MR", ("event",),
        "[DONE] came in a format that has none.",
        "message_stop or response.completed as the last event",
        (MESSAGES, RESPONSES, "https://www.openresponses.org", "huggingface/tau#692"),
        "anthropic's clients skip it, as it has no event name; OpenAI's clients stop reading.",
    ),
    Rule(
        "error-without-type", "warning", "MR", ("event",),
        "An error came in an event that neither names itself nor its type.",
        "event: error, and an object of the type error",
        (MESSAGES, RESPONSES),
        _BY_NAME + " and skip it: they end quietly.",
    ),
    Rule(
        "event-name-mismatch", "warning", "MR", ("event",),
        "The event name differs from the object's type; the type decides.",
        "the same word in both",
        (MESSAGES, RESPONSES, "cobaltcore-dev/cortex#737"),
        _BY_NAME + ".",
    ),
    Rule(
        "missing-event-name", "warning", "MR", ("event",),
        "An event has no name; its object's type says what it is.",
        "an event line with the type",
        (MESSAGES, RESPONSES, SSE, "earendil-works/pi#1983", "openclaw/openclaw#37571"),
        _BY_NAME + " and lose the whole answer.",
    ),
    Rule(
        "unknown-event-type", "warning", "MR", ("event",),
        "The type of an event is not one of the known ones; it is skipped.",
        "the types that the format documents",
        (MESSAGES, RESPONSES, "openai/openai-java#719", "Soju06/codex-lb#1011"),
        "The formats ask clients to skip new types. openai-node's Responses helper throws.",
    ),
    # The message.
    Rule(
        "duplicate-message-start", "warning", "M", ("event",),
        "message_start came again for the same message; only its usage counts.",
        "one message_start",
        (MESSAGES, "BerriAI/litellm#32478", "maximhq/bifrost#4556"),
        "The TypeScript client throws, anthropic-sdk-python goes on.",
    ),
    Rule(
        "duplicate-message-stop", "warning", "M", ("event",),
        "message_stop came again.",
        "one message_stop",
        (MESSAGES, "katanemo/plano#898"),
    ),
    Rule(
        "missing-message-start", "error", "M", ("event", "end"),
        "The stream speaks of a message that never started.",
        "message_start as the first event",
        (MESSAGES, "katanemo/plano#898"),
        "They fail with an assertion or at the first event.",
    ),
    Rule(
        "missing-message-stop", "error", "M", ("end",),
        "The stream ended without message_stop.",
        "message_stop as the last event",
        (MESSAGES, "LionSR/TeXRA#2771", "lidge-jun/opencodex#896"),
        "The TypeScript client refuses the unfinished message, anthropic-sdk-python returns it.",
    ),
    Rule(
        "missing-stop-reason", "error", "M", ("end",),
        "No message_delta gave a stop reason: the answer may be cut.",
        "a stop_reason in the last message_delta",
        (MESSAGES, "lidge-jun/opencodex#896", "katanemo/plano#898"),
    ),
    Rule(
        "second-message", "error", "M", ("event",),
        "Another message started in the same stream; the first one is given up.",
        "one message a stream",
        (MESSAGES,),
        "anthropic-sdk-python merges the two, the TypeScript client throws.",
    ),
    Rule(
        "stop-reason-dropped", "warning", "M", ("event",),
        "A message_delta without a stop reason follows one that had it; the earlier one stands.",
        "the stop reason in the last message_delta",
        (MESSAGES, "use-agent-os/agent-os#1854"),
        "Both of anthropic's clients set the stop reason back to nothing.",
    ),
    # Blocks.
    Rule(
        "block-not-stopped", "warning", "M", ("event", "end"),
        "A content block was never stopped, or another one started before it was.",
        "content_block_stop for every block before the next one starts",
        (MESSAGES, "LionSR/TeXRA#2771", "lidge-jun/opencodex#896"),
    ),
    Rule(
        "block-stopped-twice", "warning", "M", ("event",),
        "content_block_stop came again for the same block.",
        "one content_block_stop a block",
        (MESSAGES, "BerriAI/litellm#37273"),
    ),
    Rule(
        "delta-after-stop", "warning", "M", ("event",),
        "A delta came for a block that is stopped; it counts all the same.",
        "deltas before content_block_stop",
        (MESSAGES, "rikkahub/rikkahub#1075"),
    ),
    Rule(
        "delta-type-mismatch", "error", "M", ("event",),
        "A delta does not fit the type of its block.",
        "text_delta in text, thinking_delta in thinking, input_json_delta in tool use",
        (MESSAGES, "looplj/axonhub#1110"),
    ),
    Rule(
        "delta-without-start", "error", "M", ("event",),
        "A delta came for a block that nothing started; it opens one.",
        "content_block_start before the first delta",
        (MESSAGES, "anthropics/anthropic-sdk-python#1192"),
        "anthropic-sdk-python raises IndexError, the TypeScript client TypeError.",
    ),
    Rule(
        "empty-block", "info", "M", ("end",),
        "A text block was started and stopped with nothing in it.",
        "no block, or text in it",
        (MESSAGES,),
    ),
    Rule(
        "index-gap", "warning", "M", ("event",),
        "The index of a new block is not the next one.",
        "0, 1, 2 and so on",
        (MESSAGES,),
        "They use the index as a position in a list.",
    ),
    Rule(
        "index-reused", "warning", "M", ("event",),
        "A new block has the index of an earlier one.",
        "an index of its own for every block",
        (MESSAGES, "anthropics/anthropic-sdk-typescript#879"),
        "They lose the text of one of the two.",
    ),
    Rule(
        "stop-without-start", "warning", "M", ("event",),
        "content_block_stop came for a block that nothing started.",
        "content_block_start before",
        (MESSAGES, "kittors/CliRelay#739"),
        "anthropic-sdk-python raises IndexError.",
    ),
    Rule(
        "thinking-without-signature", "warning", "M", ("end",),
        "A thinking block has no signature, so that it cannot be sent back.",
        "signature_delta before the block stops",
        ("https://platform.claude.com/docs/en/build-with-claude/extended-thinking", "kekzl/imp#1555"),
    ),
    Rule(
        "tool-input-in-start", "info", "M", ("event",),
        "content_block_start of a tool carries its input; it counts if no partial_json comes.",
        "input: {} at the start, the input in input_json_delta",
        (MESSAGES, "jyjeanne/crustly#38"),
    ),
    Rule(
        "unknown-delta-type", "warning", "M", ("event",),
        "The type of a delta is not one of the known ones; it is skipped.",
        "the types that the format documents",
        (MESSAGES,),
        "The format asks clients to skip new types, and they do.",
    ),
    # Usage.
    Rule(
        "usage-input-late", "warning", "M", ("event",),
        "The input tokens were 0 at first and come in message_delta.",
        "the count in message_start",
        (MESSAGES, "zai-org/GLM-5#139", "sgl-project/sglang#20678"),
    ),
    Rule(
        "usage-misplaced", "warning", "M", ("event",),
        "Usage stands inside the delta of message_delta, where it does not count.",
        "usage beside delta",
        (MESSAGES,),
    ),
    Rule(
        "usage-missing-delta", "warning", "M", ("event",),
        "A message_delta has no usage.",
        "usage with output_tokens in every message_delta",
        (MESSAGES, "anthropics/anthropic-sdk-python#1806", "earendil-works/pi#6567"),
        "anthropic-sdk-python raises AttributeError, the TypeScript client TypeError.",
    ),
    Rule(
        "usage-missing-start", "warning", "M", ("event",),
        "message_start has no usage.",
        "usage with input_tokens in message_start",
        (MESSAGES, "anthropics/anthropic-sdk-python#1806"),
        "anthropic-sdk-python raises AttributeError later, the TypeScript client TypeError.",
    ),
)  # fmt: skip
