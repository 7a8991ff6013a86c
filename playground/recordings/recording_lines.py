"""The lines of a recording file in, records out; docs/recording-format.md describes them. Called by importing/.

What is damaged becomes a Trouble that names the line, all the rest is kept; unknown fields and kinds are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from playground.formats.interface import parse
from playground.reads import End, Head, Read
from playground.recordings.fields import Damaged, Fields
from playground.recordings.recording_file import FORMAT, VERSION, Body
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

LONGEST_LINE: Final = 64 * 1024 * 1024
VERSION_NUMBERS: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")
NO_REQUEST: Final = Head("", "", (), b"")


def is_recording(line: bytes) -> bool:
    """Whether a file's first line is the header of a recording file."""
    found = parse(line.decode(errors="replace"))
    return isinstance(found, dict) and found.get("format") == FORMAT


def read_recording(file: BinaryIO) -> Iterator[Record]:
    """The records of a file, line by line. A file whose first line is no header is read as far as its lines go."""
    lines = Lines()
    number = 0
    begun = False
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST_LINE:
                _skip(file, line)
                raise Damaged(f"The line is longer than {LONGEST_LINE // 1024**2} MB.")
            yield from lines.read(line, first=not begun)
        except Damaged as damaged:
            if not begun:
                yield SessionRecord()
            yield Trouble(f"line {number}", f"{damaged} The line is left out.")
        begun = True
        yield from lines.troubles(number)
    if not begun:
        yield SessionRecord()
        yield Trouble("line 1", "The file is empty.")
    yield from lines.over(number)


def _skip(file: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = file.readline(LONGEST_LINE)


class _Lane:
    """`number`: of the last read in the file; `body`: what was given on of it."""

    def __init__(self) -> None:
        self.number = 0
        self.body = Body()
        self.over = False


class Lines:
    """What is known of the file behind each of its lines."""

    def __init__(self) -> None:
        self._lanes: dict[int, _Lane] = {}
        self._said: list[str] = []
        self._newer = False

    def read(self, line: bytes, *, first: bool) -> Iterator[Record]:
        """The records of one line. Raises Damaged."""
        try:
            found = parse(line.decode("utf-8-sig" if first else "utf-8"))
        except UnicodeDecodeError as error:
            raise Damaged(f"Byte {error.start + 1} of the line is no UTF-8.") from None
        if not isinstance(found, dict):
            cut = "It is cut off: it" if not line.endswith(b"\n") else "It"
            raise Damaged(f"{cut} is no JSON object.")
        fields = Fields(found)
        if first:
            yield self._header(fields)
            if "kind" not in found:
                return
        match fields.text("kind"):
            case "read":
                yield from self._read(fields)
            case "head":
                yield self._head(fields)
            case "end":
                yield from self._end(fields)
            case "open":
                lane = self._lane(fields)
                self._check(fields)
                lane.over = True
                yield OpenRecord(fields.count("lane"))
            case "marker":
                yield MarkerRecord(
                    fields.count("lane"),
                    fields.count("from"),
                    fields.count("to"),
                    fields.text("note"),
                    fields.seconds("created"),
                )
            case "trouble":
                yield Trouble(fields.text("where"), fields.text("message"))
            case kind if not self._newer:
                raise Damaged(f'"kind" is none that version {VERSION[0]}.{VERSION[1]} has: {kind[:40]!r}.')

    def troubles(self, number: int) -> Iterator[Trouble]:
        """What was wrong with line `number` and did not stop it from being read."""
        for message in self._said:
            yield Trouble(f"line {number}", message)
        self._said = []

    def over(self, number: int) -> Iterator[Record]:
        """The file is over behind line `number`: lanes without end are told."""
        for index, lane in self._lanes.items():
            if not lane.over:
                yield Trouble(
                    f"behind line {number}",
                    f"The file is over before lane {index} ends: what came behind read {lane.number} is missing.",
                )
                yield OpenRecord(index)

    def _header(self, fields: Fields) -> SessionRecord:
        if "kind" in fields.found:
            self._said.append("The file has no header: its version and title are unknown.")
            return SessionRecord()
        if fields.found.get("format") != FORMAT:
            raise Damaged(f'It is no header: "format" is not "{FORMAT}".')
        version = fields.text("version")
        numbers = VERSION_NUMBERS.fullmatch(version)
        if numbers is None:
            self._said.append(f'"version" is no version: {version[:40]!r}. The file is read as version {VERSION[0]}.')
        else:
            major, minor = int(numbers[1]), int(numbers[2])
            self._newer = (major, minor) > VERSION
            if major > VERSION[0]:
                self._said.append(
                    f"The file has version {version}, this playground reads version {VERSION[0]}: what it does not "
                    "know is left out. A newer playground reads all of it."
                )
        session = fields.inner("session")
        return SessionRecord(session.text("title"), session.seconds("created"), session.texts("notes"))

    def _lane(self, fields: Fields) -> _Lane:
        """The lane that a line is about. Raises Damaged when nothing may follow in it."""
        number = fields.count("lane")
        lane = self._lanes.get(number)
        if lane is None:
            raise Damaged(f"Lane {number} has no head above.")
        if lane.over:
            raise Damaged(f"Lane {number} has its end above.")
        return lane

    def _head(self, fields: Fields) -> HeadRecord:
        number = fields.count("lane")
        if number in self._lanes:
            raise Damaged(f"Lane {number} has a head above.")
        request, answer = fields.inner("request"), fields.inner("answer")
        head = Head(
            method=request.text("method"),
            url=request.text("url"),
            request_headers=request.pairs("headers"),
            request_body=request.body(),
            started=fields.seconds("started"),
            status=answer.count("status") if answer.found else None,
            reason=answer.text("reason"),
            headers=answer.pairs("headers"),
            time=answer.time("time"),
        )
        names = fields.text("format"), fields.text("target"), fields.text("model")
        record = HeadRecord(number, *names, head, fields.texts("notes"))
        self._lanes[number] = _Lane()
        return record

    def _read(self, fields: Fields) -> Iterator[Record]:
        number = fields.count("lane")
        if number not in self._lanes:
            self._lanes[number] = _Lane()
            self._said.append(f"Lane {number} has no head above: its request, status and headers are unknown.")
            yield HeadRecord(number, "", "", "", NO_REQUEST)
        lane = self._lane(fields)
        read = fields.count("read")
        if read <= lane.number:
            raise Damaged(f"Read {read} of lane {number} comes behind read {lane.number}.")
        time, body = fields.time("time"), fields.body()
        if read > lane.number + 1:
            missing = f"Read {lane.number + 1}" if read == lane.number + 2 else f"Reads {lane.number + 1} to {read - 1}"
            self._said.append(f"{missing} of lane {number} missing above: the next one is joined to what came before.")
        lane.number = read
        lane.body.add(body)
        yield ReadRecord(number, Read(lane.body.reads, time, body))

    def _end(self, fields: Fields) -> Iterator[Record]:
        lane = self._lane(fields)
        how, detail = fields.how(), fields.text("detail")
        if how is None:
            self._said.append(f'"how" is none of the ways in which a lane ends: {fields.text("how")[:40]!r}.')
        end = End(how or "interrupted", fields.time("time"), detail)
        self._check(fields)
        lane.over = True
        yield EndRecord(fields.count("lane"), end, fields.text("word"), fields.text("sha256"))

    def _check(self, fields: Fields) -> None:
        """Whether what was read is what was written."""
        number = fields.count("lane")
        body = self._lanes[number].body
        wanted = fields.text("sha256")
        if wanted and wanted != body.digest.hexdigest():
            was = f"{fields.count('bytes')} bytes in {fields.count('reads')} reads were recorded"
            self._said.append(
                f"The bytes of lane {number} are not those that were recorded: {was}, "
                f"{body.bytes} in {body.reads} are here, or some were changed."
            )
