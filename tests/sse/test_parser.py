from __future__ import annotations

import pytest

from playground.sse.parser import Parser
from tests.support import streams
from tests.support.parsed import fed, found


def kinds(*pieces: bytes) -> list[tuple[str, str, str]]:
    return [(row.kind, row.name, row.data) for row in fed(pieces)[1]]


def test_an_event_starts_at_its_first_field_line_and_ends_behind_its_blank_line() -> None:
    body = b": hi\nfoo\nevent: a\n: inside\ndata: 1\nid: 7\n\ndata: 2\n\n"
    rows = found(body)
    assert [(row.kind, body[row.start : row.end]) for row in rows] == [
        ("comment", b": hi\n"),
        ("ignored", b"foo\n"),
        ("comment", b": inside\n"),
        ("event", b"event: a\n: inside\ndata: 1\nid: 7\n\n"),
        ("event", b"data: 2\n\n"),
    ]
    assert (rows[3].name, rows[3].data, rows[3].id) == ("a", "1", "7")
    assert rows[4].id is None


def test_the_lf_of_a_crlf_that_ends_a_row_is_in_no_row() -> None:
    body = b"data: 1\r\n\r\n: c\r\ndata: 2\r\n\r\n"
    assert [body[row.start : row.end] for row in found(body)] == [b"data: 1\r\n\r", b": c\r", b"data: 2\r\n\r"]


def test_a_cr_at_the_end_of_a_read_ends_the_line_at_once() -> None:
    parser = Parser()
    assert [row.data for row in parser.feed(b"data: now\r\n\r", 1, 10)] == ["now"]
    assert parser.feed(b"\n", 2, 20) == []
    [row] = parser.feed(b"data: then\r\r", 3, 30)
    assert (row.data, row.read, row.time) == ("then", 3, 30)
    assert parser.line_ends == (0, 2, 2)


def test_a_row_has_the_read_and_the_time_that_completed_it() -> None:
    parser = Parser()
    assert parser.feed(b"data: 1\n", 1, None) == []
    rows = parser.feed(b"\ndata: 2\n\ndata: 3", 2, 5)
    assert [(row.number, row.read, row.time) for row in rows] == [(1, 2, 5), (2, 2, 5)]
    parser.feed(b"", 3, 9)
    assert [(row.kind, row.number, row.read, row.time) for row in parser.end()] == [("tail", 3, 3, 9)]


def test_only_one_leading_bom_is_removed_even_over_several_reads() -> None:
    bom = b"\xef\xbb\xbf"
    for pieces in (
        [bom + b"data: x\n\n"],
        [b"\xef", b"\xbb\xbfdata: x\n\n"],
        [b"\xef", b"", b"\xbb", b"\xbf", b"data: x\n\n"],
    ):
        parser, [row] = fed(pieces)
        assert parser.leading_bom
        assert (row.kind, row.data, row.start) == ("event", "x", 3)
    parser, rows = fed([bom + bom + b"data: x\n\n"])
    assert [(row.kind, row.name) for row in rows] == [("ignored", "\ufeffdata")]


def test_a_bom_that_never_became_whole_is_a_tail() -> None:
    parser, [row] = fed([b"\xef", b"\xbb"])
    assert (row.kind, row.data, row.start, row.end) == ("tail", "\ufffd", 0, 2)
    assert not parser.leading_bom
    assert parser.text.invalid_spans == [(0, 2)]


@pytest.mark.parametrize("body", [b"", b"\xef\xbb\xbf", b"\n\n", b"\r\n\r", b": gone\n", b"data: x\n\n\n"])
def test_a_body_that_ends_between_blocks_has_no_tail(body: bytes) -> None:
    assert all(row.kind != "tail" for row in fed([body])[1])


def test_the_tail_is_one_row_with_all_that_was_not_dispatched() -> None:
    body = b"data: whole\n\nevent: half\n: c\ndata: one\ndata: tw"
    rows = found(body)
    assert [row.kind for row in rows] == ["event", "comment", "tail"]
    assert rows[-1] == (3, "tail", 13, len(body), "half", "event: half\n: c\ndata: one\ndata: tw", None)


def test_the_tail_comes_once() -> None:
    parser = Parser()
    parser.feed(b"data: x", 1, 0)
    assert [row.kind for row in parser.end()] == ["tail"]
    assert parser.end() == []


def test_fields_without_data_are_a_block_and_dispatch_nothing() -> None:
    assert kinds(b"event: ping\nid: 1\n\nretry: 10\n\n") == [
        ("block", "ping", "event: ping\nid: 1\n\n"),
        ("block", "", "retry: 10\n\n"),
    ]


def test_a_block_keeps_its_raw_text_over_many_reads() -> None:
    body = b"event: pi\xffng\n: c\r\nid: 1\r\r"
    assert kinds(*streams.bytewise(body)) == [
        ("comment", "", " c"),
        ("block", "pi\ufffdng", "event: pi\ufffdng\n: c\r\nid: 1\r\r"),
    ]


def test_an_empty_data_field_is_dispatched() -> None:
    assert kinds(b"data\n\ndata:\n\ndata: \n\n") == [("event", "", "")] * 3


def test_data_lines_are_joined_by_lf_and_lose_one_space_each() -> None:
    assert kinds(b"data:a\ndata:  b\ndata\ndata: c\n\n") == [("event", "", "a\n b\n\nc")]


def test_the_last_name_and_the_last_id_of_a_block_win() -> None:
    [row] = found(b"event: a\nid: 1\nevent: b\nid\ndata\n\n")
    assert (row.name, row.id) == ("b", "")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"Data: x", "Data"),
        (b" data: x", " data"),
        (b"[DONE]", "[DONE]"),
        (b"error: boom", "error"),
        (b"id: a\0b", "id"),
        (b"retry: soon", "retry"),
        (b"retry", "retry"),
        (b"retry: -1", "retry"),
        ("retry: ٣".encode(), "retry"),
        (b"\xef\xbb\xbfdata: x", "\ufeffdata"),
    ],
)
def test_a_line_that_does_nothing_is_a_row_of_its_own(line: bytes, name: str) -> None:
    assert kinds(b"data: 1\n" + line + b"\n\n") == [("ignored", name, line.decode()), ("event", "", "1")]
    assert kinds(b"\n" + line + b"\n\n") == [("ignored", name, line.decode())]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\v", "\f", "\x1c"])
def test_only_cr_and_lf_end_lines(mark: str) -> None:
    assert kinds(f"data: a{mark}b\n\n".encode()) == [("event", "", f"a{mark}b")]
