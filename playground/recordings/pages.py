"""Reads as a page and back, bit for bit. recorder.py packs, replay.py unpacks.

A page's `marks`: one byte (0 plain, 1 deflated), then varints: how many reads, their sizes, their times. A time is
0 when unknown, else 1 + the zigzag of its distance from the last known time of the page (from 0 for the first).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence

from playground.reads import Read

PAGE_BYTES = 64_000
PAGE_TIME = 250_000
"""Microseconds between the first and the last read of a page, at most."""

LONGEST_VARINT = 10
"""Bytes of 64 bits, seven at a time."""


def cut(reads: Sequence[Read]) -> Iterator[Sequence[Read]]:
    """The reads page by page; a read larger than a page is a page of its own."""
    start = size = 0
    began: int | None = None
    for index, read in enumerate(reads):
        late = began is not None and read.time is not None and read.time - began > PAGE_TIME
        if index > start and (late or size + len(read.body) > PAGE_BYTES):
            yield reads[start:index]
            start, size, began = index, 0, None
        size += len(read.body)
        if began is None:
            began = read.time
    if reads:
        yield reads[start:]


def pack(reads: Sequence[Read]) -> tuple[bytes, bytes]:
    """(body, marks) of reads that follow one another."""
    numbers = [len(reads), *(len(read.body) for read in reads)]
    last = 0
    for read in reads:
        if read.time is None:
            numbers.append(0)
        else:
            step = read.time - last
            numbers.append((step << 1 if step >= 0 else ((-step) << 1) - 1) + 1)
            last = read.time
    marks = _varints(numbers)
    if len(marks) > 64:
        deflated = zlib.compress(marks, 1)
        if len(deflated) < len(marks):
            return b"".join([read.body for read in reads]), b"\x01" + deflated
    return b"".join([read.body for read in reads]), b"\x00" + marks


def unpack(first: int, body: bytes, marks: bytes) -> list[Read]:
    """The reads of a page whose first read has the number `first`."""
    numbers = _numbers(_plain(marks))
    size = numbers[0]
    reads = []
    offset = last = 0
    for number, (length, mark) in enumerate(zip(numbers[1 : size + 1], numbers[size + 1 :], strict=True), first):
        time = None
        if mark:
            mark -= 1
            last += -((mark + 1) >> 1) if mark & 1 else mark >> 1
            time = last
        end = offset + length
        reads.append(Read(number, time, body[offset:end]))
        offset = end
    return reads


def count(marks: bytes) -> int:
    """How many reads the page has."""
    return _numbers(_plain(marks)[:LONGEST_VARINT])[0]


def _plain(marks: bytes) -> bytes:
    return zlib.decompress(marks[1:]) if marks[0] else marks[1:]


def _varints(numbers: Iterable[int]) -> bytes:
    packed = bytearray()
    append = packed.append
    for number in numbers:
        if number < 128:
            append(number)
        elif number < 16384:
            append(number & 127 | 128)
            append(number >> 7)
        else:
            while number > 127:
                append(number & 127 | 128)
                number >>= 7
            append(number)
    return bytes(packed)


def _numbers(packed: bytes) -> list[int]:
    numbers = []
    number = shift = 0
    for byte in packed:
        if byte < 128:
            numbers.append(number | byte << shift)
            number = shift = 0
        else:
            number |= (byte & 127) << shift
            shift += 7
    return numbers
