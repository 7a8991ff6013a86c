"""Kept pages in, the same reads and steps out. Called by runs (to catch up) and by doors that show a part of a lane.

Functions that touch the tables block; a Cursor does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.conf import settings

from playground.messages import encode_step
from playground.pipeline import Pipeline, Step
from playground.reads import End, Head, Read
from playground.recordings.models import Lane, Page
from playground.recordings.pages import unpack
from playground.recordings.veil import NOTHING, LeftOut, Veil

PAGES_AT_ONCE = 8


class Gap(Exception):
    """Reads do not follow one another. `after` is the last one that did."""

    def __init__(self, after: int) -> None:
        super().__init__(f"read {after + 1} is missing")
        self.after = after


class Cursor:
    """A way through one lane that goes forward only. `position` is the number of the last step, -1 before the first.

    `without` is left out of its answer; the request is not the cursor's. `pipeline`: one that is new.
    """

    def __init__(self, format: str, without: LeftOut = NOTHING, *, pipeline: Pipeline | None = None) -> None:
        self.pipeline = pipeline or Pipeline(format or None, thresholds=settings.THRESHOLDS)
        self._veil = Veil(without)
        self._veils = bool(without)
        self.position = -1
        self.over = False
        self._last: Step | None = None

    def head(self, head: Head) -> Step:
        self.position = 0
        return self.pipeline.head(self._veil.head(head))

    def read(self, read: Read) -> Step:
        if read.number != self.position + 1:
            raise Gap(self.position)
        self.position = read.number
        if self._veils:
            read = read._replace(body=self._veil.feed(read.body))
        return self.pipeline.feed(read)

    def end(self, end: End, notes: Sequence[str] = ()) -> Step:
        """`notes`: what the lane says of how it was kept."""
        self.over = True
        held = self._veil.end()
        last = self.pipeline.feed(Read(self.position, end.time, held)) if held else None
        step = self._last = self.pipeline.end(replace(end, detail=self._veil.text(end.detail)))
        step.notes = [*map(self._veil.text, notes), *step.notes]
        if last is not None:
            # What the veil held back comes with the end, so that the steps keep their numbers.
            step.rows = [*last.rows, *step.rows]
            step.operations = [*last.operations, *step.operations]
            step.findings = [*last.findings, *step.findings]
            step.size = last.size
        self.position = step.number
        return step

    def last_word(self, number: int) -> str:
        """The end that was passed as a step with that number that says nothing else."""
        assert self._last is not None
        step = Step(number, self._last.time, 0, self._last.offset)
        step.end, step.body, step.notes = self._last.end, self._last.body, self._last.notes
        return self.encode(step)

    def encode(self, step: Step) -> str:
        """The step as the broadcaster encoded it when it was live."""
        if step.end is None:
            return encode_step(step, word="", complete=False)
        return encode_step(step, word=self.pipeline.word, complete=self.pipeline.complete)


def pages(lane: int, after: int) -> list[Read]:
    """Kept reads behind number `after`, some pages of them; [] when there are none."""
    kept = Page.objects.filter(lane_id=lane)
    begun = kept.filter(first__lte=after).order_by("-first").values_list("first", flat=True).first()
    found = kept.filter(first__gte=begun or 0).order_by("first").values_list("first", "body", "marks")
    return [
        read
        for first, body, marks in found[:PAGES_AT_ONCE]
        for read in unpack(first, bytes(body), bytes(marks))
        if read.number > after
    ]


def reads(lane: int, after: int = 0) -> Iterator[Read]:
    """All kept reads of a lane behind number `after`, in order."""
    while batch := pages(lane, after):
        yield from batch
        after = batch[-1].number


def replay(lane: Lane, cursor: Cursor) -> Iterator[Step]:
    """All kept steps of a lane; the cursor, a new one, stands at each of them."""
    if lane.headed:
        yield cursor.head(lane.head(with_body=False))
    for read in reads(lane.pk):
        yield cursor.read(read)
    end = lane.end()
    if end is not None:
        yield cursor.end(end, lane.notes)
