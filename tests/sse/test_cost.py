"""Every byte is looked at a bounded number of times. Counted in bytes and rows, because a clock would flake."""

from __future__ import annotations

from playground.sse.blocks import NAMES_KEPT
from playground.sse.parser import Parser


def test_a_line_in_very_many_reads_costs_each_byte_once() -> None:
    class Watched(bytearray):
        copied = 0

        def __getitem__(self, part):  # type: ignore[no-untyped-def]
            taken = super().__getitem__(part)
            if isinstance(part, slice):
                Watched.copied += len(taken)
            return taken

    parser = Parser()
    parser.feed(b"data: ", 1, 0)
    parser._kept = Watched(parser._kept)
    for number in range(100_000):
        parser.feed(b"0123456789", number, 0)
    assert isinstance(parser._kept, Watched)
    [row] = parser.feed(b"\n\n", 2, 0)
    assert len(row.data) == 1_000_000
    assert Watched.copied <= row.end


def test_between_two_blocks_nothing_is_kept() -> None:
    parser = Parser()
    rows = parser.feed(b": \n" * 200_000 + b"data\n" * 200_000 + b"\n" + b"data: x\n\n" * 50_000, 1, 0)
    assert len(rows) == 250_001
    assert len(parser._kept) == 0


def test_names_that_never_come_again_do_not_pile_up() -> None:
    parser = Parser()
    rows = parser.feed(b"".join(b"event: %d\ndata: x\n\n" % number for number in range(1000)), 1, 0)
    assert [row.name for row in rows] == [str(number) for number in range(1000)]
    assert len(parser._names) <= NAMES_KEPT


def test_a_line_that_came_in_two_reads_is_kept_no_longer_than_it_is_open() -> None:
    parser = Parser()
    parser.feed(b"data: 1\n\ndata:", 1, 0)
    assert bytes(parser._kept) == b"data:"
    assert [row.data for row in parser.feed(b" 2\n\n", 2, 0)] == ["2"]
    assert len(parser._kept) == 0
