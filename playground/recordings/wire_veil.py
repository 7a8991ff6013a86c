"""A decoded answer in, the same bytes out without what it echoes of the request. Used by veil.py.

Responses tells `instructions` and `tools` again in every event that holds the response; other answers are searched in
the same way, be they event streams, one JSON document, or JSON a line. What is no JSON is filled: nobody can say what
it tells. Only whole events that are surely harmless pass unsearched.
"""

from __future__ import annotations

import re
from typing import Final

from playground.recordings.echoes import Echoes, Places
from playground.recordings.filling import STAR, Filler

_FIELDS: Final = (b"data:", b"event:", b"id:", b"retry:", b"error:")
_FIRST_FIELDS: Final = (b"data:", b"event:")
"""With one of these a stream begins behind what looked like a document."""

_BOM: Final = b"\xef\xbb\xbf"
_LINE_END: Final = re.compile(rb"[\r\n]")
_BLANK: Final = (b"\n\n", b"\r\n\r\n")

_DONE: Final = (b"[DONE]",)
_COMMENTS: Final = (b"OPENROUTER PROCESSING", b"keep-alive", b"keepalive", b"ping", b"heartbeat", b"still here")
"""What comments say as a sign of life."""

_OTHER: Final = (b"[DONE]", b"<!DOCTYPE html>", b"<!doctype html>", b"<html>", b"\x1f\xef\xbf\xbd")
"""How lines of no field may begin: what a body is must still be seen."""

_NAME: Final = re.compile(rb"[\w.:/\x00-]*")
"""What events, ids and times are called."""

_ORDINARY_LINES: Final = (
    rb"data: ?\{[^\r\n]*\}",
    rb"data: ?\[DONE\]",
    rb"(?:event|id|retry): ?[\w.:/-]*",
    rb": ?(?:%s)?" % b"|".join(_COMMENTS),
    rb"",
)
_NO_ORDINARY_LINE: Final = re.compile(rb"(?m)^(?!(?:%s)\r?$)" % b"|".join(_ORDINARY_LINES))


class _Known:
    """Passes on what begins one of some texts, byte by byte, and says where that ends."""

    def __init__(self, texts: tuple[bytes, ...]) -> None:
        self._texts = texts
        self.reset()

    def reset(self) -> None:
        self.begun = b""
        self.is_over = False

    def take(self, text: bytes) -> int:
        """How many bytes of it are known; the first that is not ends it."""
        for index in range(0 if self.is_over else len(text)):
            letter = text[index : index + 1]
            if not self.begun and letter in b" \t":
                continue
            if not any(known.startswith(self.begun + letter) for known in self._texts):
                self.is_over = True
                return index
            self.begun += letter
        return 0 if self.is_over else len(text)


class _Name:
    """The same for what an event, an id or a time may be called."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._is_begun = self._is_over = False

    def take(self, text: bytes) -> int:
        if self._is_over:
            return 0
        match = _NAME.match(text, 0 if self._is_begun or text[:1] != b" " else 1)
        assert match is not None
        self._is_begun = True
        self._is_over = match.end() < len(text)
        return match.end()


class WireVeil:
    """Bytes go in and come out as many, none is held back."""

    def __init__(self, parts: frozenset[str]) -> None:
        self._echoes = Echoes(parts)
        self._filler = Filler(self._hides)
        self._error = Filler(self._hides)
        self._is_document: bool | None = None
        self._is_lines: bool | None = None
        self._begun = b""
        # Of the line that has begun: its bytes while they may be a field's name, then what it is.
        self._head = b""
        self._kind: bytes | None = None
        self._is_empty = True
        self._after_cr = False
        self._is_first = True
        self._between = True
        self._done = _Known(_DONE)
        self._comment = _Known(_COMMENTS)
        self._other = _Known(_OTHER)
        self._name = _Name()

    def feed(self, body: bytes) -> bytes:
        if not self._echoes.parts or not body:
            return body
        if self._is_document is None:
            self._recognise(body)
            if self._is_document is None:
                return body
        pieces: list[bytes] = []
        position = looked = 0
        names = self._echoes.places(body)
        while position < len(body):
            if self._between and not self._is_document and not self._after_cr and position >= looked:
                end, looked = self._innocent(body, position, names)
                pieces.append(body[position:end])
                self._is_first = self._is_first and end == position
                position = end
            match = _LINE_END.search(body, position)
            end = len(body) if match is None else match.start()
            if end > position:
                self._between = self._after_cr = False
                pieces.append(self._piece(body[position:end]))
            position = end
            if match is not None:
                pieces.append(match[0])
                position = match.end()
                self._line_over(match[0])
        return b"".join(pieces)

    def _recognise(self, body: bytes) -> None:
        """A body that begins with a bracket is JSON, by the document or by the line."""
        begun = self._begun + body
        if _BOM.startswith(begun):
            self._begun = begun
            return
        first = begun.removeprefix(_BOM).lstrip()[:1]
        if first:
            self._is_document = first in b"{["
            # What of a mark has passed already belongs to the first line.
            self._head = self._begun if _BOM.startswith(self._begun) else b""
        else:
            # Behind blanks there is no byte order mark any more.
            self._begun = b" "

    def _innocent(self, body: bytes, start: int, names: Places) -> tuple[int, int]:
        """The end of the harmless events that come whole from here on, and up to where there is no other.

        Harmless is what has only lines of the ordinary kinds and names nothing that is left out.
        """
        limit = names.behind(start)
        odd = _NO_ORDINARY_LINE.search(body, start, limit)
        limit = limit if odd is None else odd.start()
        ends = ((body.rfind(blank, start, limit), len(blank)) for blank in _BLANK)
        return max((at + size for at, size in ends if at >= 0), default=start), max(limit, start + 1)

    def _piece(self, text: bytes) -> bytes:
        """A part of a line, without its end."""
        self._is_empty = False
        passed = 0
        if self._kind is None:
            passed = self._begin(text)
        rest = text[passed:]
        return text[:passed] + (self._rest(rest) if rest else b"")

    def _begin(self, text: bytes) -> int:
        """Bytes of the line's field that pass; what the line is stands in `_kind` as soon as that is clear."""
        starts = _FIRST_FIELDS if self._is_document else _FIELDS
        if self._is_first:
            starts = (*starts, *(_BOM + start for start in starts))
        for index in range(len(text)):
            head = self._head + text[index : index + 1]
            if head.removeprefix(_BOM) == b":" and not self._is_document:
                self._kind, self._head = b":", head
                return index + 1
            if head in starts:
                self._become(head.removeprefix(_BOM))
                return index + 1
            if not any(start.startswith(head) for start in starts):
                self._kind = b"json" if self._is_document else b"?"
                if self._is_document:
                    self._filler.feed(self._head.removeprefix(_BOM))
                else:
                    self._other.take(self._head)
                return index
            self._head = head
        return len(text)

    def _become(self, field: bytes) -> None:
        """A line with a field of an event stream; behind a document that is none, the stream begins here."""
        if self._is_document:
            self._is_document = False
            self._filler.reset()
        self._kind = field

    def _rest(self, text: bytes) -> bytes:
        if self._kind == b"json":
            return self._filler.feed(text)
        if self._kind == b"data:":
            return self._value(text)
        if self._kind == b"error:":
            return self._error.feed(text)
        known = self._comment if self._kind == b":" else self._other if self._kind == b"?" else self._name
        passed = known.take(text)
        return text[:passed] + STAR * (len(text) - passed)

    def _value(self, text: bytes) -> bytes:
        """A part of an event's data: its end mark passes, all else is searched."""
        passed = 0
        if not self._done.is_over:
            passed = self._done.take(text)
            if not self._done.is_over:
                return text
            self._filler.feed(self._done.begun)
        return text[:passed] + self._filler.feed(text[passed:])

    def _line_over(self, mark: bytes) -> None:
        if mark == b"\n" and self._after_cr:
            self._after_cr = False
            return
        self._after_cr = mark == b"\r"
        if self._is_document:
            self._document_line_over()
        elif self._is_empty:
            self._between = True
            self._done.reset()
            self._filler.reset()
        elif self._kind == b"data:" and self._done.is_over:
            self._filler.feed(b"\n")
        elif self._kind == b"data:" and self._done.begun:
            # A second line of data behind the end mark is no end mark.
            self._done.is_over = True
            self._filler.feed(self._done.begun + b"\n")
        self._is_first = self._is_first and self._is_empty
        self._head, self._kind, self._is_empty = b"", None, True
        for each in (self._comment, self._other, self._name, self._error):
            each.reset()

    def _document_line_over(self) -> None:
        """Where a first line is a whole value each line is one; what is broken there is broken to the line's end."""
        filler = self._filler
        if self._kind is None and self._head:
            filler.feed(self._head.removeprefix(_BOM))
        if self._is_lines is None and not self._is_empty:
            self._is_lines = filler.is_over
        if self._is_lines:
            filler.reset()
        else:
            filler.feed(b"\n")

    def _hides(self, path: tuple[str | int, ...], opens: bytes) -> bool:
        return self._echoes.hides(path, opens, self._filler.kind)
