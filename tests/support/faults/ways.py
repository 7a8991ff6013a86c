"""Ways to break a stream, which the lists of faults are made of, and the faults that are the same for every format.

A fault takes hypothesis' draw and the events, and answers with the broken events, or None where it has no place.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.support.legal import DONE, Event

NEVER = "\x01"
"""What may stand nowhere in JSON text."""

Broken = list[Event] | None
Fault = Callable[[st.DrawFn, list[Event]], Broken]
Change = Callable[[dict[str, Any]], Any]


def among(draw: st.DrawFn, events: list[Event], wanted: Callable[[Any], Any]) -> int | None:
    """Where an event stands of which that is true; None when there is none."""
    places = [at for at, (_, value) in enumerate(events) if isinstance(value, dict) and wanted(value)]
    return draw(st.sampled_from(places)) if places else None


def changed(wanted: Callable[[Any], Any], change: Change) -> Fault:
    """A copy of one event is changed in place."""

    def fault(draw: st.DrawFn, events: list[Event]) -> Broken:
        at = among(draw, events, wanted)
        if at is None:
            return None
        broken = copy.deepcopy(events)
        change(broken[at][1])
        return broken

    return fault


def without(wanted: Callable[[Any], Any]) -> Fault:
    """All such events are left out."""

    def fault(draw: st.DrawFn, events: list[Event]) -> Broken:
        kept = [event for event in events if not (isinstance(event[1], dict) and wanted(event[1]))]
        return kept if len(kept) < len(events) else None

    return fault


def repeated(wanted: Callable[[Any], Any], change: Change = lambda value: None) -> Fault:
    """One event comes again at once, changed."""

    def fault(draw: st.DrawFn, events: list[Event]) -> Broken:
        at = among(draw, events, wanted)
        if at is None:
            return None
        again = copy.deepcopy(events[at])
        change(again[1])
        return [*events[: at + 1], again, *events[at + 1 :]]

    return fault


def inserted(name: str, value: Any, *, after: int = 0, before: int = 1) -> Fault:
    """An event more, behind the first `after` ones and in front of the last `before` ones."""

    def fault(draw: st.DrawFn, events: list[Event]) -> Broken:
        at = draw(st.integers(after, len(events) - before))
        return [*events[:at], (name, value), *events[at:]]

    return fault


def renamed(name: Callable[[str], str]) -> Fault:
    def fault(draw: st.DrawFn, events: list[Event]) -> Broken:
        at = draw(st.integers(0, len(events) - 1))
        return [*events[:at], (name(events[at][0]), events[at][1]), *events[at + 1 :]]

    return fault


def replaced(events: list[Event], text: str, by: str) -> Broken:
    """The JSON text of all events with something replaced."""
    broken = [
        (name, value if isinstance(value, str) else json.loads(json.dumps(value).replace(text, by)))
        for name, value in events
    ]
    return broken if broken != events else None


def behind(*more: Event) -> Fault:
    return lambda draw, events: [*events, *more]


def of(kind: str) -> Callable[[Any], Any]:
    """Events of a type, or of types that end so."""
    return lambda value: value.get("type", "").endswith(kind)


def update(**fields: Any) -> Change:
    return lambda value: value.update(fields)


def drop(*path: str) -> Change:
    """The field at the end of the path is taken out."""

    def change(value: Any) -> None:
        for name in path[:-1]:
            value = value[name]
        value.pop(path[-1], None)

    return change


def put(*path: Any) -> Change:
    """The field at the path gets the last value."""

    def change(value: Any) -> None:
        for name in path[:-2]:
            value = value[name]
        value[path[-2]] = path[-1]

    return change


ANY: dict[str, Fault] = {
    "empty-data": inserted("", ""),
    "invalid-json": inserted("", '{"a":'),
    "not-an-object": inserted("", "null"),
    "double-data-prefix": inserted("", 'data: {"a":1}'),
    "comment-as-data": inserted("", ": waiting"),
    "multiple-json-in-event": inserted("", '{"a":1}\n{"b":2}'),
}

TYPED: dict[str, Fault] = {
    "done-sentinel": behind(("", DONE)),
    "error-without-type": inserted("", {"error": {"message": "no"}}),
    "event-name-mismatch": renamed(lambda name: name + "_too"),
    "missing-event-name": renamed(lambda name: ""),
}
