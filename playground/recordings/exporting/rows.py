"""The rows of a session as its reads come, without formats and lint. Used by events.py and timings.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from playground.coding import Coding
from playground.recordings.exporting.interface import Taken
from playground.recordings.records import EndRecord, HeadRecord, OpenRecord, ReadRecord
from playground.sse.parser import Parser
from playground.sse.rows import Row


class LaneRow(NamedTuple):
    lane: int
    row: Row


def rows(taken: Taken) -> Iterator[LaneRow]:
    """In the order in which they were complete; a lane's tail when it has its end."""
    readers: dict[int, tuple[Coding, Parser]] = {}
    last = 0
    for record in taken.records():
        if isinstance(record, HeadRecord):
            readers[record.lane] = Coding(record.head.header("content-encoding")), Parser()
        elif isinstance(record, ReadRecord):
            lane, read = record
            coding, parser = readers[lane]
            last = read.number
            for row in parser.feed(coding.feed(read.body), read.number, read.time):
                yield LaneRow(lane, row)
        elif isinstance(record, EndRecord | OpenRecord):
            coding, parser = readers[record.lane]
            time = record.end.time if isinstance(record, EndRecord) else None
            found = parser.feed(coding.end(), last, time)
            for row in [*found, *(parser.end() if isinstance(record, EndRecord) else ())]:
                yield LaneRow(record.lane, row)
