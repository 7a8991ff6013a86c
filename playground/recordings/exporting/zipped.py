"""Files zipped while they are made, into pieces; nothing is held but what was not given on yet. Used by case.py and
__init__.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZipFile

Files = Iterable[tuple[str, Iterable[bytes]]]

PIECE = 64 * 1024


class _Pieces:
    """A file that cannot seek: zipfile then writes sizes behind each member."""

    def __init__(self) -> None:
        self.written = bytearray()

    def write(self, data: bytes, /) -> int:
        self.written += data
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken = bytes(self.written)
        self.written.clear()
        return taken


def zipped(files: Files) -> Iterator[bytes]:
    """The name of each file is a path with `/`. A file's pieces are made when they are asked for, in order."""
    pieces = _Pieces()
    with ZipFile(cast(IO[bytes], pieces), "w", ZIP_DEFLATED) as archive:
        for name, content in files:
            with archive.open(name, "w", force_zip64=True) as member:
                for piece in content:
                    member.write(piece)
                    if len(pieces.written) > PIECE:
                        yield pieces.take()
    yield pieces.take()
