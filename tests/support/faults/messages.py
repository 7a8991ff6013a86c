"""One fault at a time for legal streams of Messages, by rule."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.support.faults.ways import (
    NEVER,
    TYPED,
    Broken,
    Fault,
    among,
    changed,
    drop,
    inserted,
    of,
    put,
    repeated,
    without,
)
from tests.support.legal import Event

_USAGE = {"input_tokens": 1, "output_tokens": 1}


def _block(kind: str) -> Callable[[Any], Any]:
    return lambda value: value["type"] == "content_block_start" and value["content_block"]["type"] == kind


def _delta_of(kind: str) -> Callable[[Any], Any]:
    return lambda value: value["type"] == "content_block_delta" and value["delta"]["type"] == kind


def _input_late(draw: st.DrawFn, events: list[Event]) -> Broken:
    broken = copy.deepcopy(events)
    broken[0][1]["message"]["usage"]["input_tokens"] = 0
    for _, value in broken:
        if value["type"] == "message_delta":
            value["usage"]["input_tokens"] = 9
    return broken


def _after_stop(draw: st.DrawFn, events: list[Event]) -> Broken:
    at = among(draw, events, of("content_block_delta"))
    if at is None:
        return None
    stop = next(later for later in range(at, len(events)) if events[later][1]["type"] == "content_block_stop")
    return [*events[: stop + 1], events[at], *events[stop + 1 :]]


def _reused(draw: st.DrawFn, events: list[Event]) -> Broken:
    broken = copy.deepcopy(events)
    for _, value in broken:
        if "index" in value:
            value["index"] = 0
    return broken if sum(value["type"] == "content_block_start" for _, value in events) > 1 else None


def _shifted(draw: st.DrawFn, events: list[Event]) -> Broken:
    broken = copy.deepcopy(events)
    for _, value in broken:
        if "index" in value:
            value["index"] += 1
    return broken


def _broken_arguments(draw: st.DrawFn, events: list[Event]) -> Broken:
    """Of a tool that the client runs: others are not judged."""
    if among(draw, events, _block("server_tool_use")) is not None:
        return None
    return repeated(_delta_of("input_json_delta"), put("delta", "partial_json", NEVER))(draw, events)


MESSAGES: dict[str, Fault] = TYPED | {
    "block-not-stopped": without(of("content_block_stop")),
    "block-stopped-twice": repeated(of("content_block_stop")),
    "delta-after-stop": _after_stop,
    "delta-type-mismatch": changed(_delta_of("text_delta"), put("delta", "type", "thinking_delta")),
    "delta-without-start": lambda draw, events: (
        without(of("content_block_start"))(draw, events)
        if among(draw, events, of("content_block_delta")) is not None
        else None
    ),
    "duplicate-message-start": repeated(of("message_start")),
    "duplicate-message-stop": repeated(of("message_stop")),
    "empty-block": without(_delta_of("text_delta")),
    "error-in-stream": inserted("error", {"type": "error", "error": {"type": "overloaded_error", "message": "no"}}),
    "index-gap": _shifted,
    "index-reused": _reused,
    "lone-surrogate": changed(_delta_of("text_delta"), put("delta", "text", "a\ud83e")),
    "missing-message-start": without(of("message_start")),
    "missing-message-stop": without(of("message_stop")),
    "missing-stop-reason": without(of("message_delta")),
    "second-message": repeated(of("message_start"), put("message", "id", "msg_2")),
    "stop-reason-dropped": repeated(of("message_delta"), put("delta", "stop_reason", None)),
    "stop-without-start": without(lambda value: value["type"] in ("content_block_start", "content_block_delta")),
    "thinking-without-signature": without(_delta_of("signature_delta")),
    "tool-arguments-invalid-json": _broken_arguments,
    "tool-arguments-empty": lambda draw, events: changed(_block("tool_use"), drop("content_block", "input"))(
        draw, without(_delta_of("input_json_delta"))(draw, events) or events
    ),
    "tool-id-missing": changed(_block("tool_use"), drop("content_block", "id")),
    "tool-input-in-start": changed(_block("tool_use"), put("content_block", "input", {"a": 1})),
    "unknown-delta-type": changed(of("content_block_delta"), put("delta", "type", "smell_delta")),
    "unknown-event-type": inserted("message_pause", {"type": "message_pause"}),
    "usage-input-late": _input_late,
    "usage-misplaced": changed(of("message_delta"), put("delta", "usage", _USAGE)),
    "usage-missing-delta": changed(of("message_delta"), drop("usage")),
    "usage-missing-start": changed(of("message_start"), drop("message", "usage")),
}
