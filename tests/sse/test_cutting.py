"""However a body is cut, its rows are those that a slow and plain reader finds in the whole."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playground.sse.blocks import WINDOW
from tests.support import streams
from tests.support.parsed import fed, judge


@pytest.mark.parametrize("case", streams.CASES)
def test_a_golden_stream_has_the_same_rows_however_it_is_cut(case: str) -> None:
    body = streams.body(case)
    at_random = [streams.cut_at_random(body, seed) for seed in range(10)]
    judge(body, [body], streams.bytewise(body), streams.cut(body, streams.recorded_cuts(case)), *at_random)


@pytest.mark.parametrize("case", [case for case in streams.CASES if streams.is_stream(case)])
def test_a_golden_stream_has_as_many_events_as_expected(case: str) -> None:
    events = [row for row in fed([streams.body(case)])[1] if row.kind == "event"]
    assert len(events) == streams.expected(case)["events"]


@pytest.mark.parametrize("case", streams.CASES)
def test_the_span_of_a_row_covers_what_the_row_says(case: str) -> None:
    body = streams.body(case)
    end_before = 0
    for row in fed([body])[1]:
        raw = body[row.start : row.end].decode("utf-8", "replace")
        assert row.end <= len(body)
        if row.kind == "event":
            assert all(line in raw for line in row.data.split("\n"))
            assert raw.startswith(("data", "event", "id", "retry"))
        elif row.kind == "comment":
            assert raw.rstrip("\r\n") == f":{row.data}"
        elif row.kind == "ignored":
            assert raw.rstrip("\r\n") == row.data
        else:
            assert raw == row.data
        assert row.end > end_before
        end_before = row.end


SSE_WORDS = [
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"\r\n\r\n", b":", b": ", b" ", b"\0", b"7", b"{}", b"x", b"\xef\xbb\xbf"),
    *(b"data", b"data: ", b"data:", b"event: ", b"event", b"id: ", b"id", b"retry: ", b"retry", b"Data: ", b"foo: 1"),
    *(b"event: a\ndata: 1", b"event: a\r\ndata: 1", b"event: a\rdata: 1", b"data: 1\r2\r\n\r\n"),
    *(b"data: {}\n\n", b"event: a\ndata: {}\n\n", b"data: x\r\n\r\n", b"event: b\r\ndata: y\r\n\r\n", b": ping\n\n"),
    *("é\u2028\x85".encode(), "🦉".encode(), b"\xf0\x9f", b"\x80", b"\xed\xa0\x80", b"\xff", "\ufffd".encode()),
]
sse_like = st.lists(st.sampled_from(SSE_WORDS), max_size=40).map(b"".join)


@st.composite
def cut_bodies(draw: st.DrawFn, bodies: st.SearchStrategy[bytes]) -> list[bytes]:
    body = draw(bodies)
    return streams.cut(body, draw(st.lists(st.integers(0, len(body)), max_size=12)))


@settings(max_examples=1500, deadline=None)
@given(cut_bodies(sse_like))
@example([b"\xef", b"\xbb", b"data: x\n\n"])
@example([b"data: a\r", b"", b"\n\r", b"\n"])
@example([b"data: a\rb\r\n\r\ndata: a\rdata: b\r\n\r\n"])
@example([b"event: data: x\ndata: y\n\n"])
@example([b"event: a\ndata: x\n\n", b"event: a\ndata: x\r\n\r\n", b"event: a\r\ndata: x\n\n"])
def test_what_looks_like_a_stream_gives_the_rows_of_the_standard_for_any_cutting(pieces: list[bytes]) -> None:
    judge(b"".join(pieces), pieces)


@settings(max_examples=400, deadline=None)
@given(cut_bodies(st.binary(max_size=200)))
def test_any_bytes_give_the_rows_of_the_standard_for_any_cutting(pieces: list[bytes]) -> None:
    judge(b"".join(pieces), pieces)


@settings(max_examples=300, deadline=None)
@given(sse_like)
def test_a_byte_a_read_gives_the_rows_of_the_standard(body: bytes) -> None:
    judge(body, streams.bytewise(body))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*SSE_WORDS, b"data: " + b"w" * 300 + b"\n\n"]), min_size=1, max_size=30).map(b"".join),
    st.sampled_from([b"", b"data: " + "é".encode() * (WINDOW // 2), b"data: " + b"z" * (WINDOW - 9)]),
    st.integers(1, 40),
)
def test_a_body_of_several_windows_gives_the_rows_of_the_standard(body: bytes, giant: bytes, times: int) -> None:
    whole = body * times + giant + b"\n\n" + body
    judge(whole, [whole])
