"""JSON text in, the same text out with the values at some paths filled, however it is cut. Used by veil.py.

A byte inside a string becomes `*`, a digit of a number `1`; brackets, commas and the words true, false and null stay.
So what comes out has the same size and is JSON when the text was: an object, or a list of some. Behind the first byte
that has no place in it nobody can say what is a name and what a value: all that follows is filled, until reset().
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

import orjson

Path = tuple[str | int, ...]
Hides = Callable[[Path, bytes], bool]
"""Whether the value at a path, which opens with that byte, is filled."""

STAR: Final = b"*"

LONGEST_KIND: Final = 100
"""Bytes; no type is longer."""

_TOKEN: Final = re.compile(rb"[ \t\r\n]+|[{}\[\]:,\"]|[^ \t\r\n{}\[\]:,\"]+")
_INSIDE: Final = re.compile(rb'[^"\\\x00-\x1f]*(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*)*')
_SPACES: Final = b" \t\r\n"
_NUMBER: Final = re.compile(rb"-?[0-9][0-9.eE+-]*|-")
_WORDS: Final = (b"true", b"false", b"null")
_ODD_WORDS: Final = (b"NaN", b"Infinity", b"-Infinity")
"""No JSON, but many a server writes them."""

_DEEPEST: Final = 1000
"""Brackets in brackets; no reader of JSON goes deeper."""

_FILLED: Final = bytes(byte if byte in _SPACES else STAR[0] for byte in range(256))


class _Next(Enum):
    """What may come next."""

    VALUE = auto()
    VALUE_OR_END = auto()
    KEY = auto()
    KEY_OR_END = auto()
    COLON = auto()
    COMMA_OR_END = auto()
    MORE = auto()
    """Between two texts: only an object or an array may follow."""


_A_VALUE: Final = (_Next.VALUE, _Next.VALUE_OR_END)
_A_KEY: Final = (_Next.KEY, _Next.KEY_OR_END)


class _Frame:
    """An open object or array, or the text itself: what may come next, the key at which it stands (None in the text
    itself), whether all in it is filled (`inner`) or the value at its key (`fills`)."""

    __slots__ = ("fills", "inner", "is_object", "key", "next")

    def __init__(self, opens: bytes, inner: bool) -> None:
        self.is_object = opens == b"{"
        self.key: str | int | None = 0 if opens == b"[" else None
        self.next = _Next.KEY_OR_END if self.is_object else _Next.VALUE_OR_END if opens else _Next.VALUE
        self.inner = self.fills = inner


class Filler:
    """Feeds on one value, or on several one after the other."""

    def __init__(self, hides: Hides) -> None:
        self._hides = hides
        self.reset()

    def reset(self) -> None:
        """What comes next is another text, whether the last one was over or not."""
        self.is_broken = False
        self._frames = [_Frame(b"", False)]
        self._in_string = self._is_key = self._escaped = False
        self._key = bytearray()
        self._word = b""
        self._kind = bytearray()

    @property
    def kind(self) -> bytes:
        """The value of `type` in the text's own object, as far as it came."""
        return bytes(self._kind)

    @property
    def is_over(self) -> bool:
        """A value has come, and nothing of another one."""
        return len(self._frames) == 1 and self._frames[0].next is _Next.MORE and not self._in_string

    @property
    def is_in_string(self) -> bool:
        return self._in_string

    def feed(self, text: bytes) -> bytes:
        pieces: list[bytes] = []
        position = 0
        while position < len(text):
            if self.is_broken:
                pieces.append(text[position:].translate(_FILLED))
                break
            if self._in_string:
                position = self._string(text, position, pieces)
            else:
                match = _TOKEN.match(text, position)
                assert match is not None
                position = match.end() if self._token(match[0], pieces) else position
        return b"".join(pieces)

    def _token(self, token: bytes, pieces: list[bytes]) -> bool:
        """Whether the token may stand here. It is broken when not."""
        first = token[:1]
        is_mark = first in b'{}[]:,"'
        if is_mark or first in _SPACES:
            if self._word and not self._end_word():
                return self._break()
            if is_mark and not self._mark(first):
                return self._break()
            pieces.append(token)
            return True
        return self._bare(token, pieces) or self._break()

    def _break(self) -> bool:
        self.is_broken = True
        return False

    def _mark(self, mark: bytes) -> bool:
        frame = self._frames[-1]
        if mark == b'"' and frame.next in _A_KEY:
            self._in_string = self._is_key = True
            self._key.clear()
        elif mark == b'"' and frame.next in _A_VALUE and len(self._frames) > 1:
            self._ask(mark)
            self._in_string = True
        elif mark in b"{[" and (frame.next in _A_VALUE or frame.next is _Next.MORE) and len(self._frames) < _DEEPEST:
            self._ask(mark)
            self._frames.append(_Frame(mark, frame.fills))
        elif mark == b":" and frame.next is _Next.COLON:
            frame.next = _Next.VALUE
        elif mark == b"," and frame.next is _Next.COMMA_OR_END:
            frame.next = _Next.KEY if frame.is_object else _Next.VALUE
            if isinstance(frame.key, int):
                frame.key += 1
        elif mark == (b"}" if frame.is_object else b"]") and self._may_end(frame):
            self._frames.pop()
            self._value_over()
        else:
            return False
        return True

    def _may_end(self, frame: _Frame) -> bool:
        ends = (_Next.COMMA_OR_END, _Next.KEY_OR_END, _Next.VALUE_OR_END)
        return len(self._frames) > 1 and frame.next in ends

    def _value_over(self) -> None:
        self._frames[-1].next = _Next.COMMA_OR_END if len(self._frames) > 1 else _Next.MORE

    def _string(self, text: bytes, start: int, pieces: list[bytes]) -> int:
        """Up to the end of the string or of the text, or to what no string has."""
        if self._escaped:
            self._escaped = False
            if text[start] < 0x20:
                self.is_broken = True
                return start
            pieces.append(self._content(text[start : start + 1]))
            return start + 1
        match = _INSIDE.match(text, start)
        assert match is not None
        end = match.end()
        if text[end : end + 1] == b"\\" and end + 1 == len(text):
            # A backslash may be the last byte that is here.
            self._escaped = True
            end += 1
        pieces.append(self._content(text[start:end]))
        if end == len(text):
            return end
        if text[end : end + 1] != b'"':
            self.is_broken = True
            return end
        self._in_string = False
        if self._is_key:
            self._key_over()
        else:
            self._value_over()
        pieces.append(b'"')
        return end + 1

    def _content(self, content: bytes) -> bytes:
        if self._is_key:
            self._key += content
        frame = self._frames[-1]
        if frame.key == "type" and len(self._frames) == 2 and not self._is_key and len(self._kind) < LONGEST_KIND:
            self._kind += content
        return STAR * len(content) if (frame.inner if self._is_key else frame.fills) else content

    def _key_over(self) -> None:
        frame = self._frames[-1]
        self._is_key = False
        frame.next = _Next.COLON
        try:
            frame.key = str(orjson.loads(b'"' + self._key + b'"'))
        except ValueError:
            # Nobody can say what it is called.
            frame.key = None
            self.is_broken = True

    def _bare(self, token: bytes, pieces: list[bytes]) -> bool:
        """A part of a number or of a word; False when it is neither, or may not stand here."""
        frame = self._frames[-1]
        if not self._word:
            if frame.next not in _A_VALUE or len(self._frames) == 1:
                return False
            self._ask(token[:1])
        word = self._word + token
        if not (_NUMBER.fullmatch(word) or any(each.startswith(word) for each in (*_WORDS, *_ODD_WORDS))):
            self._word = b""
            return False
        is_word = any(each.startswith(word) for each in _WORDS)
        # Of a long number its end tells whether it is one.
        self._word = word if len(word) < 64 else b"0" + word[-1:]
        pieces.append(token if is_word or not frame.fills else b"1" * len(token))
        return True

    def _end_word(self) -> bool:
        word, self._word = self._word, b""
        self._value_over()
        return word in (*_WORDS, *_ODD_WORDS) or word[-1:].isdigit() or word[-1:] == b"."

    def _ask(self, opens: bytes) -> None:
        """Whether the value that opens with that byte is to be filled."""
        frame = self._frames[-1]
        frame.fills = frame.inner or (
            frame.key is not None
            and self._hides(tuple(each.key for each in self._frames if each.key is not None), opens)
        )
