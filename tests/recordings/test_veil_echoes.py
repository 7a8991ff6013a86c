"""A planted echo comes out nowhere, in the same rows and however the body is cut: broken by hand and at random."""

from __future__ import annotations

import pytest

from playground.sse.parser import Parser
from tests.recordings.test_veil_closed import cuts, through
from tests.support import broken, streams


@pytest.mark.parametrize("case", streams.CASES)
def test_a_golden_stream_comes_out_the_same_however_it_is_cut(case: str) -> None:
    body = streams.body(case)
    whole = through([body])
    assert rows(whole) == rows(body)
    assert all(through(pieces) == whole for pieces in cuts(body, 2))


@pytest.mark.parametrize("body", [*broken.BODIES, *broken.WELL_FORMED])
def test_an_echo_in_any_place_is_left_out_of_the_same_rows(body: bytes) -> None:
    whole = through([body])
    assert b"SECRET" not in whole
    assert rows(whole) == rows(body)
    assert all(through(pieces) == whole for pieces in cuts(body, 3))


@pytest.mark.parametrize("seed", range(0, 600, 60))
def test_no_byte_of_structure_more_or_less_brings_an_echo_out(seed: int) -> None:
    for each in range(seed, seed + 60):
        body = broken.mutated(broken.WELL_FORMED[each % len(broken.WELL_FORMED)], each)
        whole = through([body])
        assert b"SECRET" not in whole, body
        assert rows(whole) == rows(body)
        assert through(streams.bytewise(body)) == whole, body


def rows(body: bytes) -> list[tuple[int, str, int, int]]:
    parser = Parser()
    return [(row.number, row.kind, row.start, row.end) for row in [*parser.feed(body, 1, None), *parser.end()]]
