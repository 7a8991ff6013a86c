"""What a format offers to the pipeline, and JSON as the wire means it.

A decoder takes rows in order and answers with updates. It keeps indexes, ids and names, never the text, and never
raises on bad input.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NoReturn, Protocol

import orjson

from playground.formats.updates import Update
from playground.sse.rows import NOT_JSON, Row


class Decoder(Protocol):
    """One lane's decoder. `complete` says whether the format's own end was reached."""

    name: ClassVar[str]  # chat, messages, responses: the word for the format everywhere
    title: ClassVar[str]  # as a person reads it: Chat Completions, ...
    path: ClassVar[str]  # below a base URL that ends in /v1: /chat/completions, /messages, /responses
    complete: bool

    @classmethod
    def recognises(cls, value: dict[str, Any], event: str) -> bool:
        """Whether a JSON object (of an event with that name, or a whole body with '') can only be this format's."""

    def event(self, row: Row) -> Sequence[Update]:
        """A dispatched event; sets `row.json`. Called for every event row, in order."""

    def line(self, row: Row) -> Sequence[Update]:
        """A row that is no event. Only a line `error: ...` says something (llama.cpp)."""

    def document(self, value: dict[str, Any]) -> Sequence[Update]:
        """The whole body was one JSON object: an answer in the format's own whole form, or an error document."""

    def end(self) -> Sequence[Update]:
        """The body is over: what is still open is closed."""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON (RFC 8259)")


def parse(text: str) -> Any:
    """The JSON value of `text`, or NOT_JSON. orjson first; the standard module for lone surrogate escapes."""
    try:
        return orjson.loads(text)
    except ValueError:
        pass
    if "\\u" not in text:
        return NOT_JSON
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return NOT_JSON


def compact(value: Any) -> str:
    """A JSON value as compact JSON text, keys in the order of the wire."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return dumps(value, ensure_ascii=False)


def dumps(value: Any, *, ensure_ascii: bool) -> str:
    """What orjson refuses: lone UTF-16 halves, numbers above 64 bits, and nesting deeper than 254."""
    try:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=ensure_ascii)
    except RecursionError:
        return "".join(_flat(value, ensure_ascii))


def _flat(value: Any, ensure_ascii: bool) -> Iterator[str]:
    """JSON text of what is nested deeper than Python recurses; `waiting` holds what follows, the nearest last."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        before, one = waiting.pop()
        yield before
        if one is NOT_JSON:
            continue
        if isinstance(one, dict) and one:
            inner = [(f"{json.dumps(name, ensure_ascii=ensure_ascii)}:", field) for name, field in one.items()]
            opening, closing = "{", "}"
        elif isinstance(one, list | tuple) and one:
            inner = [("", element) for element in one]
            opening, closing = "[", "]"
        else:
            yield json.dumps(one, ensure_ascii=ensure_ascii)
            continue
        waiting.append((closing, NOT_JSON))
        for position in range(len(inner) - 1, -1, -1):
            name, field = inner[position]
            waiting.append((("," if position else opening) + name, field))


def error_message(error: Any) -> str:
    """The message of an error value: a string as it is, an object's `message`, else the value as compact JSON."""
    if isinstance(error, str):
        return error
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return compact(error)


def usage_counts(
    raw: dict[str, Any],
    *,
    input: Any = None,
    output: Any = None,
    reasoning: Any = None,
    cached: Any = None,
    written: Any = None,
    total: Any = None,
    whole_input: Any = None,
) -> dict[str, Any]:
    """Usage in the words all formats share; what is not on the wire is None. `raw` keeps the vendor's own names.

    `input` is the vendor's own count; `whole_input` the whole prompt where that is another sum (Messages).
    """
    counts = {
        "input": input,
        "output": output,
        "reasoning": reasoning,
        "cached": cached,
        "written": written,
        "total": total,
        "whole_input": input if whole_input is None else whole_input,
    }
    numbers: dict[str, Any] = {name: _count(value) for name, value in counts.items()}
    numbers["raw"] = raw
    return numbers


def _count(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
