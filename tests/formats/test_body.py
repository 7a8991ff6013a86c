"""What a body is: decided on the whole of it, said as early as it is certain, the same however it is cut."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.formats.body import Body
from playground.sse.parser import Parser
from tests.support.streams import CASES, body, bytewise, cut, cut_at_random, expected

EVENT = b'data: {"a":1}\n\n'


class Seen:
    """A body fed as the corridor does it. `kinds` are those after each read, `documents` what stands at the end."""

    def __init__(self, *pieces):
        self.body = Body()
        self.kinds = []
        self.documents = []
        parser = Parser()
        for number, piece in enumerate(pieces, 1):
            self._take(piece, parser.feed(piece, number, None))
            self.kinds.append(self.body.kind)
        self._take(b"", parser.end())
        if self.body.kind != "stream":
            self._keep(self.body.end())

    def _take(self, piece, rows):
        if self.body.kind != "stream":
            self._keep(self.body.feed(piece, rows))

    def _keep(self, documents):
        for row, value in documents:
            if value is None:
                self.documents.clear()
            else:
                self.documents.append((row, value))

    @property
    def kind(self):
        return self.body.kind


BODIES = [
    (b"", "empty", []),
    (b" \r\n\t\n", "empty", []),
    (b"\xef\xbb\xbf", "empty", []),
    (b"\xef\xbb\xbf \n", "empty", []),
    (b"\xef\xbb", "stream", []),
    (EVENT, "stream", []),
    (b": hello\n\n", "stream", []),
    (b"plain words", "stream", []),
    (b"[1, 2]", "stream", []),
    (b'"words"', "stream", []),
    (b'{"a":1}', "json", [(1, {"a": 1})]),
    (b'{"a":1}\n', "json", [(1, {"a": 1})]),
    (b'\xef\xbb\xbf\n {"a":1} \r\n\n', "json", [(1, {"a": 1})]),
    (b'{\n  "a": 1,\n  "b": {\r\n}\n}\n', "json", [(5, {"a": 1, "b": {}})]),
    (b'{"a"\n: 1}', "json", [(2, {"a": 1})]),
    (b'{"a":"\xff"}', "json", [(1, {"a": "\ufffd"})]),
    (b'{"a":"\\ud83e"}', "json", [(1, {"a": "\ud83e"})]),
    (b'{"data": 1,\n"error": 2}', "json", [(2, {"data": 1, "error": 2})]),
    (b'{"a":NaN}', "stream", []),
    (b'{"a":1', "stream", []),
    (b'{"a":1}}', "stream", []),
    (b'{"a":1}\n[2]\n', "stream", []),
    (b'{"a":1}\n: comment\n', "stream", []),
    (b'{"a":1}\n{"b":2}', "ndjson", [(1, {"a": 1}), (2, {"b": 2})]),
    (b'\n{"a":1}\r\n\r\n  \r\n {"b":2}\r\n{"c":3}\r\n', "ndjson", [(1, {"a": 1}), (3, {"b": 2}), (4, {"c": 3})]),
    (b'{"a":1}\r{"b":2}\r', "ndjson", [(1, {"a": 1}), (2, {"b": 2})]),
    (b'{"a":1} {"b":2}', "stream", []),
    (b'{"a":1}\n{"b":2}\n[3]\n', "stream", []),
    (b'{"a":1}\n{"b":2}\n{"c"', "stream", []),
    (b'{"a":1}\n{"b":2}\n\n' + EVENT, "stream", []),
    (b'{"a":1}\n{"b":2}\ndata: {"c":3}\n', "stream", []),
    (b'{"a":1}\n{"b":2}\nevent: x\n\n', "stream", []),
    (b'{"a":1}\n{"b":2}\nerror: {"message":"x"}\n', "stream", []),
    (b'{\n  "a": 1,\n' + EVENT, "stream", []),
    (b"<!DOCTYPE HTML>\n<title>x</title>", "html", []),
    (b"\xef\xbb\xbf\n <HtMl lang=en>", "html", []),
    (b"<!doctype html", "html", []),
    (b"<!doctype", "stream", []),
    (b"<htm", "stream", []),
    (b"<p>x", "stream", []),
    (b"\x1f\xef\xbf\xbd\x08\x00", "gzip-text", []),
    (b"\x1f\xef\xbf", "stream", []),
    (b"\x1f\x8b\x08", "stream", []),
]


@pytest.mark.parametrize(("whole", "kind", "documents"), BODIES)
def test_a_body_is_what_the_whole_of_it_is_however_it_is_cut(whole, kind, documents):
    for pieces in ([whole], bytewise(whole), *(cut_at_random(whole, seed) for seed in range(5))):
        seen = Seen(*pieces)
        assert (seen.kind, seen.documents) == (kind, documents)


@pytest.mark.parametrize("case", CASES)
def test_every_golden_stream_is_what_its_findings_say(case):
    findings = set(expected(case)["findings"])
    names = {
        "not-sse-json": "json",
        "not-sse-ndjson": "ndjson",
        "not-sse-html": "html",
        "empty-body": "empty",
        "compressed-body-corrupted": "gzip-text",
    }
    kind = next((names[name] for name in names if name in findings), "stream")
    assert Seen(body(case)).kind == kind


@pytest.mark.parametrize(
    ("pieces", "kinds"),
    [
        ([b"d", b"ata: x"], ["stream", "stream"]),
        ([b"\n", b":"], [None, "stream"]),
        ([b"<", b"!", b"x"], [None, None, "stream"]),
        ([b"<", b"html"], [None, "html"]),
        ([b'{"a":1}\n', b'{"b":2}', b"\n", b'{"c":3}\n'], [None, None, "ndjson", "ndjson"]),
        ([b'{"a":1}\n', b"x\n"], [None, "stream"]),
        ([b'{"a":1}\n', b'{"b":2}\n', b"[]\n"], [None, "ndjson", "stream"]),
        ([b"{\n", b"x\n", EVENT], [None, None, "stream"]),
        ([b"{\n", b"error: x\n"], [None, "stream"]),
        ([b"{\n", b"event: x\n", b"\n"], [None, None, "stream"]),
    ],
)
def test_the_kind_is_said_as_soon_as_it_is_certain(pieces, kinds):
    assert Seen(*pieces).kinds == kinds


def test_lines_are_documents_as_they_come_and_are_taken_back_by_a_line_that_is_none():
    parser, seen = Parser(), Body()

    def feed(text):
        return seen.feed(text, parser.feed(text, 1, None))

    assert feed(b'{"a":1}\n') == []
    assert feed(b'{"b":2}\n{"c"') == [(1, {"a": 1}), (2, {"b": 2})]
    assert feed(b":3}\n") == [(3, {"c": 3})]
    assert feed(b"oh\n") == [(4, None)]
    assert seen.kind == "stream"


def test_what_one_read_says_and_takes_back_is_not_said():
    whole = b'{"a":1}\n{"b":2}\noh\n'
    assert Body().feed(whole, Parser().feed(whole, 1, None)) == []


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                b"{",
                b"}",
                b'{"a":1}',
                b'"b"',
                b":",
                b"\n",
                b"\r\n",
                b" ",
                b"data: x",
                b"error: x",
                b"<html",
                b"\xef\xbb\xbf",
                b"1",
                b",",
            ]
        ),
        max_size=10,
    ),
    st.lists(st.integers(0, 60), max_size=6),
)
def test_cutting_never_matters(tokens, cuts):
    whole = b"".join(tokens)
    once, often = Seen(whole), Seen(*cut(whole, [edge for edge in cuts if edge <= len(whole)]))
    assert (once.kind, once.documents) == (often.kind, often.documents)
    assert once.kind == judged(whole)


def judged(whole):
    """The rules as they are written, on the whole body."""
    text = whole.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
    if not lines:
        return "empty"
    if is_object(text):
        return "json"
    if len(lines) > 1 and all(is_object(line) for line in lines):
        return "ndjson"
    if text.strip().lower().startswith(("<!doctype html", "<html")):
        return "html"
    return "stream"


def is_object(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def test_a_long_line_in_many_reads_costs_no_more_than_its_length():
    whole = b'{"a":"' + b"x" * 2_000_000 + b'"}'
    started = time.process_time()
    assert Seen(*(whole[at : at + 100] for at in range(0, len(whole), 100))).kind == "json"
    assert time.process_time() - started < 5
