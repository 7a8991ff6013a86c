"""A body in pieces in, the same body out with all that looks like a vendor's key replaced by as much filler.

For bodies that no request of this server asked for (taking.py): there is no key to know, only its shape.
"""

from __future__ import annotations

from typing import Final

from playground.recordings.masking import FILLER
from playground.recordings.secrets import KEY_BEGINNINGS, key_shaped

_RUN: Final = bytes(range(0x30, 0x3A)) + bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B)) + b"_-.+/="
"""Bytes that a key may be made of; what stands between two others is judged as a whole."""

_LONGEST: Final = 8192
_BEGUN: Final = frozenset(beginning[:size] for beginning in KEY_BEGINNINGS for size in range(1, len(beginning)))
_LONGEST_BEGUN: Final = max(map(len, _BEGUN))


class KeyShapes:
    """`masked` counts what was replaced."""

    def __init__(self) -> None:
        self.masked = 0
        self._held = b""

    def feed(self, body: bytes) -> bytes:
        """What is certain, but for a tail that may begin a key."""
        body = self._held + body if self._held else body
        tail = len(body[-_LONGEST:].rstrip(_RUN)) + max(0, len(body) - _LONGEST)
        if tail < len(body) and _may_begin(body[tail:]):
            self._held = body[tail:]
            return self.whole(body[:tail])
        self._held = b""
        return self.whole(body)

    def end(self) -> bytes:
        """What was held back, when the body is over."""
        rest, self._held = self._held, b""
        return self.whole(rest)

    def whole(self, text: bytes) -> bytes:
        """A text that is complete, such as a header's value."""
        for key in sorted(key_shaped(text), key=len, reverse=True):
            self.masked += text.count(key.encode())
            text = text.replace(key.encode(), FILLER.encode() * len(key))
        return text


def _may_begin(run: bytes) -> bool:
    return any(beginning in run for beginning in KEY_BEGINNINGS) or any(
        run[-size:] in _BEGUN for size in range(1, _LONGEST_BEGUN + 1)
    )
