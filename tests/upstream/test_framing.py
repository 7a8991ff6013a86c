import itertools
import random

import pytest

from playground.upstream.framing import Chunked, Framing, Length, UntilClose, framing_of
from tests.support.raw_server import LAST_CHUNK, chunk

BODIES = [b"a", b"data: {}\n\n", b"\r\n0\r\n\r\n", b"x" * 5000]
WIRE = b"".join(map(chunk, BODIES)) + b'3;name="a b" \r\nend\r\n0;x\r\nTrailer: 1\r\nAnother: 2\r\n\r\n'
BODY = b"".join(BODIES) + b"end"


def fed(framing: Framing, *pieces: bytes) -> bytes:
    return b"".join(framing.feed(piece) for piece in pieces)


def test_chunks_give_the_same_body_however_they_are_cut() -> None:
    chance = random.Random(7)
    cuts = [sorted(chance.sample(range(len(WIRE)), 40)) for _ in range(100)]
    for cut in [[], list(range(len(WIRE))), *cuts]:
        framing = Chunked()
        edges = [0, *cut, len(WIRE)]
        assert fed(framing, *(WIRE[a:b] for a, b in itertools.pairwise(edges))) == BODY
        assert (framing.done, framing.whole, framing.broken, framing.rest) == (True, True, "", b"")


def test_the_body_is_whole_with_its_last_byte_alone() -> None:
    framing = Chunked()
    for position in range(len(WIRE) - 1):
        framing.feed(WIRE[position : position + 1])
        assert not framing.done
        assert not framing.whole
    framing.feed(WIRE[-1:])
    assert framing.done


def test_what_comes_behind_the_end_is_no_body() -> None:
    for framing, wire in ((Chunked(), chunk(b"abc") + LAST_CHUNK + b"HTTP/1.1"), (Length(3), b"abcHTTP/1.1")):
        assert framing.feed(wire) == b"abc"
        assert framing.rest == b"HTTP/1.1"


@pytest.mark.parametrize(
    "wire",
    [
        b"\r\n",
        b"data",
        b"g\r\n",
        b"-1\r\n",
        b"0x3\r\n",
        b" 3\r\n",
        b"3\nabc",
        b"+3\r\n",
        b"1_0\r\n",
        b"f" * 17 + b"\r\n",
        b"3\r\nabcd\r\n",
        b"3\r\nabc\n0\r\n",
        b"3\r\nabc3\r\n",
        b"\xd9\xa3\r\n",
        b"3;a\nb\r\n",
    ],
)
def test_garbage_is_broken_however_it_is_cut(wire: bytes) -> None:
    for framing, pieces in ((Chunked(), [wire]), (Chunked(), [bytes([byte]) for byte in wire])):
        for piece in pieces:
            if not framing.broken:
                framing.feed(piece)
        assert framing.broken
        assert not framing.done


def test_lines_and_trailers_do_not_grow_without_end() -> None:
    for start, piece in ((b"1;", b"x" * 100), (b"0\r\n", b"x" * 100), (b"0\r\n", b"a: b\r\n")):
        framing = Chunked()
        framing.feed(start)
        size = 0
        while not framing.broken:
            framing.feed(piece)
            size += len(piece)
            assert size < 100_000


def test_chunks_cost_what_they_weigh() -> None:
    framing = Chunked()
    wire = b"1\r\nx\r\n" * 10_000
    assert framing.feed(wire) == b"x" * 10_000


def test_a_length_is_counted_down() -> None:
    framing = Length(5)
    assert (framing.feed(b"abc"), framing.whole) == (b"abc", False)
    assert (framing.feed(b"de"), framing.whole, framing.done) == (b"de", True, True)
    assert Length(0).done


def test_without_a_length_the_close_is_the_end() -> None:
    framing = UntilClose()
    assert framing.feed(b"anything") == b"anything"
    assert (framing.whole, framing.done) == (True, False)


@pytest.mark.parametrize(
    ("method", "status", "headers", "expected"),
    [
        ("POST", 200, [("Transfer-Encoding", "Chunked"), ("content-length", "3")], Chunked),
        ("POST", 200, [("Content-Length", " 3 ")], Length),
        ("POST", 200, [("Content-Length", "3, 3")], Length),
        ("POST", 200, [], UntilClose),
        ("HEAD", 200, [("Transfer-Encoding", "chunked")], Length),
        ("GET", 304, [("Content-Length", "3")], Length),
        ("GET", 204, [], Length),
    ],
)
def test_the_head_says_how_the_body_is_framed(
    method: str, status: int, headers: list[tuple[str, str]], expected: type[Framing]
) -> None:
    framing = framing_of(method, status, headers)
    assert type(framing) is expected
    if method == "HEAD" or status in {204, 304}:
        assert framing.done
