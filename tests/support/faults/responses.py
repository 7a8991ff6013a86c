"""One fault at a time for legal streams of Responses, by rule."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from tests.support.faults.ways import (
    TYPED,
    Broken,
    Change,
    Fault,
    among,
    behind,
    changed,
    drop,
    inserted,
    of,
    put,
    replaced,
    update,
    without,
)
from tests.support.legal import Event


def _terminal(value: Any) -> bool:
    return value["type"] in ("response.completed", "response.incomplete")


def _call_item(value: Any) -> bool:
    return value["type"] == "response.output_item.added" and value["item"]["type"] == "function_call"


def _with_arguments(text: str) -> Fault:
    """Function calls whose arguments are that, wherever they come."""
    return lambda draw, events: _argued(draw, events, text)


def _argued(draw: st.DrawFn, events: list[Event], text: str) -> Broken:
    if among(draw, events, _call_item) is None:
        return None
    broken = []
    for name, value in copy.deepcopy(events):
        if value["type"].startswith("response.function_call_arguments"):
            if value["type"].endswith("delta"):
                continue
            value["arguments"] = text
        for item in (value.get("item"), *value.get("response", {}).get("output", ())):
            if item and item["type"] == "function_call":
                item["arguments"] = text
        broken.append((name, value))
    return broken


def _renumbered(fault: Fault) -> Fault:
    """The fault, with sequence numbers that have no gap because of it."""

    def numbered(draw: st.DrawFn, events: list[Event]) -> Broken:
        broken = fault(draw, events)
        if broken is None:
            return None
        values = [(name, dict(value) if isinstance(value, dict) else value) for name, value in broken]
        for number, (_, value) in enumerate(values):
            if isinstance(value, dict) and "sequence_number" in value:
                value["sequence_number"] = number
        return values

    return numbered


def _in_item(kind: str, change: Change) -> Fault:
    return changed(lambda value: value["type"] == f"response.output_item.{kind}", lambda value: change(value["item"]))


def _without_calls(*kinds: str) -> Fault:
    """Events of the arguments of function calls are left out; added items have none."""
    return without(lambda value: value["type"] in {f"response.function_call_arguments.{kind}" for kind in kinds})


RESPONSES: dict[str, Fault] = TYPED | {
    "arguments-done-missing": without(of("_arguments.done")),
    "arguments-done-only": _without_calls("delta"),
    "arguments-in-item-only": _without_calls("delta", "done"),
    "content-index-gap": changed(of("content_part.added"), update(content_index=5)),
    "created-not-first": lambda draw, events: [events[1], events[0], *events[2:]],
    "delta-without-item": without(of("output_item.added")),
    "done-empty": changed(of("output_text.done"), update(text="")),
    "done-mismatch": changed(of("output_text.done"), update(text="something else")),
    "error-in-stream": inserted("error", {"type": "error", "message": "no", "sequence_number": 0}),
    "error-nested": inserted("error", {"type": "error", "error": {"message": "no"}, "sequence_number": 0}),
    "event-after-terminal": behind(("response.in_progress", {"type": "response.in_progress", "response": {}})),
    "item-id-changes": changed(of(".delta"), update(item_id="another")),
    "item-not-done": without(of("output_item.done")),
    "keepalive-event": inserted("keepalive", {"type": "keepalive", "sequence_number": 0}),
    "missing-content-index": changed(of("output_text.delta"), drop("content_index")),
    "missing-content-part": without(of("content_part.added")),
    "missing-created": without(of("response.created")),
    "missing-output-index": changed(of(".delta"), drop("output_index")),
    "missing-sequence-number": changed(of(""), drop("sequence_number")),
    "missing-terminal": without(_terminal),
    "response-missing": changed(of("response.created"), drop("response")),
    "sequence-gap": lambda draw, events: [*events[:1], *events[2:]],
    "terminal-output-empty": changed(_terminal, put("response", "output", [])),
    "terminal-output-missing": changed(_terminal, drop("response", "output")),
    "text-done-missing": without(of("output_text.done")),
    "tool-arguments-empty": _with_arguments(""),
    "tool-arguments-invalid-json": _with_arguments("{"),
    "tool-id-missing": lambda draw, events: replaced(events, '"call_id"', '"no_id"'),
    "unknown-event-type": inserted("response.text.delta", {"type": "response.text.delta", "sequence_number": 0}),
    "usage-missing": changed(_terminal, put("response", "usage", None)),
}  # fmt: skip
RESPONSES = {
    rule: fault if rule in {"sequence-gap", "missing-sequence-number"} else _renumbered(fault)
    for rule, fault in RESPONSES.items()
}
