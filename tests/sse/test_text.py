from __future__ import annotations

from playground.sse.text import SPANS_KEPT
from tests.support.parsed import fed


def test_the_places_that_are_no_utf_8_are_known() -> None:
    parser, rows = fed([b"data: \xff\xfe \xe4", b"\xba.\n: \xc0\n", b"x\x80\n\n", b"data: \xf0\x9f\xa6"])
    assert [row.data for row in rows] == [" \ufffd", "x\ufffd", "\ufffd\ufffd \ufffd.", "data: \ufffd"]
    assert parser.text.invalid == 6
    assert parser.text.invalid_spans == [(6, 7), (7, 8), (9, 11), (15, 16), (18, 19), (27, 30)]


def test_a_replacement_character_that_was_sent_is_no_invalid_utf_8() -> None:
    parser, _ = fed([b"data: \xef\xbf\xbd\n\ndata: \xef\xbf\xbd\xff\n\n"])
    assert parser.text.invalid == 1


def test_of_very_many_invalid_bytes_the_first_places_are_kept_and_all_are_counted() -> None:
    parser, _ = fed([b"data: " + b"ok" * 1000 + b"\xff" * 5000 + b"\n\n"])
    assert parser.text.invalid == 5000
    assert parser.text.invalid_spans == [(2006 + at, 2007 + at) for at in range(SPANS_KEPT)]
