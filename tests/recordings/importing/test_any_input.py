"""Whatever is imported: records or the room's own exception, in memory that does not grow with the file."""

from __future__ import annotations

import contextlib
import io
import json
import tracemalloc
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.recordings.importing import KINDS, ImportRefused, read
from playground.recordings.importing.source import LONGEST_LINE
from playground.recordings.records import ReadRecord
from tests.recordings.importing.test_curl import BODY, GOT, HEAD, METER, SENT
from tests.recordings.importing.test_har import EVENTS, entry, har, messages
from tests.support.imported import imported, zipped

RECORDING = (
    b'{"format":"stream recording","version":"1.0","session":{"title":"t","created":1.5,"notes":[]}}\n'
    b'{"kind":"head","lane":0,"format":"","target":"","model":"","started":null,"request":{},"answer":null,"notes":[]}\n'
    b'{"kind":"read","lane":0,"read":1,"time":5,"text":"data: x\\n\\n"}\n'
)
EXAMPLES = {
    "recording": RECORDING,
    "har": har(entry(_eventSourceMessages=messages(EVENTS))),
    "curl": METER + SENT + GOT + BODY,
    "head": HEAD + BODY,
    "jsonl": b'{"event":"a","data":{"n":1},"time":4,"row":1}\n[DONE]\n',
    "case": zipped({"stream.sse": BODY, "chunks.json": b"[5]", "http.json": b"{}"}),
}
MEGABYTE = 1024 * 1024


def taken(content: bytes, name: str = "", kind: str = "") -> None:
    with contextlib.suppress(ImportRefused):
        imported(content, name, kind)


@given(
    st.binary(max_size=400), st.sampled_from(["", "a.har", "a.zip", "a.jsonl", "a.sse"]), st.sampled_from(["", *KINDS])
)
@settings(max_examples=300)
def test_no_bytes_raise_anything_else(content: bytes, name: str, kind: str) -> None:
    taken(content, name, kind)


@given(st.data())
@settings(max_examples=400)
def test_no_damage_to_a_good_file_raises_anything_else(data: st.DataObject) -> None:
    content = bytearray(EXAMPLES[data.draw(st.sampled_from(sorted(EXAMPLES)))])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    taken(bytes(content), "", data.draw(st.sampled_from(["", *KINDS])))


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["log", "entries", "response", "content", "text", "time", "data", "lane", "event"]), inner
        )
    ),
    max_leaves=12,
)


@given(_json, st.sampled_from(["startedDateTime", "timings", "request", "response", "_eventSourceMessages"]))
@settings(max_examples=200)
def test_no_value_in_a_har_file_raises_anything_else(value: Any, field: str) -> None:
    taken(har({**entry(_eventSourceMessages=messages(EVENTS)), field: value}))


class Endless(io.RawIOBase):
    """A file of so many bytes that nobody holds: one piece again and again."""

    def __init__(self, piece: bytes, size: int, first: bytes = b"") -> None:
        self._piece = piece
        self._left = size
        self._rest = first
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size and self._left > 0:
            self._rest += self._piece
            self._left -= len(self._piece)
        found, self._rest = self._rest[:size], self._rest[size:]
        self.given += len(found)
        return found


def walked(name: str, file: Endless) -> int:
    return sum(len(each.read.body) for each in read(name, cast(Any, file)) if isinstance(each, ReadRecord))


LONG = b"low tide " * 1000


@pytest.mark.parametrize(
    ("first", "piece", "megabytes"),
    [
        (b"", b"data: low tide\n\n" * 4096, 200),
        (HEAD, b"data: " + LONG + b"\n\n", 40),
        (SENT + GOT, b"data: " + LONG + b"\n\n", 40),
        (b"", b'{"data":"' + LONG + b'"}\n', 40),
        (b'{"log":{"entries":[', json.dumps(entry({"text": f"data: {LONG.decode()}\n\n"})).encode() + b",", 40),
    ],
    ids=["body", "curl -i", "curl -v", "jsonl", "har"],
)
def test_a_large_file_needs_no_more_memory_than_a_small_one(first: bytes, piece: bytes, megabytes: int) -> None:
    file = Endless(piece, megabytes * MEGABYTE, first)
    tracemalloc.start()
    try:
        walked("", file)
        assert tracemalloc.get_traced_memory()[1] < 4 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert file.given >= megabytes * MEGABYTE


@pytest.mark.parametrize("first", [b"data: ", HEAD + b"data: ", SENT + GOT + b"data: ", b'{"data":"a"}\n{"data":"'])
def test_a_line_of_two_gigabytes_is_refused_early(first: bytes) -> None:
    file = Endless(b"x" * 65_536, 2048 * MEGABYTE, first)
    with pytest.raises(ImportRefused, match="no event of a stream") as refused:
        walked("", file)
    assert refused.value.code == "line-too-long"
    assert file.given < LONGEST_LINE + MEGABYTE


def test_more_than_may_be_imported_is_refused() -> None:
    with pytest.raises(ImportRefused, match="more than 1 MB"):
        list(read("", cast(Any, Endless(b"data: x\n\n" * 100, 2 * MEGABYTE)), most=MEGABYTE))


def test_a_source_that_cannot_be_read_is_refused() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(ImportRefused, match="the disk is gone"):
        list(read("", Broken()))
