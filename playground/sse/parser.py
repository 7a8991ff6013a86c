"""Body bytes in, rows out: server-sent events by the WHATWG rules, the same rows however the body is cut.

Called by pipeline.py with what each read brought. Whole blocks in the shapes that nearly all servers send take a short
way (`_blocks`); everything else goes line by line (`_lines`), which is the rules as they are written.
https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

from __future__ import annotations

from typing import Final, NamedTuple

from playground.sse.rows import Row
from playground.sse.text import Text

BOM: Final = b"\xef\xbb\xbf"
LF: Final = 0x0A
NOWHERE: Final = -1
NAMES_KEPT: Final = 256

# Blocks are split a window at a time: on large bodies 1.3 times as fast as one split of the whole, because the pieces
# are still in the processor's cache when their rows are made.
WINDOW: Final = 1 << 14


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
        self._lf = self._cr = self._crlf = 0
        self._between = False  # between two blocks with nothing kept: where the short way may begin
        self._begun = False  # no leading BOM can come any more
        self._after_cr = False  # an LF that comes next belongs to the line end before it
        self._block = NOWHERE  # where the first field line of the open block starts
        self._line = NOWHERE  # where the unfinished line starts, when it was fed by an earlier read
        # The bytes of earlier reads from the start of the open block, else of the unfinished line. A bytearray,
        # because appending to it takes linear time.
        self._kept = bytearray()
        self._kept_from = 0
        self._name = ""
        self._id: str | None = None
        self._values: list[str] = []
        self._names = {"": ""}  # what stands before "data: " in a block -> the event's name

    @property
    def line_ends(self) -> LineEnds:
        return LineEnds(self._lf - self._crlf, self._crlf, self._cr - self._crlf)

    def feed(self, body: bytes, read: int, time: int | None) -> list[Row]:
        """The rows that these bytes complete. `read` and `time` (microseconds) are those of their read."""
        self._read = read
        self._time = time
        base = self._offset
        self._offset = base + len(body)
        self._lf += body.count(b"\n")
        line_end = "\n"
        if b"\r" in body:
            line_end = "\r\n"
            self._cr += body.count(b"\r")
            self._crlf += body.count(b"\r\n")
        rows: list[Row] = []
        position = 0 if self._between else self._resume(body, base, rows)
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
        self.count += 1
        tail = Row(
            self.count, "tail", start, self._offset, self._read, self._time, self._name, raw.decode("utf-8", "replace")
        )
        self._block = self._line = NOWHERE
        return [tail]

    def _resume(self, body: bytes, base: int, rows: list[Row]) -> int:
        """Go on where the read before ended, until its block is over. Answers how far that is."""
        position = 0
        if not self._begun:
            position = self._skip_bom(body)
            if not self._begun:
                return position
        if self._after_cr and body:
            self._after_cr = False
            if body[0] == LF:
                self._crlf += 1
                position = 1
        if self._block != NOWHERE or self._line != NOWHERE:
            position = self._lines(body, base, position, len(body), rows, one_block=True)
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
        if start == NOWHERE:
            self._kept.clear()
        elif start < base:
            self._kept += body
        else:
            self._kept = bytearray(body[start - base :])
            self._kept_from = start
        self._between = start == NOWHERE and not self._after_cr

    def _blocks(self, body: bytes, base: int, position: int, line_end: str, rows: list[Row]) -> int:
        """The short way: split at blank lines, as long as there are some. Answers where the last one ends.

        Two line ends of one kind always end a block, whatever stands before them. A block of one data line, with at
        most an event line before it, is taken apart here.
        """
        separator = line_end * 2
        cut = separator.encode()
        behind = len(line_end) + 1  # the LF of a CRLF that ends a row is in no row
        check_cr = line_end != "\n"
        read, time, names, add = self._read, self._time, self._names, rows.append
        while True:
            end = body.rfind(cut, position, position + WINDOW)
            if end < 0:
                end = body.find(cut, position + WINDOW - len(cut))
                if end < 0:
                    return position
            window = body[position:end]
            try:
                text = window.decode()
            except UnicodeDecodeError:
                self._lines(body, base, position, end + len(cut), rows)
                position = end + len(cut)
                continue
            pieces = text.split(separator)
            sized = pieces if len(text) == len(window) else window.split(cut)
            number = self.count
            start = base + position
            for piece, raw in zip(pieces, sized, strict=True):
                next_start = start + len(raw) + len(cut)
                before, found, value = piece.partition("data: ")
                name = names.get(before)
                if name is None and found:
                    name = self._event_name(before, line_end)
                if name is None or not found or "\n" in value or (check_cr and "\r" in value):
                    self.count = number
                    self._lines(body, base, start - base, next_start - base, rows)
                    number = self.count
                else:
                    number += 1
                    add(Row(number, "event", start, start + len(raw) + behind, read, time, name, value))
                start = next_start
            self.count = number
            position = end + len(cut)

    def _event_name(self, before: str, line_end: str) -> str | None:
        """The name, if what stands before the data line is exactly one line `event: name`."""
        name = before[len("event: ") : -len(line_end)]
        if before != f"event: {name}{line_end}" or "\n" in name or "\r" in name:
            return None
        if len(self._names) < NAMES_KEPT:
            self._names[before] = name
        return name

    def _lines(
        self, body: bytes, base: int, position: int, stop: int, rows: list[Row], *, one_block: bool = False
    ) -> int:
        """The long way, line by line. Answers where it stopped: at `stop`, or behind the first blank line."""
        find = body.find
        lf = find(b"\n", position, stop)
        cr = find(b"\r", position, stop)
        while lf >= 0 or cr >= 0:
            if cr < 0 or 0 <= lf < cr:
                end, after = lf, lf + 1
                lf = find(b"\n", after, stop)
            else:
                end, after = cr, cr + 1
                cr = find(b"\r", after, stop)
                if lf == after:
                    after += 1
                    lf = find(b"\n", after, stop)
                else:
                    self._after_cr = after == len(body)
            line = body[position:end]
            start = base + position
            if self._line != NOWHERE:
                start = self._line
                line = bytes(self._kept[start - self._kept_from :]) + line
                self._line = NOWHERE
            position = after
            if line:
                self._take(line, start, base + end + 1, rows)
            else:
                self._dispatch(body, base, base + end + 1, rows)
                if one_block:
                    return position
        if position < stop and self._line == NOWHERE:
            self._line = base + position
        return stop

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
        """A blank line: the open block, if there is one, is over."""
        start = self._block
        if start == NOWHERE:
            return
        self.count += 1
        if self._values:
            value = "\n".join(self._values)
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
