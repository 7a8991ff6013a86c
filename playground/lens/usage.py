"""Usage in the words that all formats share (formats/interface.py, usage_counts), put into each format's own.

A count that is not known is left out where the format allows it, and 0 where the format demands a number.
"""

from __future__ import annotations

from typing import Any

Counts = dict[str, Any]


def _number(usage: Counts, *names: str) -> int:
    """The first of these counts that is known, else 0."""
    return next((usage[name] for name in names if isinstance(usage.get(name), int)), 0)


def prompt_of(usage: Counts) -> int:
    """The whole prompt, what came from the cache included."""
    return _number(usage, "whole_input", "input")


def chat(usage: Counts) -> dict[str, Any]:
    prompt, output = prompt_of(usage), _number(usage, "output")
    details = {"cached_tokens": _number(usage, "cached")}
    if usage.get("written"):
        details["cache_write_tokens"] = usage["written"]
    return {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "prompt_tokens_details": details,
        "completion_tokens_details": {"reasoning_tokens": _number(usage, "reasoning")},
    }


def messages(usage: Counts) -> dict[str, Any]:
    """`input_tokens` is what neither came from the cache nor went into it."""
    cached, written = _number(usage, "cached"), _number(usage, "written")
    counts: dict[str, Any] = {
        "input_tokens": max(0, prompt_of(usage) - cached - written),
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": cached,
        "output_tokens": _number(usage, "output"),
    }
    if usage.get("reasoning") is not None:
        counts["output_tokens_details"] = {"thinking_tokens": usage["reasoning"]}
    if usage.get("searches"):
        counts["server_tool_use"] = {"web_search_requests": usage["searches"], "web_fetch_requests": 0}
    return counts


def responses(usage: Counts) -> dict[str, Any]:
    prompt, output = prompt_of(usage), _number(usage, "output")
    return {
        "input_tokens": prompt,
        "input_tokens_details": {
            "cached_tokens": _number(usage, "cached"),
            "cache_write_tokens": _number(usage, "written"),
        },
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": _number(usage, "reasoning")},
        "total_tokens": prompt + output,
    }
