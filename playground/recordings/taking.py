"""Records in, a kept session out: what importing/ read is masked, packed, and sealed as a lane that streamed here.

Called by doors. take_in blocks and takes as long as reading the stream does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import orjson
from django.db import DatabaseError

from playground.formats import FORMATS
from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from playground.recordings import keep, markers, writers
from playground.recordings.importing.source import ImportRefused
from playground.recordings.keep import Batch, NewLane, Seal
from playground.recordings.masking import Mask
from playground.recordings.records import (
    EndRecord,
    HeadRecord,
    MarkerRecord,
    OpenRecord,
    ReadRecord,
    Record,
    SessionRecord,
    Trouble,
)
from playground.recordings.summary import summary

AT_ONCE: Final = 1024 * 1024
"""Bytes of bodies in one transaction; another lane's transaction waits no longer than that takes."""
A_TURN: Final = 16_384
"""Bytes that are read in one go: about two milliseconds."""
READ_COST: Final = 150
LANES: Final = 100
TROUBLES: Final = 50

BROKEN_OFF: Final = "What was imported breaks off here."
STREAMED: Final = "This was saved while it was streaming; what came until then is here."


def take_in(records: Iterable[Record], title: str = "", owner: int | None = None) -> str:
    """The id of the new session. It is whole, or has notes about what is not; `title` is for one that has none.

    Raises ImportRefused; then nothing of it is kept.
    """
    taking = Taking(title, owner)
    try:
        for record in records:
            taking.take(record)
        return taking.finish()
    except DatabaseError as error:
        taking.undo()
        raise ImportRefused(
            "not-kept",
            f"It could not be written ({error}). Make room on the disk or check DATABASE_URL, then import again.",
        ) from error
    except BaseException:
        taking.undo()
        raise
    finally:
        taking.leave()


class Taking:
    """One session that is being taken in. `take` each record, then `finish`, or `undo`; `leave` in any case."""

    def __init__(self, title: str, owner: int | None) -> None:
        self._title = title
        self._owner = owner
        self._session = ""
        self._writer = writers.enter()
        self._lanes: dict[int, Lane] = {}
        self._waiting = 0
        self._since = 0
        self._notes: list[str] = []
        self._troubles = 0
        self._markers: list[MarkerRecord] = []

    def take(self, record: Record) -> None:
        match record:
            case ReadRecord(number, read):
                if number in self._lanes:
                    self._read(self._lanes[number], read)
            case SessionRecord():
                self._begin(record)
            case HeadRecord():
                self._head(record)
            case EndRecord(number, end):
                if number in self._lanes:
                    self._lanes[number].end(end)
            case OpenRecord(number):
                if number in self._lanes:
                    self._lanes[number].end(End("interrupted", self._lanes[number].time, STREAMED))
            case MarkerRecord():
                self._markers.append(record)
            case Trouble():
                self._troubles += 1
                if self._troubles <= TROUBLES:
                    self._notes.append(f"{record.where}: {record.message}")

    def finish(self) -> str:
        """The session's id, once the rest is written and it can be seen."""
        if not self._lanes:
            said = f" ({self._notes[0]})" if self._notes else ""
            raise ImportRefused("no-lanes", f"There is no stream in it that can be kept{said}.")
        for lane in self._lanes.values():
            lane.end(End("interrupted", lane.time, BROKEN_OFF))
        self._flush()
        if self._troubles > TROUBLES:
            self._notes.append(f"{self._troubles - TROUBLES} more troubles like these.")
        markers.keep_records(self._session, self._markers)
        models = dict.fromkeys(lane.model for lane in self._lanes.values() if lane.model)
        keep.shelve(self._session, self._title or " · ".join(models), self._notes)
        return self._session

    def undo(self) -> None:
        if self._session:
            keep.discard(self._session)

    def leave(self) -> None:
        writers.leave(self._writer)

    def _begin(self, record: SessionRecord) -> None:
        if not self._session:
            created = None if record.created is None else datetime.fromtimestamp(record.created, UTC)
            self._session = keep.begin_import(record.title, self._writer, self._owner, created)
            self._notes += record.notes

    def _head(self, record: HeadRecord) -> None:
        self._begin(SessionRecord())
        if record.lane in self._lanes:
            return
        if record.lane >= LANES:
            raise ImportRefused("too-many-lanes", f"It has more than {LANES} lanes; import fewer at once.")
        self._lanes[record.lane] = Lane(self._session, record)

    def _read(self, lane: Lane, read: Read) -> None:
        self._waiting += lane.read(read)
        self._since += len(read.body) + READ_COST
        if self._waiting >= AT_ONCE:
            self._flush()
        if self._since >= A_TURN:
            self._since = 0
            time.sleep(0)  # whoever streams in this server wants the interpreter, too

    def _flush(self) -> None:
        lanes = [lane for lane in self._lanes.values() if lane.waits]
        if lanes:
            keep.write([lane.batch for lane in lanes])
        for lane in lanes:
            lane.written()
        self._waiting = 0


class Lane:
    """One lane that is being taken in: `batch` is what came of it and is not written; the pipeline sums it up."""

    def __init__(self, session: str, record: HeadRecord) -> None:
        head = _plausible(record.head)
        self._mask = Mask(key="", url=head.url, headers=head.request_headers, body=head.request_body)
        head = self._mask.head(self._mask.request(head))
        format = record.format if record.format in FORMATS else ""
        self.model = record.model or _model(head.request_body)
        self.time = head.time
        self._notes = record.notes
        self._number = 0
        self._reads: list[Read] = []
        self._over = False
        self._pipeline = Pipeline(format or None)
        self._pipeline.head(head)
        self.batch = Batch(keep.add_lane(session, record.lane, NewLane(format, record.target, self.model, head)), head)

    def read(self, read: Read) -> int:
        """What it costs in memory until it is written."""
        if self._over:
            return 0
        self.time = read.time if read.time is not None else self.time
        return self._keep(self._mask.feed(read.body), read.time)

    def _keep(self, body: bytes, time: int | None) -> int:
        if not body:
            return 0
        self._number += 1
        read = Read(self._number, time, body)
        self._pipeline.feed(read)
        self._reads.append(read)
        return len(body) + READ_COST

    def end(self, end: End) -> None:
        """Nothing more comes of it; a second end says nothing."""
        if self._over:
            return
        self._keep(self._mask.end(), self.time)
        self._over = True
        end = replace(end, detail=self._mask.text(end.detail))
        pipeline = self._pipeline
        pipeline.end(end)
        notes = [*self._notes, *self._mask.notes]
        self.batch.seal = Seal(end, pipeline.word, pipeline.complete, summary(pipeline), list(dict.fromkeys(notes)))

    @property
    def waits(self) -> bool:
        """Something is to be written."""
        self.batch.reads = self._reads
        return bool(self._reads or self.batch.head or self.batch.seal)

    def written(self) -> None:
        self.batch.head = self.batch.seal = None
        self._reads = []


def _plausible(head: Head) -> Head:
    """A file may say anything; the tables take a status of three digits."""
    return head if head.status is None or 100 <= head.status < 1000 else replace(head, status=None)


def _model(body: bytes) -> str:
    """The model that the request asks for, "" when it does not say."""
    try:
        value = orjson.loads(body)
    except ValueError:
        return ""
    model = value.get("model") if isinstance(value, dict) else None
    return model if isinstance(model, str) else ""
