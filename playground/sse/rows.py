"""A row is whatever the SSE reader finds. Made by sse/parser.py; read by formats, lint and messages.py."""

from __future__ import annotations

from typing import Any, Final, Literal

RowKind = Literal[
    "event",  # dispatched
    "comment",  # a line that starts with ':'
    "ignored",  # a line that does nothing: an unknown field, no field at all, an invalid retry, an id with NUL
    "block",  # a blank line ended fields without any data: not dispatched
    "tail",  # what stood at the end of the body without its line end or its blank line: not dispatched
]


class NotJSON:
    """The type of NOT_JSON, which stands in `Row.json` until a decoder has parsed the row, and for what is no JSON."""

    def __repr__(self) -> str:
        return "NOT_JSON"


NOT_JSON: Final = NotJSON()


class Row:
    """One row of the wire.

    `number` counts from 1 and is the same however the body is cut. `start` and `end` are byte offsets in the decoded
    body; `end` lies right after the byte that completed the row, so the LF of a CRLF that ends a row is in no row.
    `read` and `time` (microseconds, None when unknown) are those of the read that completed it.

    event: `name` is the event name ('' when none was sent), `data` the data buffer, `id` the id field of this event
    (None when it has none). comment: `data` is what follows the colon. ignored: `name` is the field name, `data` the
    whole line as it came. block, tail: `name` is the event name so far, `data` the raw text from `start` to `end`.
    """

    __slots__ = ("data", "end", "id", "json", "kind", "name", "number", "read", "start", "time")

    def __init__(
        self,
        number: int,
        kind: RowKind,
        start: int,
        end: int,
        read: int,
        time: int | None,
        name: str,
        data: str,
        id: str | None = None,
    ) -> None:
        self.number = number
        self.kind = kind
        self.start = start
        self.end = end
        self.read = read
        self.time = time
        self.name = name
        self.data = data
        self.id = id
        self.json: Any = NOT_JSON

    def __repr__(self) -> str:
        return f"Row({self.number}, {self.kind!r}, {self.start}-{self.end}, {self.name!r}, {self.data[:60]!r})"
