"""HAR 1.2: an entry a lane, with the body and, as Chrome writes them, the events and their times.

http://www.softwareishard.com/blog/har-12-spec/ asks for what a stream may not have (an answer's status, times): 0, and
-1 for "does not apply", stand there.
"""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playground.messages import encode
from playground.reads import Head, Headers
from playground.recordings.exporting.interface import Kind, Taken, TakenLane, decoded, request_of
from playground.recordings.exporting.pieces import base64_pieces, json_text_pieces
from playground.recordings.exporting.rows import rows
from playground.recordings.records import EndRecord, ReadRecord

CREATOR = {"name": "Stream Playground", "version": "0.1"}
HTTP = "HTTP/1.1"


def write(taken: Taken) -> Iterator[bytes]:
    log: dict[str, Any] = {"version": "1.2", "creator": CREATOR, "comment": taken.title}
    yield f'{{"log":{encode(log)[:-1]},"entries":['.encode()
    for number, lane in enumerate(taken.lanes):
        yield b"," if number else b""
        yield from _entry(taken, lane)
    yield b"]}}\n"


@dataclass(slots=True)
class _Measured:
    """What stands in front of a body and is known behind it. `last`: microseconds, None when no time is known."""

    wire: int = 0
    size: int = 0
    text: bool = True
    last: int | None = None
    over: bool = False
    detail: str = ""


def _entry(taken: Taken, lane: TakenLane) -> Iterator[bytes]:
    head = request_of(taken, lane).head
    began = head.started or taken.created or 0.0
    measured = _measure(taken, lane)
    entry: dict[str, Any] = {"startedDateTime": _moment(began), **_times(head, measured), "_resourceType": "fetch"}
    entry |= {"request": _request(head), "cache": {}, "comment": _comment(lane, measured)}
    response = _response(head, measured)
    content = {"size": measured.size, "mimeType": head.header("content-type") or "x-unknown"}
    if not measured.text:
        content["encoding"] = "base64"
    yield f'{encode(entry)[:-1]},"response":{encode(response)[:-1]},"content":{encode(content)[:-1]},"text":"'.encode()
    pieces = json_text_pieces if measured.text else base64_pieces
    yield from pieces(_first(decoded(taken, lane), measured.size))
    yield b'"}},"_eventSourceMessages":['
    yield from _messages(taken, lane, began)
    yield b"]}"


def _measure(taken: Taken, lane: TakenLane) -> _Measured:
    measured = _Measured(last=lane.head.time)
    utf8 = codecs.getincrementaldecoder("utf-8")()
    for record in taken.read(lane.number):
        if isinstance(record, ReadRecord):
            measured.wire += len(record.read.body)
            measured.last = record.read.time if record.read.time is not None else measured.last
        elif isinstance(record, EndRecord):
            measured.over, measured.detail = True, record.end.detail
            measured.last = record.end.time if record.end.time is not None else measured.last
    for piece in decoded(taken, lane):
        measured.size += len(piece)
        if measured.text:
            measured.text = _is_text(utf8, piece)
    measured.text = measured.text and _is_text(utf8, b"", final=True)
    return measured


def _is_text(utf8: codecs.IncrementalDecoder, piece: bytes, *, final: bool = False) -> bool:
    try:
        utf8.decode(piece, final)
    except UnicodeDecodeError:
        return False
    return True


def _first(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """So many bytes: a lane that streams may have brought more meanwhile."""
    for piece in pieces:
        yield piece[:size]
        size -= min(len(piece), size)
        if size == 0:
            return


def _messages(taken: Taken, lane: TakenLane, began: float) -> Iterator[bytes]:
    """Chrome gives the time in seconds since 1970 and the name `message` to an event without one."""
    separator = ""
    for _, row in rows(taken.only(lane)):
        if row.kind != "event":
            continue
        message: dict[str, Any] = {} if row.time is None else {"time": began + row.time / 1e6}
        message |= {"eventName": row.name or "message", "eventId": row.id or "", "data": row.data}
        yield f"{separator}{encode(message)}".encode()
        separator = ","


def _times(head: Head, measured: _Measured) -> dict[str, Any]:
    """In milliseconds. `time` is the sum of the phases that are known."""
    wait = -1.0 if head.time is None else head.time / 1000
    receive = -1.0 if measured.last is None or head.time is None else max(0, measured.last - head.time) / 1000
    phases = {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": wait, "receive": receive}
    return {"time": max(wait, 0) + max(receive, 0), "timings": phases}


def _comment(lane: TakenLane, measured: _Measured) -> str:
    if not measured.over:
        return "The stream was still running when this file was written: this is what had come."
    return measured.detail


def _request(head: Head) -> dict[str, Any]:
    request: dict[str, Any] = {
        "method": head.method,
        "url": head.url,
        "httpVersion": HTTP,
        "cookies": [],
        "headers": _pairs(head.request_headers),
        "queryString": [{"name": name, "value": value} for name, value in parse_qsl(urlsplit(head.url).query, True)],
        "headersSize": -1,
        "bodySize": len(head.request_body),
    }
    if head.request_body:
        kind = next((value for name, value in head.request_headers if name.lower() == "content-type"), "")
        request["postData"] = {"mimeType": kind, **_post(head.request_body)}
    return request


def _post(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode(), "comment": "The text is base64: the body is no UTF-8."}


def _response(head: Head, measured: _Measured) -> dict[str, Any]:
    return {
        "status": head.status or 0,
        "statusText": head.reason,
        "httpVersion": HTTP,
        "cookies": [],
        "headers": _pairs(head.headers),
        "redirectURL": head.header("location"),
        "headersSize": -1,
        "bodySize": measured.wire,
    }


def _pairs(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


HAR = Kind(
    name="har",
    title="HAR",
    purpose="Requests and answers with event times, as browsers save them. For DevTools, proxies and API clients.",
    suffix=".har",
    media_type="application/json",
    write=write,
)
