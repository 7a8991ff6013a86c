"""A HAR entry's body and Chrome's events beside it become reads with times, where the two agree. Called by har.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from playground.recordings.importing.interface import NO_CUTS, NO_TIMES, missing
from playground.recordings.importing.source import BLOCK
from playground.sse.parser import Parser
from playground.sse.writer import write_event

EVENT_TIMES: Final = (
    "The times are those at which the browser told of each event; reads are one an event, not the network's."
)
MADE: Final = (
    "The file has the events and not the body: the bytes were made from the events. What is no event (comments, "
    "ignored lines) and how the lines were written is not known."
)
DIFFER: Final = "The browser told of other events than the body has: their times are left out."


class Message(NamedTuple):
    """An event that the browser told of; `time` in microseconds, None when unknown."""

    time: int | None
    data: str
    name: str
    id: str


def body_reads(body: bytes, messages: Sequence[Message]) -> tuple[Iterator[tuple[int | None, bytes]], list[str]]:
    """(time, bytes) of each read, and what is to be said of them."""
    if not messages:
        return _blocks(body), [missing(NO_TIMES, NO_CUTS)]
    timed = any(message.time is not None for message in messages)
    if not body:
        return _made(messages), [MADE, EVENT_TIMES if timed else missing(NO_TIMES)]
    ends = _ends(body, messages) if timed else None
    if ends is None:
        return _blocks(body), [*([DIFFER] if timed else []), missing(NO_TIMES, NO_CUTS)]
    return _cut(body, ends, messages), [EVENT_TIMES]


def _ends(body: bytes, messages: Sequence[Message]) -> list[int] | None:
    """Where the body's events end, when they are the browser's."""
    parser = Parser()
    rows = [row for row in (*parser.feed(body, 1, None), *parser.end()) if row.kind == "event"]
    if len(rows) != len(messages) or any(row.data != message.data for row, message in zip(rows, messages, strict=True)):
        return None
    ends = [row.end for row in rows]
    if not body[ends[-1] :].strip():
        ends[-1] = len(body)
    return ends


def _cut(body: bytes, ends: Sequence[int], messages: Sequence[Message]) -> Iterator[tuple[int | None, bytes]]:
    start = 0
    for end, message in zip(ends, messages, strict=True):
        yield message.time, body[start:end]
        start = end
    if start < len(body):
        yield None, body[start:]


def _made(messages: Sequence[Message]) -> Iterator[tuple[int | None, bytes]]:
    for message in messages:
        try:
            event = write_event(message.data, message.name, message.id or None)
        except ValueError:
            event = write_event(message.data)
        yield message.time, event


def _blocks(body: bytes) -> Iterator[tuple[int | None, bytes]]:
    for start in range(0, len(body), BLOCK):
        yield None, body[start : start + BLOCK]
