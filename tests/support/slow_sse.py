"""A second SSE reader, written from the standard's text as plainly as possible. Judges sse/parser.py; shares no code.

It has the whole body, looks at one byte at a time and knows nothing of reads.
"""

from __future__ import annotations

from typing import NamedTuple


class Found(NamedTuple):
    """A row, in the fields that do not depend on reads."""

    number: int
    kind: str
    start: int
    end: int
    name: str
    data: str
    id: str | None


class Line(NamedTuple):
    start: int
    content: bytes
    end: int  # behind the first byte of its line end
    ender: str  # "LF", "CRLF", "CR", or "" for a line that the body's end cut off


def lines(body: bytes, position: int) -> list[Line]:
    found = []
    start = position
    while position < len(body):
        byte = body[position : position + 1]
        if byte == b"\r" and body[position + 1 : position + 2] == b"\n":
            found.append(Line(start, body[start:position], position + 1, "CRLF"))
            start = position = position + 2
        elif byte in (b"\r", b"\n"):
            found.append(Line(start, body[start:position], position + 1, "CR" if byte == b"\r" else "LF"))
            start = position = position + 1
        else:
            position += 1
    if start < len(body):
        found.append(Line(start, body[start:], len(body), ""))
    return found


def text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def read(body: bytes) -> list[Found]:
    rows: list[Found] = []

    def add(kind: str, start: int, end: int, name: str, data: str, id: str | None = None) -> None:
        rows.append(Found(len(rows) + 1, kind, start, end, name, data, id))

    block: int | None = None
    name, id = "", None
    values: list[str] = []
    for line in lines(body, 3 if body.startswith(b"\xef\xbb\xbf") else 0):
        if line.ender == "":
            start = line.start if block is None else block
            add("tail", start, len(body), name, text(body[start:]))
            return rows
        if line.content == b"":
            if block is not None:
                if values:
                    add("event", block, line.end, name, "\n".join(values), id)
                else:
                    add("block", block, line.end, name, text(body[block : line.end]))
            block, name, id, values = None, "", None, []
            continue
        if line.content.startswith(b":"):
            add("comment", line.start, line.end, "", text(line.content[1:]))
            continue
        field, _, value = text(line.content).partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            values.append(value)
        elif field == "event":
            name = value
        elif field == "id" and "\0" not in value:
            id = value
        elif field == "retry" and value != "" and all(character in "0123456789" for character in value):
            pass
        else:
            add("ignored", line.start, line.end, field, text(line.content))
            continue
        if block is None:
            block = line.start
    if block is not None:
        add("tail", block, len(body), name, text(body[block:]))
    return rows


def line_ends(body: bytes) -> tuple[int, int, int]:
    """How many lines LF, CRLF and CR end."""
    enders = [line.ender for line in lines(body, 0)]
    return enders.count("LF"), enders.count("CRLF"), enders.count("CR")


def invalid_spans(body: bytes) -> list[tuple[int, int]]:
    """The maximal subparts that are no UTF-8, by the table of well-formed byte sequences (Unicode, table 3-7)."""
    spans = []
    position = 0
    while position < len(body):
        lead = body[position]
        if lead < 0x80:
            position += 1
            continue
        low, high, more = 0x80, 0xBF, 0
        if 0xC2 <= lead <= 0xDF:
            more = 1
        elif 0xE0 <= lead <= 0xEF:
            more = 2
            low, high = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F)}.get(lead, (low, high))
        elif 0xF0 <= lead <= 0xF4:
            more = 3
            low, high = {0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}.get(lead, (low, high))
        end = position + 1
        taken = 0
        while taken < more and end < len(body) and low <= body[end] <= high:
            low, high = 0x80, 0xBF
            end += 1
            taken += 1
        if more == 0 or taken < more:
            spans.append((position, end))
        position = end
    return spans
