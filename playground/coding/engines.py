"""What undoes one content coding: gzip and deflate by zlib, br and zstd by packages that may be installed or not.

Coded bytes in, decoded bytes and a fault out. Used by the layers of coding/__init__.py.
"""

from __future__ import annotations

import zlib
from importlib import import_module
from typing import Any, Final, Literal, Protocol

GZIP: Final = b"\x1f\x8b"
PACKAGES: Final = {"br": "brotli", "zstd": "zstandard"}

Fault = Literal["", "damaged", "more"]


class Engine(Protocol):
    """Undoes one coding. Takes at most `bite` bytes at once, which bounds what it can answer with."""

    bite: int
    finished: bool  # the coded bytes came to an end of their own

    def undo(self, raw: bytes, room: int) -> tuple[bytes, Fault]:
        """The decoded bytes, and what is wrong: bytes behind the end ("more") or damage. Stops above `room` bytes."""


def engine(coding: str, first: bytes) -> Engine | None:
    """What undoes a coding of a body with these first bytes; None for one that is unknown here."""
    if coding == "gzip":
        return Inflate(16 + zlib.MAX_WBITS)
    if coding == "deflate":
        # The standard means zlib; some servers send it without zlib's two bytes and checksum.
        is_zlib = len(first) > 1 and first[0] & 0x8F == 0x08 and (first[0] << 8 | first[1]) % 31 == 0
        return Inflate(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
    if coding in PACKAGES:
        try:
            package = import_module(PACKAGES[coding])
        except ImportError:
            return None
        return Brotli(package) if coding == "br" else Zstandard(package)
    return None


def is_whole(coding: str, raw: bytes) -> bool:
    """Whether these few bytes are a whole body in that coding: an empty one in br is b";", which looks like text."""
    trial = engine(coding, raw)
    return trial is not None and trial.undo(raw, len(raw))[1] == "" and trial.finished


def why_unknown(coding: str) -> str:
    """Half a sentence for a person: why there is no engine for a coding."""
    if coding in PACKAGES:
        return f"which needs the package {PACKAGES[coding]} (pip install {PACKAGES[coding]})"
    return "which is not known here"


class Inflate:
    """gzip in any number of members, zlib, or raw deflate, as zlib's window bits tell them apart."""

    # Small, because where a member ends zlib copies the rest, and where it fails all is done again by the byte.
    bite = 4096

    def __init__(self, window_bits: int) -> None:
        self._window_bits = window_bits
        self._has_members = window_bits > zlib.MAX_WBITS
        self._held = b""  # what may begin another member
        self._begin()

    def _begin(self) -> None:
        self.finished = False
        self._stream = zlib.decompressobj(self._window_bits)
        self._mark(zlib.decompressobj(self._window_bits))

    def _mark(self, stream: zlib._Decompress) -> None:
        """Remember a state to come back to. Now and then, since a copy costs as much as decoding a thousand bytes."""
        self._marked = stream
        self._taken = bytearray()
        self._given = 0

    def undo(self, raw: bytes, room: int) -> tuple[bytes, Fault]:
        pieces: list[bytes] = []
        while raw and room >= 0:
            if self.finished:
                raw, self._held = self._held + raw, b""
                if self._has_members:
                    raw = raw.lstrip(b"\0")  # padding, as gzip itself takes it
                if not self._has_members or not (raw.startswith(GZIP) or GZIP.startswith(raw)):
                    return b"".join(pieces), "more"
                if len(raw) < len(GZIP):
                    self._held = raw
                    break
                self._begin()
            if len(self._taken) >= self.bite:
                self._mark(self._stream.copy())
            self._taken += raw
            try:
                decoded = self._stream.decompress(raw, room + 1)
            except zlib.error:
                pieces.append(self._until_damage())
                return b"".join(pieces), "damaged"
            pieces.append(decoded)
            self._given += len(decoded)
            room -= len(decoded)
            self.finished = self._stream.eof
            raw = self._stream.unused_data
        return b"".join(pieces), ""

    def _until_damage(self) -> bytes:
        """zlib drops what a failing call had decoded: go back and do it again by the byte."""
        decoded = bytearray()
        try:
            for byte in self._taken:
                decoded += self._marked.decompress(bytes((byte,)))
        except zlib.error:
            pass
        return bytes(decoded[self._given :])


class Brotli:
    """br, by the package brotli. A byte can stand for megabytes, hence the bite."""

    bite = 16

    def __init__(self, package: Any) -> None:
        self.finished = False
        self._error = package.error
        self._stream = package.Decompressor()

    def undo(self, raw: bytes, room: int) -> tuple[bytes, Fault]:
        if self.finished:
            return b"", "more"
        try:
            decoded: bytes = self._stream.process(raw)
        except self._error:
            return b"", "damaged"
        self.finished = self._stream.is_finished()
        return decoded, ""


class Zstandard:
    """zstd in any number of frames, by the package zstandard."""

    bite = 64

    def __init__(self, package: Any) -> None:
        self.finished = False
        self._error = package.ZstdError
        self._reader = package.ZstdDecompressor()
        self._stream = self._reader.decompressobj()

    def undo(self, raw: bytes, room: int) -> tuple[bytes, Fault]:
        pieces: list[bytes] = []
        while raw:
            if self.finished:
                self._stream = self._reader.decompressobj()
                self.finished = False
            try:
                pieces.append(self._stream.decompress(raw))
            except self._error:
                return b"".join(pieces), "damaged"
            self.finished = self._stream.eof
            raw = self._stream.unused_data
        return b"".join(pieces), ""
