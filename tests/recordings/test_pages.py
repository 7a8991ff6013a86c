"""Reads come out of pages as they went in."""

from hypothesis import given, settings
from hypothesis import strategies as st

from playground.reads import Read
from playground.recordings.pages import PAGE_BYTES, PAGE_TIME, count, cut, pack, unpack

times = st.none() | st.integers(min_value=0, max_value=2**50)
bodies = st.lists(st.tuples(times, st.binary(max_size=300)), max_size=60)


def reads_of(pairs: list[tuple[int | None, bytes]], first: int = 1) -> list[Read]:
    return [Read(first + index, time, body) for index, (time, body) in enumerate(pairs)]


@settings(deadline=None)
@given(bodies, st.integers(min_value=1, max_value=10**9))
def test_any_reads_survive_any_times_included(pairs: list[tuple[int | None, bytes]], first: int) -> None:
    reads = reads_of(pairs, first)
    found = []
    for page in cut(reads):
        body, marks = pack(page)
        assert count(marks) == len(page)
        found += unpack(page[0].number, body, marks)
    assert found == reads


def test_a_page_ends_at_its_size_and_at_its_time() -> None:
    large = reads_of([(0, b"x" * 40_000), (1, b"x" * 40_000), (2, b"x" * 200_000), (3, b"x")])
    assert [len(page) for page in cut(large)] == [1, 1, 1, 1]
    slow = reads_of([(0, b"x"), (PAGE_TIME, b"x"), (PAGE_TIME + 1, b"x"), (2 * PAGE_TIME, b"x")])
    assert [len(page) for page in cut(slow)] == [2, 2]
    assert PAGE_BYTES < 65_536


def test_tiny_reads_cost_less_than_three_bytes_a_byte() -> None:
    reads = reads_of([(100_000 + 997 * index + index * index % 23, b"x") for index in range(250)])
    kept = sum(len(body) + len(marks) for body, marks in map(pack, cut(reads)))
    assert kept < 3 * 250
