from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.sse.writer import write_comment, write_event
from tests.support.parsed import fed

one_line = st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"]))


def test_an_event_is_written_as_every_server_writes_it() -> None:
    assert write_event("{}") == b"data: {}\n\n"
    assert write_event("{}", "ping") == b"event: ping\ndata: {}\n\n"
    assert write_event("", "ping", "") == b"id: \nevent: ping\ndata: \n\n"


def test_every_line_of_the_data_gets_a_line_of_its_own() -> None:
    assert write_event("a\nb\r\nc\rd\n") == b"data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"


def test_only_cr_and_lf_split_the_data() -> None:
    assert write_event("a\u2028b\x85c") == "data: a\u2028b\x85c\n\n".encode()


def test_a_comment_is_written_with_its_blank_line() -> None:
    assert write_comment() == b":\n\n"
    assert write_comment("still\nhere") == b": still\n: here\n\n"


def test_halves_of_a_character_are_joined_and_a_lone_half_is_replaced() -> None:
    assert write_event("\ud83e\udd89 \udcaf") == "data: 🦉 \ufffd\n\n".encode()


@pytest.mark.parametrize(("name", "id"), [("a\nb", None), ("a\rb", None), ("", "1\n"), ("", "1\r"), ("", "\0")])
def test_what_no_reader_could_get_back_is_refused(name: str, id: str | None) -> None:
    with pytest.raises(ValueError, match="cannot"):
        write_event("{}", name, id)


@given(st.text(st.characters(exclude_categories=["Cs"])), one_line, st.none() | one_line)
def test_what_is_written_is_read_back(data: str, name: str, id: str | None) -> None:
    [row] = fed([write_event(data, name, id)])[1]
    assert (row.kind, row.name, row.id) == ("event", name, id)
    assert row.data == data.replace("\r\n", "\n").replace("\r", "\n")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_comment_is_read_back_as_comments_alone(text: str) -> None:
    assert {row.kind for row in fed([write_comment(text)])[1]} == {"comment"}
