"""The rules of Responses. Joined with the others in rules.py."""

from __future__ import annotations

from typing import Final

from playground.lint.rule import RESPONSES, Rule

_IDENTITY: Final = "openai-python raises 'Completed output item identity changed'."

RESPONSES_RULES: Final = (
    # The order of things.
    Rule(
        "created-not-first", "warning", "R", ("event",),
        "response.created came after another event.",
        "response.created first",
        (RESPONSES,),
        "openai-python's helper raises on whatever came before.",
    ),
    Rule(
        "event-after-terminal", "warning", "R", ("event",),
        "An event came after the response was over.",
        "nothing after response.completed, response.incomplete or response.failed",
        (RESPONSES, "openai/openai-java#719"),
    ),
    Rule(
        "keepalive-event", "info", "R", ("event",),
        "An event of the undocumented type keepalive.",
        "a comment as a sign of life",
        (RESPONSES, "openai/openai-node#1964", "aaif-goose/goose#7464"),
        "openai-node lets this one unknown type pass.",
    ),
    Rule(
        "missing-created", "warning", "R", ("end",),
        "response.created never came: the stream is the rest of one that was resumed, or was cut in front.",
        "response.created first",
        (RESPONSES, "openai/openai-python#2852"),
        "openai-python and openai-node throw at the first event.",
    ),
    Rule(
        "missing-sequence-number", "warning", "R", ("event",),
        "An event has no sequence_number.",
        "sequence_number from 0, one more with every event",
        (RESPONSES, "Effect-TS/effect#8037", "Wei-Shaw/sub2api#7129"),
    ),
    Rule(
        "missing-terminal", "error", "R", ("end",),
        "The stream ended before the response was over.",
        "response.completed, response.incomplete or response.failed as the last event",
        (RESPONSES, "openai/openai-node#2725", "anomalyco/opencode#40454"),
        "openai-python raises that response.completed never came, openai-node reports 'in_progress'.",
    ),
    Rule(
        "response-missing", "error", "R", ("event",),
        "A lifecycle event carries no response object.",
        "the response in the field `response`",
        (RESPONSES,),
    ),
    Rule(
        "sequence-gap", "warning", "R", ("event",),
        "sequence_number is not one more than that of the event before: something is missing or out of order.",
        "one more with every event",
        (RESPONSES, "openai/openai-python#2852", "diegosouzapw/OmniRoute#14330"),
        "They do not look at it.",
    ),
    # Items and parts.
    Rule(
        "content-index-gap", "warning", "R", ("event",),
        "The content_index of a new part is not the number of parts that its item has.",
        "0, 1, 2 and so on within each item",
        (RESPONSES, "vllm-project/vllm#45742"),
        "openai-python raises IndexError, openai-node 'missing content at index'.",
    ),
    Rule(
        "delta-without-item", "warning", "R", ("event",),
        "An event speaks of an output item that was never added; it opens one.",
        "response.output_item.added before",
        (RESPONSES, "openai/openai-python#2852"),
        "openai-python and openai-node throw.",
    ),
    Rule(
        "item-id-changes", "warning", "R", ("event", "end"),
        "An item has another id than at first; output_index tells that it is the same.",
        "one id for an item in all its events",
        (RESPONSES, "BerriAI/litellm#30072", "docker/docker-agent#3846", "lidge-jun/opencodex#995"),
        _IDENTITY,
    ),
    Rule(
        "item-not-done", "warning", "R", ("end",),
        "An item was added and never done.",
        "response.output_item.done for every item",
        (RESPONSES, "router-for-me/CLIProxyAPI#4860"),
    ),
    Rule(
        "missing-content-index", "warning", "R", ("event",),
        "An event about a content part has no content_index.",
        "content_index with every event about a part",
        (RESPONSES, "lemonade-sdk/lemonade#3607", "ggml-org/llama.cpp#20607"),
    ),
    Rule(
        "missing-content-part", "warning", "R", ("event",),
        "A delta came for a part that was never added; it opens one.",
        "response.content_part.added before",
        (RESPONSES, "NousResearch/hermes-agent#119758"),
        "openai-python raises IndexError, openai-node 'missing content at index'.",
    ),
    Rule(
        "missing-output-index", "warning", "R", ("event",),
        "An event about an output item has no output_index.",
        "output_index with every event about an item",
        (RESPONSES, "ggml-org/llama.cpp#20607", "lemonade-sdk/lemonade#3607"),
        "openai-python raises TypeError, openai-node 'missing output at index undefined'.",
    ),
    # Final values.
    Rule(
        "arguments-done-missing", "warning", "R", ("end",),
        "The arguments of a call have no done event.",
        "response.function_call_arguments.done (custom_tool_call_input.done)",
        (RESPONSES, "vllm-project/vllm#54236"),
    ),
    Rule(
        "arguments-done-only", "info", "R", ("end",),
        "The arguments came whole, in their done event alone.",
        "deltas before the done event",
        (RESPONSES, "earendil-works/pi#2745", "BerriAI/litellm#27144"),
    ),
    Rule(
        "arguments-in-item-only", "warning", "R", ("end",),
        "The arguments came only with the final item.",
        "deltas and a done event before the final item",
        (RESPONSES, "OpenRouterTeam/ai-sdk-provider#336", "vllm-project/vllm#54236"),
    ),
    Rule(
        "done-empty", "warning", "R", ("event", "end"),
        "A final value is empty although something was streamed; it is ignored.",
        "the whole text or arguments in every done event and final item",
        (RESPONSES, "agentgateway/agentgateway#2281"),
        "They let the empty value replace the text.",
    ),
    Rule(
        "done-mismatch", "warning", "R", ("event", "end"),
        "A final value differs from what was streamed; the final one stands.",
        "what the deltas add up to",
        (RESPONSES, "anomalyco/opencode#45854", "lidge-jun/opencodex#995", "openai/openai-python#2852"),
        "They take the final value as well; text that was shown already cannot be called back.",
    ),
    Rule(
        "text-done-missing", "warning", "R", ("end",),
        "A text has deltas and no done event.",
        "response.output_text.done (refusal.done)",
        (RESPONSES, "router-for-me/CLIProxyAPI#4860", "agentgateway/agentgateway#2281"),
    ),
    Rule(
        "terminal-output-empty", "warning", "R", ("event",),
        "The final response has an empty output although items were streamed.",
        "all items in response.output",
        (RESPONSES, "agentgateway/agentgateway#2281"),
        "openai-python takes the empty list as it is.",
    ),
    Rule(
        "terminal-output-missing", "warning", "R", ("event",),
        "The final response has no output.",
        "all items in response.output",
        (RESPONSES, "openai/openai-python#3312"),
        "openai-node throws, openai-python rebuilds it from output_item.done.",
    ),
    # Errors and usage.
    Rule(
        "error-nested", "info", "R", ("event",),
        "The fields of an error event stand under `error` and not at its top.",
        "code, message and param on the event itself",
        (RESPONSES, "vercel/ai#21360", "Effect-TS/effect#7262"),
        "OpenAI's own server sends it so; openai-python and openai-node raise.",
    ),
    Rule(
        "usage-missing", "warning", "R", ("event",),
        "The final response has no usage.",
        "usage in response.completed and response.incomplete",
        (RESPONSES,),
    ),
)  # fmt: skip
