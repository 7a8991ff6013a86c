"""Sessions in the tables for tests of exports: golden streams as lanes, and what an export of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from playground.recordings import keep
from playground.recordings.archive import take
from playground.recordings.exporting import KINDS, export
from playground.recordings.keep import Batch, NewLane, Seal
from playground.recordings.models import Session
from tests.support import streams
from tests.support.lanes import ENDED, REQUEST, head_of, reads_of

KEPT = replace(REQUEST, request_headers=(("Content-Type", "application/json"),), request_body=b'{"model":"a-model"}')


def keep_lanes(*lanes: tuple[Head, Sequence[Read], End | None], title: str = "a session", format: str = "") -> str:
    """A session with these lanes, sealed where they have an end; its id."""
    new = [NewLane(format, "gateway", "a-model", head) for head, _, _ in lanes]
    session, keys = keep.begin(title, new, None)
    for key, (head, reads, end) in zip(keys, lanes, strict=True):
        seal = _seal(head, reads, end) if end else None
        keep.write([Batch(key, head, reads, seal)])
    return session


def _seal(head: Head, reads: Sequence[Read], end: End) -> Seal:
    pipeline = Pipeline(None)
    pipeline.head(head)
    for read in reads:
        pipeline.feed(read)
    pipeline.end(end)
    return Seal(end, pipeline.word, pipeline.complete, {"format": pipeline.format})


def golden(case: str, end: End | None = ENDED, request: Head = KEPT) -> tuple[Head, list[Read], End | None]:
    """A golden stream as a lane, cut as it was recorded."""
    answer = head_of(case)
    head = replace(request, started=1.5e9, status=answer.status, headers=answer.headers, time=9)
    body = streams.body(case)
    return head, reads_of(streams.cut(body, streams.recorded_cuts(case)), 1500), end


def exported(session: str, kind: str, lane: int | None = None) -> tuple[str, bytes]:
    """The name of the file and all of it."""
    taken = take(session, lane)
    assert taken is not None
    file = export(taken, KINDS[kind])
    return file.name, b"".join(file.pieces)


def created(session: str) -> float:
    return Session.objects.get(pk=session).created.timestamp()
