"""One fault at a time for legal streams of Chat Completions, by rule."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.support.faults.ways import (
    NEVER,
    Broken,
    Change,
    Fault,
    among,
    behind,
    changed,
    inserted,
    of,
    repeated,
    replaced,
    update,
)
from tests.support.legal import DONE, Event, chunk


def _delta(value: Any) -> Any:
    return value["choices"] and value["choices"][0]["delta"]


def _has(name: str) -> Callable[[Any], Any]:
    return lambda value: bool(_delta(value)) and name in _delta(value)


def _entry(value: Any) -> Any:
    return _delta(value)["tool_calls"][0]


def _opens(value: Any) -> bool:
    return _has("tool_calls")(value) and "id" in _entry(value)


def _continues(value: Any) -> bool:
    return _has("tool_calls")(value) and "id" not in _entry(value)


def _finishes(value: Any) -> Any:
    return value["choices"] and value["choices"][0]["finish_reason"]


def _in_delta(**fields: Any) -> Change:
    return lambda value: _delta(value).update(fields)


def _in_entry(**fields: Any) -> Change:
    return lambda value: _entry(value).update(fields)


def _in_function(**fields: Any) -> Change:
    return lambda value: _entry(value)["function"].update(fields)


def _in_choice(**fields: Any) -> Change:
    return lambda value: value["choices"][0].update(fields)


def _text_after_finish(draw: st.DrawFn, events: list[Event]) -> Broken:
    at = among(draw, events, _finishes)
    assert at is not None
    index = events[at][1]["choices"][0]["index"]
    late = chunk([{"index": index, "delta": {"content": "late"}, "finish_reason": None}])
    return [*events[: at + 1], ("", late), *events[at + 1 :]]


def _emptied(draw: st.DrawFn, events: list[Event]) -> Broken:
    kept = [event for event in events if event[1] == DONE or not _continues(event[1])]
    return kept if len(kept) < len(events) else None


CHAT: dict[str, Fault] = {
    "choices-missing": inserted("", {"id": "chatcmpl-1", "object": "chat.completion.chunk"}),
    "choices-null": inserted("", chunk(None)),
    "content-after-finish": _text_after_finish,
    "content-array": changed(_has("content"), _in_delta(content=[{"type": "text", "text": "a"}])),
    "data-after-done": behind(("", chunk([]))),
    "done-with-whitespace": lambda draw, events: [*events[:-1], ("", f" {DONE}")],
    "empty-stream": lambda draw, events: [event for event in events if event[1] == DONE],
    "error-finish": changed(_finishes, _in_choice(finish_reason="error")),
    "error-flat-fields": inserted("", chunk([], error_message="no")),
    "error-in-stream": inserted("", {"error": {"message": "no"}}),
    "error-not-object": inserted("", {"error": "no"}),
    "finish-empty-string": changed(_has("role"), _in_choice(finish_reason="")),
    "finish-null-string": changed(_has("role"), _in_choice(finish_reason="null")),
    "finish-repeated": repeated(_finishes),
    "finish-stop-with-tool-calls": changed(
        lambda value: _finishes(value) == "tool_calls", _in_choice(finish_reason="stop")
    ),
    "id-changes": lambda draw, events: repeated(lambda value: value["choices"] == [], update(id="another"))(
        draw, [*events[:-1], ("", chunk([])), events[-1]]
    ),
    "inline-think-tags": changed(
        lambda value: _has("content")(value) and value["choices"][0]["index"] == 0, _in_delta(content="<think>")
    ),
    "legacy-function-call": inserted("", chunk([{"index": 0, "delta": {"function_call": {"name": "f"}}}])),
    "missing-delta": changed(_finishes, lambda value: value["choices"][0].pop("delta")),
    "missing-done": lambda draw, events: events[:-1],
    "missing-finish-reason": changed(_finishes, _in_choice(finish_reason=None)),
    "object-not-chunk": changed(of(""), update(object="chat.completion")),
    "reasoning-channels-differ": changed(_has("role"), _in_delta(reasoning="a", reasoning_content="b")),
    "reasoning-details-missing-index": changed(_has("role"), _in_delta(reasoning_details=[{"text": "a"}])),
    "reasoning-mirrored": changed(_has("role"), _in_delta(reasoning="a", reasoning_content="a")),
    "role-repeated": repeated(_has("role")),
    "lone-surrogate": changed(_has("role"), _in_delta(content="a\udca9")),
    "tool-arguments-empty": _emptied,
    "tool-arguments-invalid-json": repeated(_continues, _in_function(arguments=NEVER)),
    "tool-arguments-not-string": repeated(_continues, _in_function(arguments={"a": 1})),
    "tool-arguments-null": repeated(_continues, _in_function(arguments=None)),
    "tool-id-changes": changed(_continues, _in_entry(id="another")),
    "tool-id-misplaced": changed(_opens, _in_function(id="inside")),
    "tool-id-missing": changed(_opens, lambda value: _entry(value).pop("id")),
    "tool-index-missing": changed(_opens, lambda value: _entry(value).pop("index")),
    "tool-index-reused": repeated(_opens, _in_entry(id="another")),
    "tool-index-sparse": lambda draw, events: replaced(
        events, '"tool_calls": [{"index": 0', '"tool_calls": [{"index": 7'
    ),
    "tool-index-twice-in-chunk": changed(
        _continues, lambda value: _delta(value)["tool_calls"].append(copy.deepcopy(_entry(value)))
    ),
    "tool-name-empty": changed(_continues, _in_function(name="")),
    "tool-name-repeated": changed(_continues, _in_function(name="tide_table")),
    "tool-name-split": changed(_continues, _in_function(name="_more")),
    "unknown-finish-reason": changed(_finishes, _in_choice(finish_reason="bored")),
    "usage-in-x-groq": inserted("", chunk([], x_groq={"usage": {"prompt_tokens": 1}})),
    "usage-not-last": lambda draw, events: [("", chunk([], usage={"prompt_tokens": 1})), *events],
    "usage-repeated": lambda draw, events: [
        *events[:-1],
        *[("", chunk([], usage={"prompt_tokens": 1}))] * 2,
        events[-1],
    ],
}
