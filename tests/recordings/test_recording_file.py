"""Records as a file and back: bit for bit, line by line; what is damaged is named and the rest is kept."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.reads import End, Head, Read
from playground.recordings import recording_lines
from playground.recordings.recording_file import recording_file
from playground.recordings.recording_lines import is_recording, read_recording
from playground.recordings.records import (
    EndRecord,
    HeadRecord,
    MarkerRecord,
    OpenRecord,
    ReadRecord,
    Record,
    SessionRecord,
    Trouble,
)
from tests.support import streams
from tests.support.lanes import ENDED, head_of, reads_of

DOCUMENT = Path(__file__).parents[2] / "docs/recording-format.md"

SESSION = SessionRecord("a session", 1.5e9, ("a note",))
HEAD = Head("POST", "http://a.example/v1", (("a", "b"), ("a", "c")), b"{}", 1.5e9, 200, "OK", (("x", "y"),), 12)
LANE = HeadRecord(0, "chat", "gateway", "a-model", HEAD, ("masked",))


def text_of(records: Iterable[Record]) -> bytes:
    return b"".join(recording_file(records))


def read_back(text: bytes) -> list[Record]:
    return list(read_recording(io.BytesIO(text)))


def without_digest(records: Iterable[Record]) -> list[Record]:
    return [EndRecord(each.lane, each.end, each.word) if isinstance(each, EndRecord) else each for each in records]


def troubles(records: Iterable[Record]) -> list[tuple[str, str]]:
    return [(each.where, each.message) for each in records if isinstance(each, Trouble)]


def small(*bodies: bytes) -> list[Record]:
    reads = [ReadRecord(0, read) for read in reads_of(bodies)]
    return [SESSION, LANE, *reads, EndRecord(0, ENDED, "ended")]


@given(
    bodies=st.lists(
        st.tuples(st.integers(0, 2), st.none() | st.integers(0, 2**50), st.binary() | st.text().map(str.encode))
    )
)
def test_any_reads_of_any_lanes_come_back_bit_for_bit(bodies: list[tuple[int, int | None, bytes]]) -> None:
    numbers = [0, 0, 0]
    records: list[Record] = [SESSION, *(HeadRecord(lane, "", "", "", HEAD) for lane in range(3))]
    for lane, time, body in bodies:
        numbers[lane] += 1
        records.append(ReadRecord(lane, Read(numbers[lane], time, body)))
    records += [EndRecord(0, ENDED, "ended"), OpenRecord(1), EndRecord(2, End("reset", None, "why"), "cut")]
    assert without_digest(read_back(text_of(records))) == records


@pytest.mark.parametrize("case", streams.CASES)
def test_golden_streams_come_back_bit_for_bit_however_they_were_cut(case: str) -> None:
    body = streams.body(case)
    for pieces in ([body], [body[at : at + 7] for at in range(0, len(body), 7)]):
        reads = [ReadRecord(0, read) for read in reads_of(pieces)]
        records = [SESSION, HeadRecord(0, "", "", "", head_of(case)), *reads, EndRecord(0, ENDED)]
        assert without_digest(read_back(text_of(records))) == records


def test_odd_text_comes_back_and_stays_on_its_line() -> None:
    bodies = [
        b'\\ud83e "\x00\r\n\x0b\x85',
        "\u2028\u2029\x85\n".encode(),
        "\ud83e".encode(errors="surrogatepass"),
        b"\xf0\x9f",
    ]
    title = SessionRecord("half \ud83e\u2028", 1.0)
    records: list[Record] = [title, *small(*bodies)[1:]]
    text = text_of(records)
    assert len(text.split(b"\n")) == len(records) + 1
    assert without_digest(read_back(text)) == records


def test_only_what_is_no_utf_8_is_base64() -> None:
    lines = [json.loads(line) for line in text_of(small("a é".encode(), b"\xc3", b"\xa9")).split(b"\n")[2:5]]
    assert [("text" in line, "base64" in line) for line in lines] == [(True, False), (False, True), (False, True)]


def test_markers_and_troubles_are_lines_too() -> None:
    records = [SESSION, LANE, MarkerRecord(0, 3, 9, "here", 1.5e9), Trouble("read 4", "gone"), OpenRecord(0)]
    assert read_back(text_of(records)) == records


def test_the_documented_example_is_what_it_says() -> None:
    text = DOCUMENT.read_text()
    example = text[text.index("```json\n") + 8 : text.index("\n```\n")].encode() + b"\n"
    records = read_back(example)
    assert troubles(records) == []
    assert [type(record).__name__ for record in records] == [
        *("SessionRecord", "HeadRecord", "ReadRecord", "ReadRecord", "ReadRecord", "MarkerRecord", "EndRecord"),
    ]
    body = b"".join(record.read.body for record in records if isinstance(record, ReadRecord))
    marker = next(record for record in records if isinstance(record, MarkerRecord))
    assert "🥣" in body[marker.start : marker.end].decode()
    assert text_of(records) == example
    assert is_recording(example.split(b"\n")[0])


def test_every_field_that_is_written_is_documented() -> None:
    text = DOCUMENT.read_text()
    lines = text_of([*small(b"a", b"\xff"), Trouble("", ""), MarkerRecord(0, 0, 1, "")]).splitlines()
    fields = {name for line in lines for name in json.loads(line)} - {"kind"}
    assert [name for name in sorted(fields) if f"`{name}`" not in text] == []


def lines_of(*bodies: bytes) -> list[bytes]:
    return text_of(small(*bodies)).splitlines(keepends=True)


def test_a_damaged_line_is_left_out_and_named() -> None:
    lines = lines_of(b"a", b"b", b"c")
    lines[3] = lines[3][:20] + b"\n"
    records = read_back(b"".join(lines))
    assert [record.read.body for record in records if isinstance(record, ReadRecord)] == [b"a", b"c"]
    assert [record.read.number for record in records if isinstance(record, ReadRecord)] == [1, 2]
    assert troubles(records) == [
        ("line 4", "It is no JSON object. The line is left out."),
        ("line 5", "Read 2 of lane 0 missing above: the next one is joined to what came before."),
        (
            "line 6",
            "The bytes of lane 0 are not those that were recorded: 3 bytes in 3 reads were recorded, 2 in 2 are here, "
            "or some were changed.",
        ),
    ]


def test_a_file_that_was_cut_off_says_where() -> None:
    text = b"".join(lines_of(b"a", b"b")[:4])
    records = read_back(text[:-5])
    assert troubles(records) == [
        ("line 4", "It is cut off: it is no JSON object. The line is left out."),
        ("behind line 4", "The file is over before lane 0 ends: what came behind read 1 is missing."),
    ]
    assert records[-1] == OpenRecord(0)


def test_changed_bytes_are_told_by_the_digest() -> None:
    text = b"".join(lines_of(b"data: 1\n\n")).replace(b"data: 1", b"data: 2")
    assert [where for where, _ in troubles(read_back(text))] == ["line 4"]


def test_what_a_newer_minor_version_adds_is_passed_over() -> None:
    lines = lines_of(b"a")
    lines[0] = lines[0].replace(b'"1.0"', b'"1.7","mood":"good"')
    lines[2] = lines[2].replace(b'"kind":"read"', b'"kind":"read","colour":["red"]')
    lines.insert(3, b'{"kind":"weather","lane":0,"sun":true}\n')
    assert without_digest(read_back(b"".join(lines))) == small(b"a")


def test_a_newer_major_version_is_read_as_far_as_it_goes_and_said() -> None:
    lines = lines_of(b"a")
    lines[0] = lines[0].replace(b'"1.0"', b'"2.0"')
    records = read_back(b"".join(lines))
    assert [where for where, message in troubles(records) if "version 2.0" in message] == ["line 1"]
    assert len(records) == len(small(b"a")) + 1


def test_a_file_without_its_first_lines_is_read_all_the_same() -> None:
    records = read_back(b"".join(lines_of(b"a", b"b")[2:]))
    assert [type(record).__name__ for record in records] == [
        *("SessionRecord", "HeadRecord", "ReadRecord", "Trouble", "Trouble", "ReadRecord", "EndRecord"),
    ]
    assert [where for where, _ in troubles(records)] == ["line 1", "line 1"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[]\n", "It is no JSON object."),
        (b"\xff\n", "Byte 1 of the line is no UTF-8."),
        (b'{"kind":"read","lane":0,"read":1,"time":1.5,"text":""}\n', '"time" is neither whole microseconds nor null.'),
        (b'{"kind":"read","lane":-1,"read":1}\n', '"lane" is no whole number from 0.'),
        (b'{"kind":"read","lane":true,"read":1}\n', '"lane" is no whole number from 0.'),
        (b'{"kind":"read","lane":0,"read":0,"text":""}\n', "Read 0 of lane 0 comes behind read 0."),
        (b'{"kind":"read","lane":0,"read":1,"base64":"%"}\n', '"base64" is no base64.'),
        (b'{"kind":"read","lane":0,"read":1,"text":"\\ud800"}\n', '"text" has half a character, which no UTF-8 is.'),
        (b'{"kind":"read","lane":0,"read":1,"text":7}\n', '"text" is no text.'),
        (b'{"kind":"head","lane":0}\n', "Lane 0 has a head above."),
        (b'{"kind":"head","lane":1,"request":[]}\n', '"request" is no object.'),
        (
            b'{"kind":"head","lane":1,"request":{"headers":["a"]}}\n',
            '"headers" is no list of pairs of a name and a value.',
        ),
        (b'{"kind":"head","lane":1,"started":"now"}\n', '"started" is neither seconds since 1970 nor null.'),
        (b'{"kind":"head","lane":1,"notes":"a"}\n', '"notes" is no list of texts.'),
        (b'{"kind":"end","lane":7}\n', "Lane 7 has no head above."),
        (b'{"kind":"raed"}\n', "\"kind\" is none that version 1.0 has: 'raed'."),
    ],
)
def test_each_damage_has_its_sentence(line: bytes, message: str) -> None:
    lines = lines_of(b"a")
    records = read_back(b"".join([*lines[:2], line, *lines[2:]]))
    assert troubles(records) == [("line 3", f"{message} The line is left out.")]
    assert without_digest(each for each in records if not isinstance(each, Trouble)) == small(b"a")


def test_a_way_to_end_that_is_unknown_here_is_an_end_all_the_same() -> None:
    records = read_back(b"".join(lines_of(b"a")).replace(b'"how":"closed"', b'"how":"evicted"'))
    assert [record.end.how for record in records if isinstance(record, EndRecord)] == ["interrupted"]
    assert troubles(records) == [("line 4", "\"how\" is none of the ways in which a lane ends: 'evicted'.")]


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"data: 1\n\n", b"\xff\xfe\x00", b"null", b'{"format":"stream recording"}']
)
def test_nothing_raises(text: bytes) -> None:
    records = read_back(text)
    assert isinstance(records[0], SessionRecord)
    assert troubles(records)


def test_a_line_that_is_too_long_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_lines, "LONGEST_LINE", 2000)
    records = read_back(text_of(small(b"a", b"b" * 5000, b"c")))
    assert [record.read.body for record in records if isinstance(record, ReadRecord)] == [b"a", b"c"]
    assert troubles(records)[0][0] == "line 4"


def test_a_long_file_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    body = b"data: " + b"x" * 20_000 + b"\n\n"
    path = tmp_path / "long.recording.jsonl"

    def long(times: int) -> Iterator[Record]:
        yield from (SESSION, LANE)
        for number in range(1, times + 1):
            yield ReadRecord(0, Read(number, number, body))
        yield EndRecord(0, ENDED)

    def once(times: int) -> int:
        tracemalloc.start()
        with path.open("wb") as file:
            file.writelines(recording_file(long(times)))
        with path.open("rb") as file:
            reads = sum(isinstance(record, ReadRecord) for record in read_recording(file))
        peak: Any = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert reads == times
        return int(peak)

    once(10)
    assert once(2000) < once(20) + 200_000
