"""A decoded answer in, the same bytes out without what it echoes of the request. Used by veil.py.

Responses tells `instructions` and `tools` again in every event that holds the response; other answers are searched in
the same way, be they event streams, one JSON document, or JSON a line.
"""

from __future__ import annotations

import re
from typing import Final

from playground.recordings.filling import Filler, Path

_ECHOES: Final[dict[str, frozenset[str]]] = {
    "system": frozenset({"instructions", "system"}),
    "tools": frozenset({"tools", "tool_choice", "functions"}),
    "body": frozenset(
        {"metadata", "prompt", "prompt_cache_key", "safety_identifier", "user", "text", "previous_response_id"}
    ),
}

_SPOKEN: Final = frozenset({"input", "arguments", "content"})
"""Below these names the model speaks: `instructions` in the arguments of a call are none of the request's."""

_FIELD: Final = b"data:"
_BOM: Final = b"\xef\xbb\xbf"
_LONGEST: Final = _BOM + _FIELD
_LINE_END: Final = re.compile(rb"[\r\n]")
_ESCAPED_LETTER: Final = rb"\\u00[4-7]"
"""A name may be written with escapes; other characters than these are in none."""
_BLANK: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")


class WireVeil:
    """Bytes go in and come out as many, none is held back."""

    def __init__(self, parts: frozenset[str]) -> None:
        self._anywhere = frozenset().union(*(_ECHOES[part] for part in parts & {"system", "tools"}))
        self._of_response = _ECHOES["body"] if "body" in parts else frozenset()
        names = sorted(self._anywhere | self._of_response)
        self._needles = re.compile(b"|".join([_ESCAPED_LETTER, *(b'"%s"' % name.encode() for name in names)]))
        self._filler = Filler(self._hides)
        self._is_document: bool | None = None if names else False
        self._passes = not names
        self._line = b""
        self._in_data = False
        self._after_cr = False
        self._begun = b""

    def feed(self, body: bytes) -> bytes:
        if self._passes or not body:
            return body
        if self._is_document is None:
            self._recognise(body)
        return self._filler.feed(body) if self._is_document else self._stream(body)

    def _recognise(self, body: bytes) -> None:
        """A body that begins with a bracket is JSON, by the document or by the line."""
        self._begun = (self._begun + body)[:64]
        first = self._begun.removeprefix(_BOM).lstrip()[:1]
        if first and not _BOM.startswith(self._begun):
            self._is_document = first in b"{["

    def _stream(self, body: bytes) -> bytes:
        pieces = []
        position = looked = 0
        while position < len(body):
            if position >= looked and not self._line and self._filler.at_rest and not self._after_cr:
                end, looked = self._innocent(body, position)
                if end > position:
                    pieces.append(body[position:end])
                    self._after_cr = body[end - 1 : end] == b"\r"
                    position = end
                    continue
            match = _LINE_END.search(body, position)
            end = len(body) if match is None else match.start()
            pieces.append(self._piece(body[position:end]))
            position = end
            if match is not None:
                pieces.append(match[0])
                position = match.end()
                self._line_over(match[0])
        return b"".join(pieces)

    def _innocent(self, body: bytes, start: int) -> tuple[int, int]:
        """The end of the whole events from here on that name nothing left out, and up to where there is no other."""
        found = self._needles.search(body, start)
        limit = len(body) if found is None else found.start()
        ends = ((body.rfind(blank, start, limit), len(blank)) for blank in _BLANK)
        return max((at + size for at, size in ends if at >= 0), default=start), limit

    def _piece(self, text: bytes) -> bytes:
        """A part of a line: the field's name passes, the rest of a data line is searched."""
        if text:
            self._after_cr = False
        if self._in_data:
            return self._filler.feed(text)
        for index in range(min(len(text), len(_LONGEST) - len(self._line))):
            self._line += text[index : index + 1]
            if self._line in (_FIELD, _LONGEST):
                self._in_data = True
                return text[: index + 1] + self._filler.feed(text[index + 1 :])
        return text

    def _line_over(self, mark: bytes) -> None:
        if mark == b"\n" and self._after_cr:
            self._after_cr = False
            return
        self._after_cr = mark == b"\r"
        if not self._line:
            self._filler.reset()
        elif self._in_data:
            self._filler.feed(b"\n")
        self._line = b""
        self._in_data = False

    def _hides(self, path: Path) -> bool:
        name = path[-1]
        if name in self._anywhere and _SPOKEN.isdisjoint(path[:-1]):
            return True
        if name not in self._of_response:
            # Of a response that is the whole body, `text` is its form; at the same place an event tells what was said.
            return bool(self._of_response) and path == ("text", "format")
        return path[:-1] == ("response",) or (len(path) == 1 and name != "text")
