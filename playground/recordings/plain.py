"""An answer's body decoded, so that what it says can be searched. Used by masking.py and veil.py.

head() first, then feed() and once end(). What cannot be decoded becomes filler of the same size.
"""

from __future__ import annotations

import re
from typing import Final

from playground.coding import ALIASES, Coding
from playground.coding.engines import engine
from playground.reads import Head, Headers

FILLER: Final = "*"

# Bytes that no text has: what is coded in a way that is unknown here, and not only said to be.
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\xf8-\xff]")


class Plain:
    """`undone`: the body came in a coding; `unreadable`: in one that is unknown here, whose name is `coded`."""

    def __init__(self) -> None:
        self.coded = ""
        self.undone = False
        self.unreadable = False
        self._coding: Coding | None = None

    def head(self, head: Head) -> Headers:
        """The answer's headers as they are true of the decoded body."""
        self.coded = head.header("content-encoding").strip().lower()
        words = [word.strip() for word in self.coded.split(",")]
        if all(word in {"", "identity"} or engine(ALIASES.get(word, word), b"") for word in words):
            self._coding = Coding(self.coded)
            return tuple((name, value) for name, value in head.headers if name.lower() != "content-encoding")
        return head.headers

    def feed(self, body: bytes) -> bytes:
        if self._coding is not None:
            decoded = self._coding.feed(body)
            self.undone = self.undone or decoded is not body
            return decoded
        if self.coded and not self.unreadable:
            self.unreadable = _BINARY.search(body) is not None
        return FILLER.encode() * len(body) if self.unreadable else body

    def end(self) -> bytes:
        """What the coding held back."""
        return b"" if self._coding is None else self._coding.end()
