"""Events as JSON, one object a line or one list of objects: an event stream is made of them, and a note says so.

An object is an event's data itself, or has it as `data` (text, or JSON) beside `event`, `id`, `lane` and `time`, as
Export writes them: see docs/recording-format.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from playground.formats.interface import compact, parse
from playground.formats.ollama import Ollama
from playground.reads import End, Read
from playground.recordings.importing import body
from playground.recordings.importing.interface import NO_HEAD, NO_REQUEST, NO_TIMES, Kind, lane_head, missing
from playground.recordings.importing.source import LONGEST_LINE, ImportRefused, Source
from playground.recordings.records import EndRecord, ReadRecord, Record, Trouble
from playground.sse.writer import write_event

MADE: Final = (
    "The bytes were made from events that were kept as JSON: an event a read. What is no event (comments, ignored "
    "lines) and how the lines were written is not known."
)
_ENDINGS: Final = (".jsonl", ".ndjson")
_DONE: Final = frozenset({b"[DONE]", b'"[DONE]"', b"data: [DONE]"})
_WRAPPED: Final = frozenset({"data", "event", "type", "name", "id", "lane", "row", "time", "retry", "read", "kind"})
_TROUBLES: Final = 20
_LANES: Final = 12


def recognises(source: Source) -> bool:
    text = source.text
    if text[:1] == b"[":
        return text[1:].lstrip()[:1] == b"{"
    first, _, rest = text.partition(b"\n")
    value = parse(first.decode(errors="replace"))
    if not isinstance(value, dict) or Ollama.recognises(value):
        return False
    if source.ends(*_ENDINGS) or _is_wrapped(value):
        return True
    return rest.strip() != b"" and not body.has_fields(source)


def read(source: Source) -> Iterator[Record]:
    """A lane for each `lane`, 0 where there is none. Raises ImportRefused when no line is an event."""
    numbers: dict[int, int] = {}
    last: dict[int, int | None] = {}
    troubles = 0
    for where, value in _values(source):
        event = _event(value)
        if event is None:
            troubles += 1
            if troubles <= _TROUBLES:
                yield Trouble(where, "It is no event as JSON and was left out.")
            continue
        lane, time, content = event
        if lane not in numbers:
            timed = () if time is not None else (NO_TIMES,)
            yield lane_head(lane, missing(NO_REQUEST, NO_HEAD, *timed), MADE)
        numbers[lane] = numbers.get(lane, 0) + 1
        last[lane] = time if time is not None else last.get(lane)
        yield ReadRecord(lane, Read(numbers[lane], time, content))
    if not numbers:
        raise ImportRefused(
            "no-events", 'None of its lines is an event as JSON; import lines such as {"data": …} or the raw body.'
        )
    if troubles > _TROUBLES:
        yield Trouble("further lines", f"{troubles - _TROUBLES} more are no events as JSON and were left out.")
    for lane in numbers:
        yield EndRecord(lane, End("closed", last[lane]))


def _values(source: Source) -> Iterator[tuple[str, Any]]:
    """What stands in each line (or at each place of the list), and where."""
    if source.text[:1] == b"[":
        for number, value in enumerate(_list(source.all(LONGEST_LINE)), 1):
            yield f"entry {number}", value
        return
    for number, line in enumerate(source.lines(), 1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        if text in _DONE:
            yield f"line {number}", "[DONE]"
        elif text:
            yield f"line {number}", _Line(text, parse(text.decode(errors="replace")))


def _list(text: bytes) -> Iterable[Any]:
    try:
        return list(json.loads(text.removeprefix(b"\xef\xbb\xbf")))
    except (ValueError, RecursionError, TypeError):
        raise ImportRefused(
            "invalid-json", "It begins like a list of events as JSON, and is none; check where it ends."
        ) from None


class _Line:
    """A line and its value: where the value is the event's data, the line's own bytes are kept."""

    def __init__(self, text: bytes, value: Any) -> None:
        self.text = text
        self.value = value


def _event(entry: Any) -> tuple[int, int | None, bytes] | None:
    """(lane, time, bytes of the event), None when it is none."""
    line, value = (entry.text, entry.value) if isinstance(entry, _Line) else (b"", entry)
    if value == "[DONE]":
        return 0, None, b"data: [DONE]\n\n"
    if not isinstance(value, dict):
        return None
    if not _is_wrapped(value):
        name = value.get("type")
        text = line.decode(errors="replace") if line else compact(value)
        return 0, None, _written(text, name if isinstance(name, str) else "", None)
    data = value["data"]
    lane, time = value.get("lane", 0), value.get("time")
    if type(lane) is not int or not 0 <= lane < _LANES:
        return None
    name = value.get("event", value.get("name", ""))
    text = data if isinstance(data, str) else compact(data)
    # A time without `row` is not ours: nobody says since when, and in what unit.
    known = type(time) is int and 0 <= time < 2**53 and "row" in value
    return lane, time if known else None, _written(text, name, value.get("id"))


def _is_wrapped(value: dict[str, Any]) -> bool:
    return "data" in value and value.keys() <= _WRAPPED


def _written(data: str, name: Any, id: Any) -> bytes:
    try:
        return write_event(data, name if isinstance(name, str) else "", id if isinstance(id, str) and id else None)
    except ValueError:
        return write_event(data)


KIND = Kind(
    "jsonl",
    "Events as JSON lines",
    'An event\'s data a line, or {"event", "data"}. The bytes of the stream are made anew from them.',
    recognises,
    read,
)
