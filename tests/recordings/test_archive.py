"""A kept session comes out of the tables as records, whole and in the order of its times."""

from __future__ import annotations

from dataclasses import replace

import pytest

from playground.reads import End, Head, Read
from playground.recordings import keep
from playground.recordings.archive import records
from playground.recordings.keep import Batch, NewLane, Seal
from playground.recordings.models import Page, Session
from playground.recordings.records import (
    EndRecord,
    HeadRecord,
    OpenRecord,
    ReadRecord,
    SessionRecord,
    Trouble,
)
from tests.support.lanes import ENDED, REQUEST

pytestmark = pytest.mark.django_db

ANSWER = replace(REQUEST, started=1.5e9, status=200, reason="OK", headers=(("content-type", "text/event-stream"),))


def kept(*lanes: tuple[Head, list[Read], End | None]) -> str:
    """A session in the tables; its id."""
    new = [NewLane("chat", "gateway", "a-model", head, ["a note"]) for head, _, _ in lanes]
    session, keys = keep.begin("a session", new, None)
    for key, (head, reads, end) in zip(keys, lanes, strict=True):
        seal = Seal(end, "ended", True, {}, ["a note"]) if end else None
        keep.write([Batch(key, head if head.status else None, reads, seal)])
    return session


READS = [Read(1, 1000, b"data: 1\n\n"), Read(2, None, b"\xff\x00"), Read(3, 3000, b"data: 3\n\n")]


def test_a_lane_comes_out_as_it_was_kept() -> None:
    session = kept((ANSWER, READS, ENDED))
    first, head, *rest = records(session)
    assert isinstance(first, SessionRecord)
    assert first.title == "a session"
    assert head == HeadRecord(0, "chat", "gateway", "a-model", ANSWER, ("a note",))
    assert rest[:-1] == [ReadRecord(0, read) for read in READS]
    assert isinstance(rest[-1], EndRecord)
    assert (rest[-1].end, rest[-1].word, len(rest[-1].digest)) == (ENDED, "ended", 64)


def test_lanes_interleave_by_their_wall_clock_and_each_keeps_its_order() -> None:
    later = replace(ANSWER, started=1.5e9 + 0.001)
    session = kept((ANSWER, READS, ENDED), (later, READS, ENDED))
    read = [(record.lane, record.read.number) for record in records(session) if isinstance(record, ReadRecord)]
    assert read == [(0, 1), (0, 2), (1, 1), (1, 2), (0, 3), (1, 3)]


def test_one_lane_may_be_asked_for() -> None:
    session = kept((ANSWER, READS, ENDED), (ANSWER, READS[:1], ENDED))
    assert [record.lane for record in records(session, 1) if not isinstance(record, SessionRecord | Trouble)] == [1] * 3


def test_a_lane_that_still_streams_says_so() -> None:
    session = kept((ANSWER, READS[:2], None), (REQUEST, [], None))
    assert [record for record in records(session) if isinstance(record, EndRecord | OpenRecord)] == [
        OpenRecord(1),
        OpenRecord(0),
    ]


def test_a_lane_that_ends_while_it_is_read_is_whole() -> None:
    session = kept((ANSWER, READS[:1], None))
    reading = records(session)
    for _ in range(3):
        next(reading)
    key = Session.objects.get(pk=session).lanes.get().pk
    keep.write([Batch(key, None, READS[1:], Seal(ENDED, "ended", True, {}), size=9, count=1)])
    *reads, end = reading
    assert reads == [ReadRecord(0, read) for read in READS[1:]]
    assert isinstance(end, EndRecord)


def test_reads_that_are_missing_are_told() -> None:
    session = kept((ANSWER, READS, ENDED))
    Page.objects.all().delete()
    troubles = [record for record in records(session) if isinstance(record, Trouble)]
    assert [(trouble.where, trouble.message[:41]) for trouble in troubles] == [
        ("read 1", "Lane 0 had 3 reads and has 0: it was dele")
    ]


def test_a_session_that_is_not_there_raises() -> None:
    with pytest.raises(Session.DoesNotExist):
        next(records("nothing"))
