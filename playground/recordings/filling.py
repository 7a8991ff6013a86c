"""JSON text in, the same text out with the values at some paths filled, however it is cut. Used by veil.py.

A byte inside a string becomes `*`, one of a number `1`; brackets, commas and the words true, false and null stay. So
what comes out has the same size and is JSON when the text was. From the first byte on that cannot stand there in JSON
nobody knows what belongs to which name: all that follows is filled, until reset().
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from playground.formats.interface import parse

Path = tuple[str | int, ...]
Hides = Callable[[Path], bool]

STAR: Final = b"*"
DEEPEST: Final = 1100
"""Values in values; a bit more than a reader of JSON takes here."""

LONGEST_KIND: Final = 64

_SPACE: Final = re.compile(rb"[ \t\r\n]*")
# No escape of JSON holds a line end.
_INSIDE: Final = re.compile(rb'[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*')
_NUMBER: Final = re.compile(rb"-?(?:[0-9][0-9.eE+-]*)?")
_BARE: Final = re.compile(rb'[^ \t\r\n,:{}\[\]"]*')
_WHOLE: Final = re.compile(rb"(?:-?[0-9][0-9.eE+-]*|true|false|null)(?=[ \t\r\n,}\]])")
_WORDS: Final = (b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity", b"DONE")
"""Python writes some that are no JSON; the last one is in `[DONE]`, the sentinel of Chat Completions."""
_LONGEST: Final = max(map(len, _WORDS))

# What may come next: its first bytes.
_OUTERMOST: Final = b"{["
_VALUE: Final = b'"{[-0123456789tfnNID'
_FIRST_VALUE: Final = _VALUE + b"]"
_NAME: Final = b'"'
_FIRST_NAME: Final = b'"}'
_COLON: Final = b":"
_IN_OBJECT: Final = b",}"
_IN_ARRAY: Final = b",]"
_ANOTHER: Final = b"[{"
_NOTHING: Final = b""


class _Frame:
    """An open object or array, `path` is its own. `key`: of the value that comes next; `inner`: all in it is filled;
    `fills`: the value at this key is."""

    __slots__ = ("fills", "inner", "is_object", "key", "path")

    def __init__(self, is_object: bool, inner: bool, path: Path) -> None:
        self.is_object = is_object
        self.path = path
        self.key: str | int = "" if is_object else 0
        self.inner = self.fills = inner


class Filler:
    """Feeds on an object or array, or on several one after the other. `hides` is asked for the path of every value that
    has a name.

    `kind`: the string at `type` of the outermost object, as far as it came. `spoilt`: it was no JSON, all is filled.
    """

    def __init__(self, hides: Hides) -> None:
        self._hides = hides
        self._frames: list[_Frame] = []
        self.kind = b""
        self._name = bytearray()
        self._out: bytearray | None = None
        self.reset()

    def reset(self) -> None:
        """What comes next is another value, whether the last one was over or not."""
        self.spoilt = False
        self._frames.clear()
        self._awaited = _OUTERMOST
        self._in_string = self._is_name = self._is_kind = self._escaped = self._fills = False
        self._word = b""
        self.kind = b""

    def spoil(self) -> None:
        self.spoilt = True

    @property
    def fresh(self) -> bool:
        """Nothing of a value came."""
        return self._awaited is _OUTERMOST and not self.spoilt

    @property
    def over(self) -> bool:
        """A whole value came, and nothing but space behind it."""
        return not self._frames and not self.fresh and not self.spoilt

    @property
    def in_string(self) -> bool:
        return self._in_string

    def close(self) -> None:
        """Nothing but space may come any more."""
        self._awaited = _NOTHING

    def feed(self, text: bytes) -> bytes:
        self._out = None
        position = 0
        while position < len(text):
            if self.spoilt:
                self._fill(text, position, len(text))
                break
            if self._in_string:
                position = self._string(text, position)
            elif self._word:
                position = self._bare(text, position)
            else:
                position = self._structure(text, position)
        return text if self._out is None else bytes(self._out)

    def _fill(self, text: bytes, start: int, end: int, filler: bytes = STAR) -> None:
        if self._out is None:
            self._out = bytearray(text)
        self._out[start:end] = filler * (end - start)

    def _structure(self, text: bytes, at: int) -> int:
        """Space and one mark, or what begins with it."""
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        mark = text[at : at + 1]
        if not mark:
            return at
        if mark not in self._awaited:
            self.spoil()
            return at
        if mark == b'"':
            self._open_string()
        elif mark in b"{[":
            self._open(mark == b"{")
        elif mark in b"}]":
            self._frames.pop()
            self._value_over()
        elif mark == b":":
            self._awaited = _VALUE
        elif mark == b",":
            self._next()
        else:
            return self._bare(text, at)
        return at + 1

    def _open(self, is_object: bool) -> None:
        if len(self._frames) >= DEEPEST:
            self.spoil()
            return
        above = self._frames[-1] if self._frames else None
        path = (*above.path, above.key) if above else ()
        self._frames.append(_Frame(is_object, above is not None and above.fills, path))
        self._awaited = _FIRST_NAME if is_object else _FIRST_VALUE

    def _next(self) -> None:
        frame = self._frames[-1]
        frame.fills = frame.inner
        if isinstance(frame.key, int):
            frame.key += 1
        self._awaited = _NAME if frame.is_object else _VALUE

    def _value_over(self) -> None:
        if not self._frames:
            self._awaited = _ANOTHER
        else:
            self._awaited = _IN_OBJECT if self._frames[-1].is_object else _IN_ARRAY

    def _open_string(self) -> None:
        frame = self._frames[-1]
        self._in_string = True
        self._is_name = self._awaited is _NAME or self._awaited is _FIRST_NAME
        self._fills = frame.inner if self._is_name else frame.fills
        self._is_kind = not self._is_name and frame.key == "type" and len(self._frames) == 1
        if self._is_name:
            self._name.clear()
        elif self._is_kind:
            self.kind = b""

    def _string(self, text: bytes, start: int) -> int:
        """Up to the end of the string, or of the text."""
        if self._escaped:
            if text[start] in b"\r\n":
                self.spoil()
                return start
            self._escaped = False
            self._content(text, start, start + 1)
            return start + 1
        match = _INSIDE.match(text, start)
        end = match.end() if match else start
        # A backslash may be the last byte that is here.
        self._escaped = text[end:] == b"\\"
        self._content(text, start, end + self._escaped)
        stop = text[end : end + 1]
        if stop == b'"':
            self._close_string()
            return end + 1
        if stop and not self._escaped:
            self.spoil()
        return end + self._escaped

    def _content(self, text: bytes, start: int, end: int) -> None:
        if self._is_name:
            self._name += text[start:end]
        elif self._is_kind:
            self.kind = (self.kind + text[start:end])[:LONGEST_KIND]
        if self._fills:
            self._fill(text, start, end)

    def _close_string(self) -> None:
        self._in_string = False
        if not self._is_name:
            self._value_over()
            return
        frame = self._frames[-1]
        name = _decoded(bytes(self._name))
        if name is None:
            self.spoil()
            return
        frame.key = name
        frame.fills = frame.inner or self._hides((*frame.path, name))
        self._awaited = _COLON

    def _bare(self, text: bytes, start: int) -> int:
        """A number or a word, or as much of it as there is."""
        fills = self._frames[-1].fills
        if not self._word and (whole := _WHOLE.match(text, start)):
            if fills and text[start] in b"-0123456789":
                self._digits(text, start, whole.end(), b"")
            self._value_over()
            return whole.end()
        match = _BARE.match(text, start)
        end = match.end() if match else start
        before, word = self._word, self._word + text[start:end]
        legal = max(map(len, (_number(word), *(_common(word, each) for each in _WORDS)))) - len(before)
        if fills:
            self._digits(text, start, start + legal, before)
        self._word = word[: _LONGEST + 1]
        if start + legal < end:
            self.spoil()
            return start + legal
        if end < len(text):
            # A word that is cut short is none.
            self.spoilt = word not in _WORDS and not _number(word).strip(b"-")
            self._word = b""
            self._value_over()
        return end

    def _digits(self, text: bytes, start: int, end: int, before: bytes) -> None:
        """Fill a number; a word stays, and so does a minus."""
        for at in range(start, end):
            word = before + text[start : at + 1]
            if not any(each.startswith(word) for each in _WORDS):
                self._fill(text, at, end, b"1")
                return


def _number(word: bytes) -> bytes:
    match = _NUMBER.match(word)
    return match[0] if match else b""


def _common(word: bytes, other: bytes) -> bytes:
    size = next((at for at, (one, two) in enumerate(zip(word, other, strict=False)) if one != two), None)
    return word[:size] if size is not None else word[: len(other)]


def _decoded(name: bytes) -> str | None:
    """None when its escapes are none of JSON's."""
    if b"\\" not in name:
        return name.decode(errors="replace")
    value = parse('"' + name.decode(errors="replace") + '"')
    return value if isinstance(value, str) else None
