"""Raw bodies, and what is certainly none."""

from __future__ import annotations

import gzip

import pytest

from playground.recordings.importing import ImportRefused
from playground.recordings.importing.source import BLOCK, START
from tests.support.imported import imported
from tests.support.streams import CASES, body, is_stream

EVENT = b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"ebb"}}]}\n\n'


@pytest.mark.parametrize("size", [1, BLOCK, START - 1, START, START + 1, 3 * START])
def test_a_body_is_kept_bit_for_bit(size: int) -> None:
    content = (b":" + EVENT * (size // len(EVENT) + 1))[:size]
    found = imported(content, "stream.sse")
    assert found.body == content
    assert set(found.times[0]) == {None}


def test_what_is_missing_is_said() -> None:
    notes = imported(EVENT).notes
    for sentence in ("the request,", "status and headers", "times", "socket reads"):
        assert sentence in notes


def test_a_whole_json_answer_and_ollamas_lines_are_bodies() -> None:
    whole = b'{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"content":"ebb"}}]}'
    assert imported(whole).said()["text"] == "ebb"
    lines = (
        b'{"model":"m","message":{"content":"eb"},"done":false}\n{"model":"m","message":{"content":"b"},"done":true}\n'
    )
    found = imported(lines, "answer.ndjson")
    assert (found.body, found.said()["text"]) == (lines, "ebb")


@pytest.mark.parametrize(
    ("content", "code", "hint"),
    [
        (b"", "empty", "nothing in it"),
        (b" \r\n\n", "empty", "nothing in it"),
        (gzip.compress(EVENT), "compressed", "gunzip"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary", "no text"),
        (b"<!DOCTYPE html><html><body>502</body></html>", "html", "curl's output with -i"),
        (b"<?xml version='1.0'?><a/>", "xml", "XML"),
        (b'{"weather": "fine"}', "unknown-json", "no answer of a known format"),
        (b'{"weather": ', "invalid-json", "is none"),
        (b"[1, 2, 3]", "no-stream", "no event stream"),
        (b"Dear all,\n\nthe tide was low.\n", "no-stream", "no event stream"),
    ],
    ids=lambda value: value if isinstance(value, str) and "-" in value else "",
)
def test_what_is_no_body_is_refused_with_a_word_on_what_to_do(content: bytes, code: str, hint: str) -> None:
    with pytest.raises(ImportRefused, match=hint) as refused:
        imported(content)
    assert refused.value.code == code


@pytest.mark.parametrize("case", [case for case in CASES if is_stream(case) and case != "http-empty-200"])
def test_every_golden_stream_is_taken_as_it_is(case: str) -> None:
    assert imported(body(case), "stream.sse").body == body(case)


def test_garbage_before_the_first_event_is_kept() -> None:
    content = b'{"half": \n\n' + EVENT
    assert imported(content).body == content
