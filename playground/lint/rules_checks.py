"""The rules over time and over sums, the same for every format. Joined with the others in rules.py.

How much is too much is in thresholds.py.
"""

from __future__ import annotations

from typing import Final

from playground.lint.rule import ALL, Rule

CHECK_RULES: Final = (
    Rule(
        "read-burst", "warning", ALL, ("time",),
        "Most of a long answer came in one read: something on the way collects the stream before it passes it on.",
        "events that arrive as they are made",
        ("https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering",),
    ),
    Rule(
        "stall", "warning", ALL, ("time",),
        "No event came for a long time in the middle of the stream.",
        "events, or at least comments, without long silences",
        ("https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes",),
        "They wait for as long as their read timeout lets them (ten minutes by default).",
    ),
    Rule(
        "sudden-gap", "info", ALL, ("time",),
        "A gap is many times as long as the gaps around it, as a proxy that holds data back makes it.",
        "a steady pace",
        ("https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering",),
    ),
    Rule(
        "cached-above-input", "warning", "CR", ("sums",),
        "More input tokens are said to come from the cache than there were input tokens.",
        "cached tokens that are part of the input tokens",
        ("https://platform.openai.com/docs/guides/prompt-caching",),
    ),
    Rule(
        "total-mismatch", "warning", ALL, ("sums",),
        "The total of tokens is not the sum of input and output.",
        "total = input + output",
        ("https://platform.openai.com/docs/api-reference/chat/object",),
    ),
    Rule(
        "usage-implausible", "warning", ALL, ("sums",),
        "The output tokens that were reported cannot belong to the text that came.",
        "some three to five characters a token",
        ("https://platform.openai.com/tokenizer",),
    ),
)  # fmt: skip
