"""Bytes that somebody wants to import: a name, their beginning, and the rest a block or a line at a time.

Made by importing/__init__.py out of a file that is open; read by one kind, once, from the start.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

BLOCK: Final = 16_384
"""Bytes in a read of a body that says nothing of its own reads."""

START: Final = 65_536
"""Bytes that a kind is recognised by."""

LONGEST_LINE: Final = 32 * 1024 * 1024
"""No event is larger; a longer line is no stream."""

MOST: Final = 512 * 1024 * 1024
"""Bytes of one import, unpacked."""

# Bytes that no text has; a stream that a compression made unreadable has them in its first lines.
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class ImportRefused(Exception):
    """Nothing can be kept of it: a code word, and a sentence that says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Source:
    """`name` is the file's, "" when there is none. `start` are the first bytes, `text` those without a BOM and blanks.

    `file` stands behind `start`; who needs to seek in it must know that it can.
    """

    def __init__(self, name: str, file: BinaryIO, most: int = MOST) -> None:
        self.name = name
        self.file = file
        self.most = most
        self._taken = 0
        self.start = self._first()
        self.text = self.start.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")

    @property
    def whole(self) -> bool:
        """Nothing comes behind `start`."""
        return len(self.start) < START

    @property
    def binary(self) -> bool:
        """Whether more than one of a hundred bytes is in no text; a stray one is for the reader to find."""
        return len(_BINARY.findall(self.start)) * 100 > len(self.start)

    def ends(self, *endings: str) -> bool:
        """Whether the name has one of these endings."""
        return self.name.lower().endswith(endings)

    def blocks(self, size: int = BLOCK, longest: int = LONGEST_LINE) -> Iterator[bytes]:
        """All bytes. Raises ImportRefused when they are too many or a line is too long."""
        for position in range(0, len(self.start), size):
            yield self.start[position : position + size]
        line = len(self.start) - self.start.rfind(b"\n") - 1
        while not self.whole and (block := self._more(size)):
            newline = block.rfind(b"\n")
            line = len(block) - newline - 1 if newline >= 0 else line + len(block)
            if line > longest:
                raise too_long()
            yield block

    def lines(self) -> Iterator[bytes]:
        """All lines with their ends, which are LF. Raises as blocks() does."""
        pieces: list[bytes] = []
        for block in self.blocks(START):
            start = 0
            while (end := block.find(b"\n", start) + 1) > 0:
                pieces.append(block[start:end])
                yield b"".join(pieces)
                pieces.clear()
                start = end
            if start < len(block):
                pieces.append(block[start:])
        if pieces:
            yield b"".join(pieces)

    def open(self) -> io.BufferedReader:
        """All bytes as a file that is read from its start. Raises as blocks() does."""
        return io.BufferedReader(_Blocks(self.blocks(START)), START)

    def all(self, most: int) -> bytes:
        """All bytes at once; ImportRefused when there are more than `most`."""
        found = bytearray()
        for block in self.blocks(START):
            found += block
            if len(found) > most:
                raise too_large(most)
        return bytes(found)

    def _first(self) -> bytes:
        found = bytearray()
        while len(found) < START and (block := self._more(START - len(found))):
            found += block
        return bytes(found)

    def _more(self, size: int) -> bytes:
        try:
            block = self.file.read(size)
        except (OSError, EOFError, ValueError) as error:
            raise ImportRefused(
                "unreadable", f"It cannot be read to its end ({error}); take it from the source again."
            ) from None
        self._taken += len(block)
        if self._taken > self.most:
            raise too_large(self.most)
        return block


class _Blocks(io.RawIOBase):
    """Blocks as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._rest or next(self._blocks, b"")
        size = min(len(block), len(buffer))
        buffer[:size] = block[:size]
        self._rest = block[size:]
        return size


def too_large(most: int) -> ImportRefused:
    size = f"{most // 1024**2} MB" if most >= 1024**2 else f"{most} bytes"
    return ImportRefused("too-large", f"It has more than {size}; import a shorter part of it.")


def too_long() -> ImportRefused:
    return ImportRefused(
        "line-too-long",
        f"It has a line of more than {LONGEST_LINE // 1024**2} MB, which is no event of a stream; "
        "import the answer's body, curl's output, a HAR file or a recording.",
    )
