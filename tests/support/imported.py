"""Bytes imported without a database: what an import gives, lane by lane."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field

from playground.pipeline import Pipeline
from playground.reads import End, Read
from playground.recordings.importing import read
from playground.recordings.records import (
    EndRecord,
    HeadRecord,
    OpenRecord,
    ReadRecord,
    Record,
    SessionRecord,
    Trouble,
)


@dataclass
class Imported:
    """`bodies`, `times` and `notes` are those of each lane."""

    session: SessionRecord | None = None
    heads: list[HeadRecord] = field(default_factory=list)
    bodies: dict[int, bytes] = field(default_factory=dict)
    times: dict[int, list[int | None]] = field(default_factory=dict)
    ends: list[EndRecord | OpenRecord] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return self.bodies[0]

    @property
    def notes(self) -> str:
        return " ".join(note for head in self.heads for note in head.notes)

    def header(self, name: str, lane: int = 0) -> str:
        return dict(self.heads[lane].head.request_headers).get(name, "")

    def said(self, lane: int = 0) -> dict[str, object]:
        """What the lane's body says."""
        pipeline = Pipeline(None)
        pipeline.head(self.heads[lane].head)
        pipeline.feed(Read(1, None, self.bodies[lane]))
        pipeline.end(End("closed"))
        return pipeline.said()


def imported(content: bytes, name: str = "", kind: str = "") -> Imported:
    """All that the bytes give. Raises ImportRefused."""
    found = Imported()
    for record in read(name, io.BytesIO(content), kind):
        add(found, record)
    return found


def add(found: Imported, record: Record) -> None:
    match record:
        case SessionRecord():
            found.session = record
        case HeadRecord():
            found.heads.append(record)
            found.bodies[record.lane] = b""
            found.times[record.lane] = []
        case ReadRecord(lane, each):
            found.bodies[lane] += each.body
            found.times[lane].append(each.time)
            assert each.number == len(found.times[lane])
        case EndRecord() | OpenRecord():
            found.ends.append(record)
        case Trouble():
            found.troubles.append(record)


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()
