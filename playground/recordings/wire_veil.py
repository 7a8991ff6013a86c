"""A decoded answer in, the same bytes out without what it echoes of the request. Used by veil.py.

What passes is what is understood: JSON in data lines, in lines without a field or as the whole body, and what nobody
says anything with. All other text is filled, for an echo that is broken looks like that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import orjson

from playground.recordings.echoes import Echoes
from playground.recordings.filling import STAR, Filler

_BOM: Final = b"\xef\xbb\xbf"
_DATA: Final = b"data:"
_ERROR: Final = b"error:"
_NAME: Final = b"event:"
_FIELDS: Final = (_DATA, _ERROR, _NAME, b"id:", b"retry:")
_KNOWN: Final = (
    b": OPENROUTER PROCESSING",
    b": keep-alive",
    b": keepalive",
    b": ping",
    b": heartbeat",
    b":keep-alive",
    b":keepalive",
    b":ping",
    b":HTTP_STATUS/200",
    b"[DONE]",
    b"<!DOCTYPE html>",
    b"<!doctype html>",
    b"<html>",
    b"\x1f\xef\xbf\xbd",
)
"""Lines, or how they begin, that say nothing of a request: what servers send to keep a connection open, and what a body
that is no stream is known by."""
_BEGINNINGS: Final = frozenset(line[:size] for line in (*_FIELDS, *_KNOWN) for size in range(1, len(line) + 1))

_LINE_END: Final = re.compile(rb"[\r\n]")
_WORD: Final = re.compile(rb"[\w.:/+=~-]*", re.ASCII)
"""The name of an event, an id, a number: what stands behind it is filled."""
_EVENT: Final = re.compile(
    rb"(?:(?:event|id): ?[\w.-]+\r?\n){0,3}data: ?(?:\[DONE\]|(\{[^\r\n]*\}))\r?\n\r?\n", re.ASCII
)
"""An event as nearly all servers send it."""


class WireVeil:
    """Bytes go in and come out as many, none is held back, the same however they are cut."""

    def __init__(self, parts: frozenset[str]) -> None:
        self._echoes = Echoes(parts)
        self._filler = Filler(lambda path: self._echoes.hides(path, self._filler.kind))
        self._passes = not parts
        self._bom = _BOM
        self._after_cr = False
        self._streams = False  # a data line came: a line without a field says nothing any more
        self._bare = False  # what the filler has is of lines without a field
        self._spread = False  # its value goes over several lines
        self._goes_on = False  # it goes on in a second data line
        self._broke_off = False  # and came to the end of its event before its own: nobody knows where the rest is
        self._by_line = False  # a value came that was whole in its line
        self._line = b""  # how the line begins, while that may become a field's name
        self._rest: Callable[[bytes], bytes] | None = None  # who takes the rest of the line
        self._of_value = False  # the line is read as JSON

    def feed(self, body: bytes) -> bytes:
        if self._passes or not body:
            return body
        if self._bom:
            size = next((at for at, byte in enumerate(self._bom) if body[at : at + 1] != bytes([byte])), len(self._bom))
            self._bom = self._bom[size:] if size == len(body) else b""
            return body[:size] + self._lines(body[size:])
        return self._lines(body)

    def _lines(self, body: bytes) -> bytes:
        pieces = []
        position = 0
        while position < len(body):
            if not self._in_line and self._filler.fresh and not self._after_cr:
                end = self._innocent(body, position)
                if end > position:
                    pieces.append(body[position:end])
                    position = end
                    self._event_over()
                    self._streams = True
                    continue
            match = _LINE_END.search(body, position)
            end = match.start() if match else len(body)
            if end > position:
                self._after_cr = False
                pieces.append(self._piece(body[position:end]))
            if match:
                pieces.append(match[0])
                self._line_end(match[0])
            position = end + 1
        return b"".join(pieces)

    @property
    def _is_open(self) -> bool:
        """A value has begun and is not over."""
        return not self._filler.fresh and not self._filler.over

    @property
    def _in_line(self) -> bool:
        return self._rest is not None or bool(self._line)

    def _innocent(self, body: bytes, start: int) -> int:
        """The end of the whole events from here on that are JSON and name nothing that is left out."""
        while match := _EVENT.match(body, start):
            if match[1] and (self._echoes.named(match[1]) or not _is_json(match[1])):
                break
            start = match.end()
        return start

    def _piece(self, text: bytes) -> bytes:
        """A part of a line."""
        begun = 0
        while self._rest is None:
            if begun == len(text):
                return text
            line = self._line + text[begun : begun + 1]
            # At the front of a body a bracket begins JSON.
            if line in _BEGINNINGS and (self._streams or line[:1] != b"["):
                self._line = line
                begun += 1
                if line in _FIELDS:
                    self._field()
            else:
                self._no_field()
        return text[:begun] + self._rest(text[begun:])

    def _field(self) -> None:
        filler = self._filler
        if self._line == _DATA:
            if self._bare or not self._streams:
                self._event_over()
            self._goes_on = self._goes_on or self._is_open
            self._streams = self._of_value = True
            self._rest = filler.feed
        elif self._line == _ERROR and filler.fresh:
            self._of_value = True
            self._rest = filler.feed
        else:
            if self._broke_off and self._line == _NAME:
                self._event_over()
            if self._bare and self._is_open:
                filler.spoil()
            fills = self._line == _ERROR or (filler.spoilt and not self._bare)
            self._rest = self._fill if fills else self._value

    def _no_field(self) -> None:
        """A line that is no field of an event: a comment, a line of JSON, or whatever."""
        filler = self._filler
        self._rest = self._fill
        is_comment = self._line[:1] == b":"
        if (is_comment or self._streams) and self._is_open:
            # Among the lines of a value it may be one of them whose beginning is broken.
            filler.spoil()
        if is_comment or self._streams:
            return
        self._bare = self._of_value = True
        if self._line:
            filler.spoil()
        else:
            self._rest = filler.feed

    def _fill(self, text: bytes) -> bytes:
        """As many bytes that make the same row: a number stays one in `retry`, and NUL makes an id none."""
        filled = bytearray(STAR * len(text))
        for at, byte in enumerate(text):
            if byte == 0:
                filled[at] = 0
            elif 0x30 <= byte <= 0x39:
                filled[at] = 0x31
        return bytes(filled)

    def _value(self, text: bytes) -> bytes:
        """Of an event's name, an id, a number."""
        if text:
            self._rest = self._word
        space = text[: text.startswith(b" ")]
        return space + self._word(text[len(space) :])

    def _word(self, text: bytes) -> bytes:
        match = _WORD.match(text)
        end = match.end() if match else 0
        if end < len(text):
            self._rest = self._fill
        return text[:end] + self._fill(text[end:])

    def _line_end(self, mark: bytes) -> None:
        if mark == b"\n" and self._after_cr:
            self._after_cr = False
            return
        self._after_cr = mark == b"\r"
        if not self._in_line:
            self._blank()
        elif self._of_value:
            self._value_line_over()
        elif self._rest is None and self._bare and self._is_open:
            # A line that is the beginning of a field's name, or a known one.
            self._filler.spoil()
        self._line = b""
        self._rest = None
        self._of_value = False

    def _value_line_over(self) -> None:
        """A value is whole in its line, and others follow in theirs; or it goes over several and is the only one."""
        filler = self._filler
        if self._line == _ERROR:
            self._error_over()
        elif self._by_line:
            # What breaks a line is over with it, unless the value itself goes on.
            self._by_line = filler.over or filler.spoilt or filler.in_string or filler.fresh
            (filler.reset if self._by_line else filler.spoil)()
        elif filler.over:
            self._by_line = not self._spread
            (filler.reset if self._by_line else filler.close)()
        elif not filler.fresh:
            self._spread = True
            filler.feed(b"\n")
        self._bare = self._bare and not (self._by_line or filler.fresh)

    def _error_over(self) -> None:
        """It is told in one line; what is open then is broken, and so are lines without a field that follow."""
        if self._filler.over or self._filler.fresh:
            self._filler.reset()
        else:
            self._filler.spoil()
            self._bare = True

    def _blank(self) -> None:
        """A blank line ends an event, but none among the lines of a document."""
        if self._goes_on and self._is_open:
            self._broke_off = True
            self._filler.spoil()
        elif not self._bare:
            self._event_over()

    def _event_over(self) -> None:
        self._filler.reset()
        self._bare = self._spread = self._by_line = self._goes_on = self._broke_off = False


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True
