"""A session's records, or all that an export takes of it, without what is left out. Called by web/exporting.py."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from playground.reads import Read
from playground.recordings.exporting.interface import Taken, TakenLane
from playground.recordings.records import (
    EndRecord,
    HeadRecord,
    MarkerRecord,
    ReadRecord,
    Record,
    SessionRecord,
)
from playground.recordings.veil import LeftOut, Veil

WORDS = {
    "system": "system text",
    "tools": "tools",
    "headers": "request headers",
    "body": "the request body",
}

_NONE = Read(0, None, b"")


@dataclass(slots=True)
class _Lane:
    """One lane on its way: its veil, its last read, the digest of what came out."""

    veil: Veil
    last: Read = _NONE
    digest: Any = field(default_factory=hashlib.sha256)

    def read(self, read: Read) -> Read:
        self.last = read._replace(body=self.veil.feed(read.body))
        self.digest.update(self.last.body)
        return self.last


def veiled_export(taken: Taken, without: LeftOut) -> Taken:
    """What an export takes of a session, as whoever may not see all of it would get it."""
    if not without:
        return taken
    return Taken(
        Veil(without).title(taken.title, taken.is_title_asked),
        taken.created,
        [_lane(lane, without) for lane in taken.lanes],
        lambda lane: veiled(taken.read(lane), without, taken.is_title_asked),
        without.words,
    )


def veiled(records: Iterable[Record], without: LeftOut, is_title_asked: bool = False) -> Iterator[Record]:
    """The same records, each as it may be seen. What a veil held back comes as a last read before the lane's end."""
    whole = Veil(without)
    lanes: dict[int, _Lane] = {}
    for record in records:
        match record:
            case SessionRecord():
                title = whole.title(record.title, is_title_asked)
                yield replace(record, title=title, notes=[whole.text(note) for note in record.notes])
            case HeadRecord():
                lane = lanes[record.lane] = _Lane(Veil(without))
                yield _head(record, lane.veil, without)
            case ReadRecord():
                yield ReadRecord(record.lane, lanes[record.lane].read(record.read))
            case EndRecord():
                lane = lanes[record.lane]
                held = lane.veil.end()
                if held:
                    last = Read(lane.last.number + 1, lane.last.time, held)
                    lane.digest.update(held)
                    yield ReadRecord(record.lane, last)
                end = replace(record.end, detail=whole.text(record.end.detail))
                yield replace(record, end=end, digest=lane.digest.hexdigest())
            case MarkerRecord():
                yield replace(record, note=whole.text(record.note))
            case _:
                yield record


def _lane(lane: TakenLane, without: LeftOut) -> TakenLane:
    veil = Veil(without)
    return replace(lane, head=veil.head(replace(veil.request(lane.head), request_body=b"")))


def _head(record: HeadRecord, veil: Veil, without: LeftOut) -> HeadRecord:
    words = [WORDS[part] for part in WORDS if part in without.parts] + (["marked texts"] if without.texts else [])
    return replace(
        record,
        model=veil.text(record.model),
        head=veil.head(veil.request(record.head)),
        notes=(*map(veil.text, record.notes), f"Left out of this copy: {', '.join(words)}."),
    )
