"""Body bytes in, rows out: server-sent events by the WHATWG rules, the same rows however the body is cut.

Called by pipeline.py with what each read brought. Whole blocks in the shapes that nearly all servers send take a short
way (`_blocks`); everything else goes line by line (`_lines`), which is the rules as they are written.
https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

from __future__ import annotations

from typing import Final, NamedTuple

from playground.sse.blocks import GAPS, Names, windows
from playground.sse.rows import Row
from playground.sse.text import Text

BOM: Final = b"\xef\xbb\xbf"
LF: Final = 0x0A
CR: Final = 0x0D
NOWHERE: Final = -1

SMALL: Final = 1 << 12


class LineEnds(NamedTuple):
    """How many lines were ended by each of the three line ends."""

    lf: int
    crlf: int
    cr: int


class Parser:
    """One body's reader. Offsets count the bytes that were fed, a leading BOM included.

    `count` is the number of rows so far, `leading_bom` whether the body starts with one; `text` knows what was no
    UTF-8 (sse/text.py).
    """

    def __init__(self) -> None:
        self.count = 0
        self.leading_bom = False
        self.text = Text()
        self._read = 0
        self._time: int | None = None
        self._offset = 0  # of the next byte that will be fed
        self._lf = self._crlf = self._cr = 0
        self._between = False  # between two blocks with nothing kept: where the short way may begin
        self._begun = False  # no leading BOM can come any more
        self._after_cr = False  # an LF that comes next belongs to the line end before it
        self._block = NOWHERE  # where the first field line of the open block starts
        self._line = NOWHERE  # where the unfinished line starts
        # The bytes of earlier reads from the start of the open block, else of the unfinished line. A bytearray,
        # because appending to it takes linear time.
        self._kept = bytearray()
        self._kept_from = 0
        self._name = ""
        self._id: str | None = None
        self._values: list[str] = []
        self._names = {line_end: Names(line_end) for line_end in GAPS}

    @property
    def line_ends(self) -> LineEnds:
        return LineEnds(self._lf, self._crlf, self._cr)

    def feed(self, body: bytes, read: int, time: int | None) -> list[Row]:
        """The rows that these bytes complete. `read` and `time` (microseconds) are those of their read."""
        self._read = read
        self._time = time
        base = self._offset
        self._offset = base + len(body)
        if (
            self._line != NOWHERE
            and self._block == NOWHERE
            and self._begun
            and LF in body
            and len(self._kept) + len(body) <= SMALL
        ):
            # Nothing but an unfinished line is kept: as if it had come with this read.
            body = bytes(self._kept) + body
            base = self._line
            self._line = NOWHERE
            self._kept.clear()
            self._between = True
        # Numbers, because `b"\r" in body` costs an exception inside of the interpreter.
        line_end = "\r\n" if CR in body else "\n"
        if self._between and line_end == "\n" and len(body) <= SMALL:
            row = self._lone(body, base)
            if row is not None:
                return [row]
        rows: list[Row] = []
        position = 0 if self._between else self._resume(body, base, line_end, rows)
        if self._between:
            position = self._blocks(body, base, position, line_end, rows)
            if position < len(body):
                self._lines(body, base, position, len(body), rows)
                self._keep(body, base)
        return rows

    def end(self) -> list[Row]:
        """The body is over. What stands there without its line end or its blank line is one row, dispatched never."""
        start = self._line if self._block == NOWHERE else self._block
        if start == NOWHERE:
            return []
        raw = bytes(self._kept)
        if self._line != NOWHERE:
            self.text.decode(raw[self._line - start :], self._line)
        self._block = self._line = NOWHERE
        self.count += 1
        text = raw.decode("utf-8", "replace")
        return [Row(self.count, "tail", start, self._offset, self._read, self._time, self._name, text)]

    def _resume(self, body: bytes, base: int, line_end: str, rows: list[Row]) -> int:
        """Go on where the read before ended, until two line ends end the block. Answers how far that is."""
        position = 0
        if not self._begun:
            position = self._skip_bom(body)
            if not self._begun:
                return position
        if self._after_cr and body:
            self._after_cr = False
            if body[0] == LF:
                self._cr -= 1
                self._crlf += 1
                position = 1
        if self._block != NOWHERE or self._line != NOWHERE:
            before, cut, _ = body.partition(GAPS[line_end].cut)
            stop = len(before) + len(cut)
            self._lines(body, base, position, stop, rows)
            position = stop
        self._keep(body, base)
        return position

    def _skip_bom(self, body: bytes) -> int:
        """How many bytes at the front of `body` are a leading BOM's. Until it is whole they are an unfinished line."""
        expected = BOM[len(self._kept) : len(self._kept) + len(body)]
        if not body.startswith(expected):
            self._begun = True
            return 0
        self._kept += expected
        if len(self._kept) == len(BOM):
            self._begun = self.leading_bom = True
            self._kept.clear()
            self._line = NOWHERE
        elif self._kept:
            self._line = 0
        return len(expected)

    def _keep(self, body: bytes, base: int) -> None:
        """Keep of this read what the next one may need."""
        start = self._line if self._block == NOWHERE else self._block
        self._between = start == NOWHERE and not self._after_cr
        if start == NOWHERE:
            self._kept.clear()
        elif start < base:
            self._kept += body
        else:
            self._kept = bytearray(body[start - base :])
            self._kept_from = start

    def _lone(self, body: bytes, base: int) -> Row | None:
        """The shortest way: the read is one event of one data line, as most reads of a live stream are."""
        try:
            before, _, value = body.decode().partition("data: ")
        except UnicodeDecodeError:
            return None
        value, _, rest = value.partition("\n")
        name = self._names["\n"].get(before)
        if name is None or rest != "\n":
            return None
        self._lf += 3 if before else 2
        self.count += 1
        return Row(self.count, "event", base, self._offset, self._read, self._time, name, value)

    def _blocks(self, body: bytes, base: int, position: int, line_end: str, rows: list[Row]) -> int:
        """The short way: split at two line ends, as long as there are some. Answers where the last one ends.

        Two line ends of one kind end a block whatever stands before them. A block of one data line, with at most an
        event line before it, is taken apart here.
        """
        separator, cut, gap, after = GAPS[line_end]
        read, time, names = self._read, self._time, self._names[line_end]
        lines = 0
        for window in windows(body, position, cut):
            start = base + position
            position += len(window) + gap
            try:
                text = window.decode()
            except UnicodeDecodeError:
                self._lines(body, base, start - base, position, rows)
                continue
            pieces = text.split(separator)
            for piece, raw in zip(pieces, pieces if len(text) == len(window) else window.split(cut)):  # noqa: B905
                end = start + len(raw)
                before, found, value = piece.partition("data: ")
                name = names.get(before) if found else None
                if name is None:
                    before, found, value = piece.partition("data:")
                    value = value.removeprefix(" ")
                    name = names.learn(before) if found else None
                if name is None or "\n" in value or (after == 3 and "\r" in value):
                    self._lines(body, base, start - base, end + gap - base, rows)
                else:
                    lines += 3 if before else 2
                    self.count = number = self.count + 1
                    rows.append(Row(number, "event", start, end + after, read, time, name, value))
                start = end + gap
        if line_end == "\n":
            self._lf += lines
        else:
            self._crlf += lines
        return position

    def _lines(self, body: bytes, base: int, position: int, stop: int, rows: list[Row]) -> None:
        """The long way, line by line from `position` to `stop`."""
        end = base + position
        for raw in body[position:stop].splitlines(keepends=True):
            start = end
            end += len(raw)
            last = raw[-1]
            row_end = end
            if last == LF:
                if raw[-2:] == b"\r\n":
                    self._crlf += 1
                    row_end -= 1
                    line = raw[:-2]
                else:
                    self._lf += 1
                    line = raw[:-1]
            elif last == CR:
                self._cr += 1
                self._after_cr = end == base + len(body)
                line = raw[:-1]
            else:
                if self._line == NOWHERE:
                    self._line = start
                return
            if self._line != NOWHERE:
                start = self._line
                line = bytes(self._kept[start - self._kept_from :]) + line
                self._line = NOWHERE
            if line:
                self._take(line, start, row_end, rows)
            elif self._block != NOWHERE:
                self._dispatch(body, base, row_end, rows)

    def _take(self, line: bytes, start: int, end: int, rows: list[Row]) -> None:
        """A line that is not blank: a field of the open block, or a row of its own."""
        field, _, value = line.partition(b":")
        if value[:1] == b" ":
            value = value[1:]
        if field == b"data":
            self._values.append(self.text.decode(value, start + len(line) - len(value)))
        elif field == b"event":
            self._name = self.text.decode(value, start + len(line) - len(value))
        elif field == b"id" and b"\0" not in value:
            self._id = self.text.decode(value, start + len(line) - len(value))
        elif field != b"retry" or not value.isdigit():
            self.count += 1
            if field:
                text = self.text.decode(line, start)
                name = text.partition(":")[0]
                rows.append(Row(self.count, "ignored", start, end, self._read, self._time, name, text))
            else:
                text = self.text.decode(line[1:], start + 1)
                rows.append(Row(self.count, "comment", start, end, self._read, self._time, "", text))
            return
        if self._block == NOWHERE:
            self._block = start

    def _dispatch(self, body: bytes, base: int, end: int, rows: list[Row]) -> None:
        """A blank line ends the open block."""
        start = self._block
        self.count += 1
        if self._values:
            value = self._values[0] if len(self._values) == 1 else "\n".join(self._values)
            row = Row(self.count, "event", start, end, self._read, self._time, self._name, value, self._id)
            self._values = []
        else:
            raw = bytes(self._kept[start - self._kept_from :]) if start < base else b""
            raw += body[max(0, start - base) : end - base]
            text = raw.decode("utf-8", "replace")
            row = Row(self.count, "block", start, end, self._read, self._time, self._name, text)
        rows.append(row)
        self._block = NOWHERE
        self._name = ""
        self._id = None
