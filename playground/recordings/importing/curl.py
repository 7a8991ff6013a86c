"""What curl printed with -i (status line, headers, body) or -v (`*`, `>` and `<` lines around the body).

Blocks before the last one (100 Continue, redirects, a proxy's own answer) are named in a note. Of -v, where curl's own
lines stand in the midst of the body, they are taken out. https://curl.se/docs/manpage.html#-v
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from playground.reads import End, Read
from playground.recordings.importing.interface import (
    NO_BODY,
    NO_CUTS,
    NO_REQUEST,
    NO_TIMES,
    UNDONE,
    Kind,
    lane_head,
    missing,
    without_coding,
)
from playground.recordings.importing.source import BLOCK, ImportRefused, Source
from playground.recordings.records import EndRecord, HeadRecord, ReadRecord, Record

_STATUS: Final = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: ([^\r\n]*))?\r?\n?$")
_REQUEST: Final = re.compile(rb"> ([A-Z]+) (\S+) HTTP/\d")
_HEADER: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)")
_SECURE: Final = re.compile(rb"\* (?:SSL connection using|TLSv1|ALPN|\(\d+\) \(OUT\), TLS)|\* .* port 443\b")
_CONNECTED: Final = re.compile(rb"\* (?:Connected|Established connection) to ")

# curl's own lines: what it says and its count of bytes; and the meter that it draws when its output goes to a file.
_OWN: Final = re.compile(rb"(?:[*<>](?: [^\r\n]*)?|[{}] \[\d+ bytes data\]| *% Total +%.*| +Dload +Upload.*)\r?\n?$")
_METER: Final = re.compile(rb"\r[ \d]{2,3}(?: +[\d.kMGTP]+){7}(?: +[-:\ddh]+){3} +[\d.kMGTP]{1,5}")
_METER_AT_END: Final = re.compile(rb"(?:" + _METER.pattern + rb")+\n$")
_LEFT: Final = re.compile(
    rb"(?:\* (?:Connection #\d+ to host [^\r\n]{1,300} left intact|Closing connection[^\r\n]{0,20})"
    rb"|[{}] \[\d+ bytes data\])\r?\n?$"
)
_HEADERS: Final = 1000
_LONGEST_HEADER: Final = 1024 * 1024


@dataclass(slots=True)
class Answer:
    """What the lines before a body tell."""

    method: str = ""
    path: str = ""
    host: str = ""
    secure: bool = False
    connected: bool = False
    sent: list[tuple[str, str]] = field(default_factory=list)
    status: int | None = None
    reason: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)
    earlier: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """As much of the address as was told."""
        if not self.path or "://" in self.path:
            return self.path
        scheme = "https://" if self.secure else "http://" if self.connected else ""
        return f"{scheme}{self.host}{self.path}" if self.host else self.path

    def begins(self, status: int, reason: str) -> None:
        """Another answer; one before it that was not the last is named."""
        if self.status is not None:
            self.earlier.append(f"{self.status} {self.reason}".strip())
        self.status, self.reason, self.headers = status, reason, []


def recognises(source: Source) -> bool:
    first = source.text.split(b"\n", 1)[0]
    if _STATUS.match(first + b"\n"):
        return True
    return _is_verbose(source)


def read(source: Source) -> Iterator[Record]:
    """One lane. Raises ImportRefused when there is no answer in it."""
    answer = Answer()
    verbose = _is_verbose(source)
    lines = _without_meter(source.lines()) if verbose else source.lines()
    first = _to_the_body(lines, answer, verbose)
    if answer.status is None:
        raise ImportRefused(
            "no-answer",
            "curl printed this, but there is no answer in it; run curl with -N -i, or with -v, and import all of it.",
        )
    yield _head(answer, verbose)
    body = chain([first] if first else [], lines)
    yield from _reads(_without_own(body) if verbose else body)
    yield EndRecord(0, End("closed"))


def _is_verbose(source: Source) -> bool:
    """The first line is curl's own, and one near it sends or gets something."""
    lines = [_METER.sub(b"", line) for line in source.text[:16_384].split(b"\n")[:200]]
    return _OWN.match(lines[0]) is not None and any(
        _REQUEST.match(line) or _STATUS.match(line[2:].rstrip(b"\r") + b"\n") for line in lines if line[:1] in b"<>"
    )


def _to_the_body(lines: Iterator[bytes], answer: Answer, verbose: bool) -> bytes:
    """Fill in the answer; the first line of the body, b"" when there is none."""
    inside = told = False
    for line in lines:
        if len(line) > _LONGEST_HEADER or len(answer.headers) + len(answer.sent) > _HEADERS:
            raise ImportRefused(
                "no-answer", "Its headers have no end; import all that curl printed, from its first line on."
            )
        if verbose and line[:2] in (b"< ", b"<\n", b"<\r"):
            inside = _head_line(line[2:], answer, inside)
            told = True
        elif verbose and _OWN.match(line):
            _own_line(line, answer)
        elif status := _STATUS.match(line):
            # With -i beside -v the head stands there twice; the second time it says the same.
            if not (told and answer.status == int(status[1])):
                answer.begins(int(status[1]), _text(status[2] or b""))
            inside, told = True, False
            if verbose:
                answer.headers.clear()
        elif inside:
            inside = _head_line(line, answer, inside)
        elif answer.status is not None or (line.strip() and not verbose):
            return line
    return b""


def _head_line(line: bytes, answer: Answer, inside: bool) -> bool:
    """A line of an answer's head; whether it goes on."""
    if status := _STATUS.match(line):
        answer.begins(int(status[1]), _text(status[2] or b""))
        return True
    if header := _HEADER.match(line):
        answer.headers.append((_text(header[1]), _text(header[2]).strip()))
    return inside and line.strip() != b""


def _own_line(line: bytes, answer: Answer) -> None:
    """What curl says of the connection and of what it sent."""
    if request := _REQUEST.match(line):
        answer.method, answer.path, answer.sent = _text(request[1]), _text(request[2]), []
    elif line.startswith(b"> ") and (header := _HEADER.match(line[2:])):
        name, value = _text(header[1]), _text(header[2]).strip()
        answer.sent.append((name, value))
        if name.lower() == "host":
            answer.host = value
    elif _CONNECTED.match(line):
        answer.connected = True
        answer.secure = _SECURE.match(line) is not None
    elif _SECURE.match(line):
        answer.secure = True


def _head(answer: Answer, verbose: bool) -> HeadRecord:
    headers, undone = without_coding(tuple(answer.headers))
    notes = [missing(NO_BODY if answer.method else NO_REQUEST, NO_TIMES, NO_CUTS)]
    if answer.earlier:
        notes.append(f"Answers before this one: {', '.join(answer.earlier[:10])}.")
    if undone:
        notes.append(UNDONE)
    if verbose:
        notes.append("Lines that curl printed among the body were taken out.")
    return lane_head(
        0,
        *notes,
        method=answer.method or "POST",
        url=answer.url,
        request_headers=tuple(answer.sent),
        status=answer.status,
        reason=answer.reason,
        headers=headers,
    )


def _without_meter(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The line end behind a meter is the meter's own."""
    for line in lines:
        if b"\r" in line:
            line = _METER.sub(b"", _METER_AT_END.sub(b"", line))
        if line:
            yield line


def _without_own(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The body's lines; curl's own may also stand right behind a line of the body that had no end."""
    for line in lines:
        if _OWN.match(line):
            continue
        left = _LEFT.search(line[-512:])
        yield line if left is None else line[: max(0, len(line) - 512) + left.start()]


def _reads(lines: Iterator[bytes]) -> Iterator[ReadRecord]:
    number = size = 0
    pieces: list[bytes] = []
    for line in lines:
        pieces.append(line)
        size += len(line)
        if size >= BLOCK:
            number += 1
            yield ReadRecord(0, Read(number, None, b"".join(pieces)))
            pieces, size = [], 0
    if size:
        yield ReadRecord(0, Read(number + 1, None, b"".join(pieces)))


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


KIND = Kind(
    "curl",
    "What curl printed",
    "With -i: status and headers beside the body. With -v: the request's headers too; keys in them are masked.",
    recognises,
    read,
)
