"""A HAR file, as browsers and proxies save it: its event streams become lanes.

Chrome keeps when each event was seen (`_eventSourceMessages`): the body is then cut at its events, with those times.
http://www.softwareishard.com/blog/har-12-spec/
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from playground.formats.interface import parse
from playground.reads import End, Headers, Read
from playground.recordings.importing.entries import Entries
from playground.recordings.importing.har_body import Message, body_reads
from playground.recordings.importing.interface import UNDONE, Kind, lane_head, without_coding
from playground.recordings.importing.source import ImportRefused, Source
from playground.recordings.records import EndRecord, ReadRecord, Record, SessionRecord, Trouble

_LOG: Final = re.compile(rb'"log"\s*:\s*\{')
_LONGEST: Final = 64 * 1024 * 1024
_LANES: Final = 12
_STREAMS: Final = ("text/event-stream", "application/x-ndjson")
_BEGINS: Final = re.compile(r"\s{0,20}(?:data|event|id|retry)?:")
_SAVE: Final = 'In the browser\'s network panel choose "Save all as HAR with content" while the request is in the list.'


def recognises(source: Source) -> bool:
    if source.text[:1] != b"{":
        return False
    return _LOG.search(source.text[:4096]) is not None or (source.ends(".har") and b'"entries"' in source.text)


def read(source: Source) -> Iterator[Record]:
    """A lane for each event stream. Raises ImportRefused when there is none with a body."""
    entries = Entries(source.blocks(65_536, source.most), b"entries", _LONGEST)
    lanes = seen = left_out = 0
    bodiless: list[str] = []
    yield SessionRecord()
    for number, text in enumerate(entries, 1):
        seen = number
        entry = _object(parse(text.decode(errors="replace")))
        if not _is_stream(entry):
            continue
        if lanes == _LANES:
            left_out += 1
            continue
        records = list(_lane(lanes, entry, number, bodiless))
        yield from records
        lanes += any(not isinstance(record, Trouble) for record in records)
    if entries.too_long:
        yield Trouble(
            f"entry {seen + 1}", f"It is larger than {_LONGEST // 1024**2} MB; it and what follows is left out."
        )
    elif not entries.over:
        yield Trouble(f"behind entry {seen}", "The file breaks off here.")
    if left_out:
        yield Trouble("further entries", f"{left_out} more event streams were left out; save fewer requests in a file.")
    if lanes == 0:
        raise _nothing(seen, bodiless)


def _nothing(seen: int, bodiless: list[str]) -> ImportRefused:
    if bodiless:
        said = f' ("{bodiless[0]}")' if bodiless[0] else ""
        return ImportRefused("no-body", f"The HAR file has the request but not the body of its answer{said}. {_SAVE}")
    if seen == 0:
        return ImportRefused("no-entries", f"There is no entry in this HAR file. {_SAVE}")
    return ImportRefused("no-streams", f"None of the {seen} entries of this HAR file is an event stream. {_SAVE}")


def _is_stream(entry: dict[str, Any]) -> bool:
    response = _object(entry.get("response"))
    content = _object(response.get("content"))
    kinds = [_text(content.get("mimeType")), dict(_headers(response, lower=True)).get("content-type", "")]
    if any(kind.strip().lower().startswith(_STREAMS) for kind in kinds) or _messages(entry):
        return True
    return not any(kinds) and _BEGINS.match(_text(content.get("text"))) is not None


def _lane(lane: int, entry: dict[str, Any], number: int, bodiless: list[str]) -> Iterator[Record]:
    request, response = _object(entry.get("request")), _object(entry.get("response"))
    content = _object(response.get("content"))
    try:
        body = _body(content)
    except ValueError:
        yield Trouble(f"entry {number}", "Its body is said to be base64 and is none: it is left out.")
        bodiless.append("")
        return
    started, written, waited = _begun(entry)
    messages = [Message(time - written if time is not None else None, *rest) for time, *rest in _messages(entry)]
    if any(message.time is not None and message.time < 0 for message in messages):
        messages = [
            message._replace(time=message.time + written if message.time is not None else None) for message in messages
        ]
        written = 0
    if not body and not messages:
        comment = _text(content.get("comment"))[:200]
        bodiless.append(comment)
        yield Trouble(f"entry {number}", f"The file has no body for this answer: it is left out. {comment}".strip())
        return
    reads, notes = body_reads(body, messages)
    headers, undone = without_coding(_headers(response))
    status = response.get("status")
    yield lane_head(
        lane,
        *notes,
        *([UNDONE] if undone else []),
        method=_text(request.get("method")) or "POST",
        url=_text(request.get("url")),
        request_headers=_headers(request),
        request_body=_text(_object(request.get("postData")).get("text")).encode(errors="replace"),
        started=started + written / 1e6 if started is not None else None,
        status=status if type(status) is int and 100 <= status < 1000 else None,
        reason=_text(response.get("statusText")),
        headers=headers,
        time=waited,
    )
    last = None
    for index, (time, piece) in enumerate(reads, 1):
        last = time if time is not None else last
        yield ReadRecord(lane, Read(index, time, piece))
    yield EndRecord(lane, End("closed", last))


def _body(content: dict[str, Any]) -> bytes:
    """Raises ValueError when it is no base64."""
    text = _text(content.get("text"))
    if content.get("encoding") != "base64":
        return text.encode(errors="replace")
    try:
        return base64.b64decode(text, validate=False)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _begun(entry: dict[str, Any]) -> tuple[float | None, int, int | None]:
    """Wall clock of the entry's start, microseconds until the request was written, and from there to the answer."""
    timings = _object(entry.get("timings"))
    before = [_milliseconds(timings.get(name)) or 0 for name in ("blocked", "dns", "connect", "send")]
    return _wall(entry.get("startedDateTime")), sum(before), _milliseconds(timings.get("wait"))


def _messages(entry: dict[str, Any]) -> list[Message]:
    """Chrome's events with their times in microseconds since the entry's start."""
    listed = entry.get("_eventSourceMessages")
    started = _wall(entry.get("startedDateTime"))
    found = []
    for each in listed if isinstance(listed, list) else []:
        each = _object(each)
        data = each.get("data")
        if isinstance(data, str):
            at = _wall(each.get("time"))
            time = round((at - started) * 1e6) if at is not None and started is not None else None
            name = _text(each.get("eventName"))
            found.append(Message(time, data, "" if name == "message" else name, _text(each.get("eventId"))))
    return found


def _wall(value: Any) -> float | None:
    """Seconds since 1970, of a number of seconds or an ISO date."""
    if type(value) in (int, float):
        return float(value) if 0 <= value < 2**37 else None
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None


def _milliseconds(value: Any) -> int | None:
    """Microseconds of a time in milliseconds; None for what is unknown, which is -1 in a HAR file."""
    if type(value) not in (int, float) or not 0 <= value < 1e10:
        return None
    return round(value * 1000)


def _headers(message: dict[str, Any], *, lower: bool = False) -> Headers:
    """Headers but HTTP/2's own (:path)."""
    listed = message.get("headers")
    pairs = [
        (_text(each.get("name")), _text(each.get("value")))
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and _text(each.get("name")).strip(":") == _text(each.get("name"))
    ]
    return tuple((name.lower() if lower else name, value) for name, value in pairs if name)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


KIND = Kind(
    "har",
    "A HAR file",
    "Saved by a browser or a proxy: each event stream in it becomes a lane, with Chrome's event times if there.",
    recognises,
    read,
)
