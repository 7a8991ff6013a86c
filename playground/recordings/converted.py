"""A lane as another format: its reads go down the corridor again, and a writer of lens/ tells what they said.

Called by runs for the doors of the Lens. Functions block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from playground.lens import WRITERS
from playground.lens.interface import Event, Loss, Writer
from playground.pipeline import Pipeline
from playground.reads import Read
from playground.recordings.models import Lane
from playground.recordings.replay import Cursor, replay
from playground.recordings.veil import NOTHING, LeftOut
from playground.transcript import Operation, Transcript

Converted = tuple[int, Event]
"""An event of the other format, and the number of the row that brought it about."""


class Conversion:
    """`tail` are reads that may not be kept yet. `lost` and `over` (the lane has its end) are known once all events
    were taken; a lane that is not over has no end here either."""

    def __init__(self, lane: Lane, format: str, tail: Sequence[Read] = (), without: LeftOut = NOTHING) -> None:
        self._lane = lane
        self._format = format
        self._tail = tail
        self._writer: Writer | None = None
        self._fresh: list[Converted] = []
        self._row = 0
        pipeline = Pipeline(lane.format or None, lint=False, transcript=Overheard(self._hear))
        self._cursor = Cursor(lane.format, without, pipeline=pipeline)

    @property
    def lost(self) -> list[Loss]:
        return self._writer.lost if self._writer else []

    @property
    def over(self) -> bool:
        return self._cursor.over

    def events(self) -> Iterator[Converted]:
        """All of them, once."""
        cursor = self._cursor
        for _ in replay(self._lane, cursor):
            yield from self._taken()
        for read in self._tail:
            if read.number == cursor.position + 1 and not cursor.over:
                cursor.read(read)
                yield from self._taken()
        if cursor.over and self._writer is not None:
            for event in self._writer.end(cursor.pipeline.word == "ended"):
                yield self._row, event

    def _hear(self, row: int, updates: Sequence[Any]) -> None:
        if self._writer is None:
            overlapping = self._cursor.pipeline.format == "responses"
            self._writer = WRITERS[self._format](overlapping=overlapping)
        self._row = row
        self._fresh += [(row, event) for event in self._writer.feed(updates)]

    def _taken(self) -> list[Converted]:
        taken, self._fresh = self._fresh, []
        return taken


class Overheard(Transcript):
    """A transcript that passes on what it folds: the number of a row and its updates."""

    def __init__(self, told: Callable[[int, Sequence[Any]], None]) -> None:
        super().__init__()
        self._told = told

    def fold(self, row: int, updates: Any, operations: list[Operation]) -> None:
        super().fold(row, updates, operations)
        self._told(row, updates)
