"""The objects of one long list in a JSON document, one after another, without holding the document. Used by har.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

_TOKEN: Final = re.compile(rb'["{}\[\]]')
_STRING: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.S)

_OUTSIDE: Final = 2
"""So deep stands the list: {"log": {"entries": [...]}}."""


class Entries:
    """`over` says, once all were given, whether the list had its end; `longest` is the size of an object at most."""

    def __init__(self, blocks: Iterable[bytes], key: bytes, longest: int) -> None:
        self.over = False
        self.too_long = False
        self._blocks = blocks
        self._key = key
        self._longest = longest
        self._depth = 0
        self._inside = False
        self._string = False
        self._named = b""

    def __iter__(self) -> Iterator[bytes]:
        """The bytes of each object."""
        held = bytearray()
        start: int | None = None
        position = 0
        for block in self._blocks:
            held += block
            while True:
                if self._string:
                    begun = position
                    position = _STRING.match(held, position).end()  # type: ignore[union-attr] # also matches nothing
                    if self._depth == _OUTSIDE and not self._inside:
                        self._named = (self._named + bytes(held[begun:position]))[:64]
                    if held[position : position + 1] != b'"':
                        break
                    position += 1
                    self._string = False
                    continue
                token = _TOKEN.search(held, position)
                if token is None:
                    position = len(held)
                    break
                position = token.end()
                match token[0]:
                    case b'"':
                        self._string = True
                        self._named = b""
                    case b"{" | b"[":
                        self._inside = self._inside or (
                            self._depth == _OUTSIDE and token[0] == b"[" and self._named == self._key
                        )
                        self._depth += 1
                        if self._inside and self._depth == _OUTSIDE + 2:
                            start = token.start()
                    case _:
                        self._depth -= 1
                        if start is not None and self._depth == _OUTSIDE + 1:
                            yield bytes(held[start:position])
                            start = None
                        elif self._inside and self._depth == _OUTSIDE:
                            self.over = True
                            return
            kept = position if start is None else start
            if len(held) - kept > self._longest:
                self.too_long = True
                return
            del held[:kept]
            position -= kept
            start = None if start is None else 0
