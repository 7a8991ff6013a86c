"""A body in pieces in, the same body out with all that looks like a vendor's key replaced by as much filler.

Keys that no request brought are known by their shape alone: another person's, or the upstream's own in an error. Used
by masking.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from playground.recordings.plain import FILLER
from playground.recordings.secrets import KEY_BEGINNINGS, KEY_EDGE, key_places

_RUN: Final = bytes(range(0x30, 0x3A)) + bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B)) + b"_-.+/="
"""Bytes that a key may be made of; what stands between two others is judged as a whole."""

_LONGEST: Final = 8192
_EDGE: Final = 3
"""Bytes before a key that are looked at."""
_BEGUN: Final = {beginning[:size] for beginning in KEY_BEGINNINGS for size in range(1, len(beginning))}

# Where a key begins, and where what stands at the very end may begin one: not in the middle of a word.
_BEGINS: Final = re.compile(
    KEY_EDGE
    + rb"(?:%b|(?:%b)\Z)"
    % (b"|".join(map(re.escape, sorted(KEY_BEGINNINGS))), b"|".join(map(re.escape, sorted(_BEGUN))))
)


class KeyShapes:
    """`masked` counts what was replaced."""

    def __init__(self) -> None:
        self.masked = 0
        self._held = b""
        self._before = b""

    def feed(self, body: bytes) -> bytes:
        """What is certain, but for a tail that may begin a key."""
        body = self._held + body if self._held else body
        tail = len(body[-_LONGEST:].rstrip(_RUN)) + max(0, len(body) - _LONGEST)
        text = self._before + body
        begins = _BEGINS.search(text, len(self._before) + tail) if tail < len(body) else None
        if begins is None:
            self._held = b""
            return self._certain(body)
        end = begins.start() - len(self._before)
        self._held = body[end:]
        return self._certain(body[:end])

    def end(self) -> bytes:
        """What was held back, when the body is over."""
        rest, self._held = self._held, b""
        return self._certain(rest)

    def _certain(self, body: bytes) -> bytes:
        known = len(self._before)
        text = self._before + body
        self._before = text[-_EDGE:]
        places = [(start - known, end - known) for start, end in key_places(text) if start >= known]
        return self._filled(body, places) if places else body

    def whole(self, text: bytes) -> bytes:
        """A text that is complete, such as a title."""
        return self._filled(text, key_places(text))

    def _filled(self, text: bytes, places: Sequence[tuple[int, int]]) -> bytes:
        filled = bytearray(text)
        for start, end in places:
            filled[start:end] = FILLER.encode() * (end - start)
        self.masked += len(places)
        return bytes(filled)
