"""What Messages and Responses share: events that name their type, and the lane's own fields.

A row comes in and is read by the reader of its type. messages.py and responses.py build on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from playground.formats.documents import Errors
from playground.formats.interface import compact, parse, usage_counts
from playground.formats.updates import LANE, Update
from playground.sse.rows import Row

Reader = Callable[[str, dict[str, Any]], Sequence[Update]]
"""Takes the type of an event and its object."""

_loads = orjson.loads


class TypedEvents:
    """Events whose object names their type. `readers` has a reader for every known type."""

    def __init__(self, readers: dict[str, Reader]) -> None:
        self.complete = False
        self._readers = readers
        self._errors = Errors()
        self._lane: dict[str, Any] = {}

    def event(self, row: Row) -> Sequence[Update]:
        """A dispatched event. Its object's type decides what it is; its event name only when that is missing."""
        try:
            value = _loads(row.data)
        except ValueError:
            value = parse(row.data)
        row.json = value
        try:
            kind = value["type"]
            read = self._readers[kind]
        except (KeyError, TypeError):
            return self._untyped(row.name, value)
        return read(kind, value)

    def line(self, row: Row) -> Sequence[Update]:
        return self._errors.line(row)

    def _untyped(self, name: str, value: Any) -> Sequence[Update]:
        if not isinstance(value, dict) or isinstance(value.get("type"), str):
            return ()
        error = value.get("error")
        if error and name != "error":
            return (self._errors.say(error, value),)
        read = self._readers.get(name)
        if read is None:
            return ()
        return read(name, value if name == "error" else {**value, "type": name})

    def _error(self, kind: str, value: dict[str, Any]) -> list[Update]:
        """An error event, its fields nested under `error` or standing at the top."""
        return [self._errors.say(value.get("error") or value, value)]

    def _tell(self, updates: list[Update], field: str, value: Any) -> None:
        """A field of the lane, said when it changes."""
        if field not in self._lane or not same(self._lane[field], value):
            self._lane[field] = value
            updates.append(("set", LANE, field, value))


def label(value: Any) -> float | None:
    """An index on the wire as something that can name a part; None when there is none."""
    return value if isinstance(value, int | float) else None


def string(value: Any) -> str | None:
    """A string that says something; '' and 'null' count as null."""
    return value if isinstance(value, str) and value and value != "null" else None


def mapping(value: Any) -> dict[str, Any]:
    """An object, or an empty one where the wire has something else."""
    return value if isinstance(value, dict) else {}


def same(one: Any, other: Any) -> bool:
    """Equal as JSON, where Python takes 1, 1.0 and true for the same."""
    try:
        return bool(one == other) and (isinstance(one, str) or compact(one) == compact(other))
    except RecursionError:
        return False


def listed(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing where the wire has something else."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def counts(usage: dict[str, Any], *, whole_input: int | None = None) -> dict[str, Any]:
    """A usage object in the words that all formats share, under whichever vendor's names its counts stand."""
    into = mapping(usage.get("input_tokens_details") or usage.get("prompt_tokens_details"))
    out = mapping(usage.get("output_tokens_details") or usage.get("completion_tokens_details"))
    return usage_counts(
        usage,
        input=_first(usage, "input_tokens", "prompt_tokens"),
        output=_first(usage, "output_tokens", "completion_tokens"),
        reasoning=_first({**usage, **out}, "reasoning_tokens", "thinking_tokens"),
        cached=_first({**usage, **into}, "cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens"),
        written=_first({**usage, **into}, "cache_write_tokens", "cache_creation_input_tokens"),
        total=usage.get("total_tokens"),
        whole_input=whole_input,
    )


def _first(usage: dict[str, Any], *names: str) -> Any:
    return next((usage[name] for name in names if usage.get(name) is not None), None)
