"""JSON text in, the same text out with the values at some paths filled, however it is cut. Used by veil.py.

A byte inside a string becomes `*`, a digit of a number `1`; brackets, commas and the words true, false and null stay.
So what comes out has the same size and is JSON when the text was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import orjson

Path = tuple[str | int, ...]
Hides = Callable[[Path], bool]

_OUTSIDE: Final = re.compile(rb'["{}\[\],]')
_INSIDE: Final = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.S)
_WORDS: Final = (b"true", b"false", b"null")
_SPACE: Final = b" \t\r\n:"

STAR: Final = b"*"


class _Frame:
    """An open object or array: the key at which it stands, None before one; `inner`: all in it is filled; `fills`: the
    value at this key is."""

    __slots__ = ("fills", "inner", "is_object", "key")

    def __init__(self, is_object: bool, inner: bool) -> None:
        self.is_object = is_object
        self.key: str | int | None = None if is_object else 0
        self.inner = self.fills = inner


class Filler:
    """Feeds on one value, or on several one after the other. `hides` is asked for the path of every value."""

    def __init__(self, hides: Hides) -> None:
        self._hides = hides
        self._frames: list[_Frame] = []
        self._in_string = self._is_key = self._escaped = False
        self._fills = False
        self._key = bytearray()
        self._word = b""

    @property
    def at_rest(self) -> bool:
        """Between two values."""
        return not self._frames and not self._in_string

    def reset(self) -> None:
        """What comes next is another value, whether the last one was over or not."""
        self._frames.clear()
        self._in_string = self._is_key = self._escaped = False
        self._word = b""

    def feed(self, text: bytes) -> bytes:
        pieces: list[bytes] = []
        position = 0
        while position < len(text):
            read = self._string if self._in_string else self._structure
            piece, position = read(text, position)
            pieces += piece
        return b"".join(pieces)

    def _structure(self, text: bytes, start: int) -> tuple[tuple[bytes, bytes], int]:
        """Up to the next quote, bracket or comma, and that."""
        match = _OUTSIDE.search(text, start)
        end = len(text) if match is None else match.start()
        between = text[start:end]
        if between and self._frames and self._frames[-1].fills:
            between = self._bare(between)
        if match is None:
            return (between, b""), end
        self._word = b""
        self._mark(match[0])
        return (between, match[0]), match.end()

    def _mark(self, mark: bytes) -> None:
        frames = self._frames
        if mark == b'"':
            frame = frames[-1] if frames else None
            self._in_string = True
            self._is_key = frame is not None and frame.is_object and frame.key is None
            self._fills = frame is not None and (frame.inner if self._is_key else frame.fills)
            self._key.clear()
        elif mark in b"{[":
            frames.append(_Frame(mark == b"{", bool(frames) and frames[-1].fills))
            self._ask()
        elif mark == b"," and frames:
            frame = frames[-1]
            frame.key = frame.key + 1 if isinstance(frame.key, int) else None
            frame.fills = frame.inner
            self._ask()
        elif mark in b"}]" and frames:
            frames.pop()

    def _string(self, text: bytes, start: int) -> tuple[tuple[bytes, bytes], int]:
        """Up to the end of the string or of the text."""
        if self._escaped:
            self._escaped = False
            return self._content(text[start : start + 1], b""), start + 1
        match = _INSIDE.match(text, start)
        end = len(text) if match is None else match.end()
        if text[end : end + 1] != b'"':
            # A backslash may be the last byte that is here.
            self._escaped = end < len(text)
            return self._content(text[start:], b""), len(text)
        content = self._content(text[start:end], b'"')
        self._in_string = False
        if self._is_key:
            self._frames[-1].key = _decoded(bytes(self._key))
            self._ask()
        return content, end + 1

    def _content(self, content: bytes, quote: bytes) -> tuple[bytes, bytes]:
        if self._is_key:
            self._key += content
        return STAR * len(content) if self._fills else content, quote

    def _bare(self, text: bytes) -> bytes:
        """Numbers, words, and what is no JSON at all."""
        filled = bytearray(text)
        for index, byte in enumerate(text):
            if byte in _SPACE:
                self._word = b""
                continue
            self._word += bytes([byte])
            if not any(word.startswith(self._word) for word in _WORDS):
                filled[index] = ord("1")
        return bytes(filled)

    def _ask(self) -> None:
        """Whether the value that comes next is to be filled."""
        frame = self._frames[-1]
        if not frame.inner and frame.key is not None:
            frame.fills = self._hides(tuple(each.key for each in self._frames if each.key is not None))


def _decoded(key: bytes) -> str:
    try:
        return str(orjson.loads(b'"' + key + b'"'))
    except ValueError:
        return key.decode(errors="replace")
