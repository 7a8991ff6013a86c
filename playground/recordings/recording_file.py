"""Records in, the lines of a recording file out; see docs/recording-format.md. Called by exporting/.

recording_lines.py reads the file back.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

from playground.messages import encode
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

FORMAT: Final = "stream recording"
VERSION: Final = (1, 0)
"""A reader passes over what a newer minor version adds; a newer major version changes what stands here already."""

SUFFIX: Final = ".recording.jsonl"


def recording_file(records: Iterable[Record]) -> Iterator[bytes]:
    """A line a record, each with its line feed. What is read is given on before the next record is asked for."""
    bodies: dict[int, Body] = {}
    begun = False
    for record in records:
        if not begun:
            begun = True
            if not isinstance(record, SessionRecord):
                yield _line(_header(SessionRecord()))
        yield _line(_fields(record, bodies))


class Body:
    """What came of a lane so far: how many reads and bytes, and their digest."""

    def __init__(self) -> None:
        self.reads = 0
        self.bytes = 0
        self.digest = hashlib.sha256()

    def add(self, body: bytes) -> None:
        self.reads += 1
        self.bytes += len(body)
        self.digest.update(body)

    def fields(self) -> dict[str, Any]:
        return {"reads": self.reads, "bytes": self.bytes, "sha256": self.digest.hexdigest()}


def _line(fields: dict[str, Any]) -> bytes:
    return encode(fields).encode() + b"\n"


def _fields(record: Record, bodies: dict[int, Body]) -> dict[str, Any]:
    match record:
        case ReadRecord(lane, read):
            bodies.setdefault(lane, Body()).add(read.body)
            return {"kind": "read", "lane": lane, "read": read.number, "time": read.time, **text_or_base64(read.body)}
        case SessionRecord():
            return _header(record)
        case HeadRecord():
            return _head(record)
        case EndRecord():
            end = {"how": record.end.how, "time": record.end.time, "detail": record.end.detail, "word": record.word}
            return {"kind": "end", "lane": record.lane, **end, **bodies.get(record.lane, Body()).fields()}
        case OpenRecord():
            return {"kind": "open", "lane": record.lane, **bodies.get(record.lane, Body()).fields()}
        case MarkerRecord():
            place = {"lane": record.lane, "from": record.start, "to": record.end}
            return {"kind": "marker", **place, "note": record.note, "created": record.created}
        case Trouble():
            return {"kind": "trouble", "where": record.where, "message": record.message}


def _header(record: SessionRecord) -> dict[str, Any]:
    version = ".".join(map(str, VERSION))
    session = {"title": record.title, "created": record.created, "notes": list(record.notes)}
    return {"format": FORMAT, "version": version, "session": session}


def _head(record: HeadRecord) -> dict[str, Any]:
    head = record.head
    request: dict[str, Any] = {"method": head.method, "url": head.url, "headers": list(head.request_headers)}
    request |= text_or_base64(head.request_body)
    answer = None
    if head.status is not None:
        answer = {"status": head.status, "reason": head.reason, "headers": list(head.headers), "time": head.time}
    said = {"format": record.format, "target": record.target, "model": record.model, "started": head.started}
    return {
        "kind": "head",
        "lane": record.lane,
        **said,
        "request": request,
        "answer": answer,
        "notes": list(record.notes),
    }


def text_or_base64(body: bytes) -> dict[str, str]:
    """{"text": ...} where the bytes are UTF-8, which gives them back bit for bit, else {"base64": ...}."""
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}
