"""A kept session out of the tables as records, read by read by their times. Called by exporting/ and doors.

Functions block. A lane in memory is some pages; a session of any length is given out while it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from heapq import merge

from playground.reads import Read
from playground.recordings import markers
from playground.recordings.exporting.interface import Taken, TakenLane
from playground.recordings.models import Lane, Session
from playground.recordings.prompt import is_title_of
from playground.recordings.records import (
    EndRecord,
    HeadRecord,
    OpenRecord,
    ReadRecord,
    Record,
    SessionRecord,
    Trouble,
)
from playground.recordings.replay import reads


def take(session: str, lane: int | None = None) -> Taken | None:
    """The session, or one lane of it, for an export. None when there is none, or it was deleted."""
    found = Session.objects.filter(pk=session, deleted=None).defer("search").first()
    lanes = Lane.objects.defer("request_body").filter(session_id=session)
    taken = [
        TakenLane(each.number, _format(each), each.head(with_body=False), each.how != "")
        for each in (lanes if lane is None else lanes.filter(number=lane))
    ]
    if found is None or not taken:
        return None
    is_asked = is_title_of(found.title, lanes.values_list("prompt", flat=True))
    return Taken(found.title, found.created.timestamp(), taken, partial(records, session), is_title_asked=is_asked)


Timed = tuple[float, int, Record]


def records(session: str, lane: int | None = None) -> Iterator[Record]:
    """The session, or one lane of it. Raises Session.DoesNotExist at the first record.

    What a lane that still streams has behind its last kept read is not there: an OpenRecord says so.
    """
    found = Session.objects.get(pk=session, deleted=None)
    lanes = list(found.lanes.all() if lane is None else found.lanes.filter(number=lane))
    yield SessionRecord(found.title, found.created.timestamp())
    for each in lanes:
        yield HeadRecord(each.number, _format(each), each.target, each.model, each.head(), tuple(each.notes))
        each.request_body = b""
    yield from markers.records(lanes)
    for _, _, record in merge(*(_stream(each) for each in lanes), key=lambda timed: timed[:2]):
        yield record


def _format(lane: Lane) -> str:
    """The format as given, or as it was recognised."""
    return lane.format or str(lane.summary.get("format", ""))


def _stream(lane: Lane) -> Iterator[Timed]:
    """Reads and end of a lane with their wall clock in microseconds; a read without time stands with the one before."""
    began = (lane.started or 0.0) * 1e6
    time = began
    last = 0
    for read in _all_reads(lane):
        last = read.number
        time = began + read.time if read.time is not None else time
        yield time, lane.number, ReadRecord(lane.number, read)
    end = lane.end()
    if end is not None and last != lane.reads:
        message = f"Lane {lane.number} had {lane.reads} reads and has {last}: it was deleted meanwhile, or is damaged."
        yield time, lane.number, Trouble(f"read {last + 1}", message)
    if end is None:
        yield time, lane.number, OpenRecord(lane.number)
    else:
        yield time, lane.number, EndRecord(lane.number, end, lane.word, lane.digest)


def _all_reads(lane: Lane) -> Iterator[Read]:
    """All reads; a lane that ended while it was read is whole, for the last reads are written together with its end."""
    last = 0
    for read in reads(lane.pk):
        last = read.number
        yield read
    if not lane.how:
        now = Lane.objects.filter(pk=lane.pk).defer("request_body").first()
        if now is not None and now.how:
            yield from reads(lane.pk, last)
            for field in ("how", "end_time", "detail", "word", "reads", "digest"):
                setattr(lane, field, getattr(now, field))
