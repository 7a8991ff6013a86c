"""Each kind of export holds what it says, for one lane, for several, and for one that still streams."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from playground.reads import Read
from playground.recordings.exporting import slug
from playground.recordings.exporting.curl import command
from playground.recordings.recording_lines import read_recording
from playground.recordings.records import OpenRecord, Trouble
from tests.support import linted, streams
from tests.support.lanes import ENDED, REQUEST
from tests.support.taken import KEPT, exported, golden, keep_lanes

pytestmark = pytest.mark.django_db

CHAT, MESSAGES, CUT, ODD = "ref-chat-text", "ref-msg-text", "sse-utf8-split-across-reads", "sse-invalid-utf8"
ALL = (CHAT, MESSAGES, CUT)


def lines_of(text: bytes) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_recording_file_reads_back_without_trouble() -> None:
    session = keep_lanes(*map(golden, ALL))
    name, text = exported(session, "recording")
    assert name == "a-session.recording.jsonl"
    records = list(read_recording(io.BytesIO(text)))
    assert [record for record in records if isinstance(record, Trouble | OpenRecord)] == []


@pytest.mark.parametrize("case", streams.CASES)
def test_the_body_is_the_stream_to_the_byte(case: str) -> None:
    assert exported(keep_lanes(golden(case)), "sse") == ("a-session.sse", streams.body(case))


def test_the_bodies_of_several_lanes_are_zipped_and_one_may_be_chosen() -> None:
    session = keep_lanes(*map(golden, ALL))
    name, text = exported(session, "sse")
    assert name == "a-session.sse.zip"
    with zipfile.ZipFile(io.BytesIO(text)) as archive:
        assert archive.namelist() == ["lane-1-chat.sse", "lane-2-messages.sse", "lane-3-chat.sse"]
        assert [archive.read(each) for each in archive.namelist()] == [streams.body(case) for case in ALL]
    assert exported(session, "sse", 1) == ("a-session.sse", streams.body(MESSAGES))


def test_events_are_lines_with_row_time_name_and_data() -> None:
    session = keep_lanes(*map(golden, ALL))
    events = lines_of(exported(session, "events")[1])
    for lane, case in enumerate(ALL):
        mine = [event for event in events if event["lane"] == lane]
        assert len(mine) == streams.expected(case)["events"]
        assert [event["row"] for event in mine] == sorted(event["row"] for event in mine)
        assert all(event["time"] == event["read"] * 1500 for event in mine)
    assert events[0].keys() == {"lane", "row", "read", "time", "name", "data"}
    assert {event["name"] for event in events if event["lane"] == 1} >= {"message_start", "content_block_delta"}
    assert [event["time"] for event in events] == sorted(event["time"] for event in events)


def test_timings_are_a_table_of_all_rows() -> None:
    head, reads, end = golden("sse-comment-keepalive")
    reads = [read if read.number != 1 else Read(1, None, read.body) for read in reads]
    text = exported(keep_lanes((head, reads, end)), "timings")[1].decode()
    table = list(csv.DictReader(io.StringIO(text)))
    assert {row["kind"] for row in table} == {"event", "comment"}
    assert [int(row["row"]) for row in table] == list(range(1, len(table) + 1))
    assert sum(int(row["bytes"]) for row in table) <= len(streams.body("sse-comment-keepalive"))


def test_gaps_are_the_time_since_the_row_before_and_names_are_no_formulas() -> None:
    pieces = [b"event: =1+1\ndata: 1\n\n", b"data: 2\n\ndata: 3\n\n"]
    reads = [Read(number, number * 1000, piece) for number, piece in enumerate(pieces, 1)]
    text = exported(keep_lanes((golden(CHAT)[0], reads, ENDED)), "timings")[1].decode()
    table = list(csv.DictReader(io.StringIO(text)))
    assert [(row["name"], row["time_us"], row["gap_us"]) for row in table] == [
        ("'=1+1", "1000", "1000"),
        ("", "2000", "1000"),
        ("", "2000", "0"),
    ]


@pytest.mark.parametrize("case", streams.CASES)
def test_a_test_case_becomes_a_golden_stream_as_it_is(case: str, tmp_path: Path) -> None:
    name, text = exported(keep_lanes(golden(case), format=streams.expected(case)["format"]), "case")
    assert name == "a-session.case.zip"
    with zipfile.ZipFile(io.BytesIO(text)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    assert sorted(path.name for path in folder.iterdir()) == ["chunks.json", "expect.json", "http.json", "stream.sse"]
    body, cuts = (folder / "stream.sse").read_bytes(), json.loads((folder / "chunks.json").read_text())
    assert body == streams.body(case)
    assert streams.cut(body, cuts[:-1]) == streams.cut(body, streams.recorded_cuts(case)) or not body
    expected = json.loads((folder / "expect.json").read_text())
    wanted = streams.expected(case)
    assert {key: expected[key] for key in wanted if key != "note"} == {
        key: value for key, value in wanted.items() if key != "note"
    }
    for pieces in (streams.cut(body, cuts), streams.cut_at_random(body, 1)):
        pipeline, _ = linted.walked(pieces, expected["format"] or None)
        assert linted.findings(pipeline) == expected["findings"]
    out = io.StringIO()
    call_command("read", str(folder), "--json", stdout=out)
    said = json.loads(out.getvalue())
    assert {key: said[key] for key in expected} == {**expected, "format": said["format"]}


def test_several_lanes_are_several_test_cases() -> None:
    text = exported(keep_lanes(*map(golden, ALL)), "case")[1]
    names = zipfile.ZipFile(io.BytesIO(text)).namelist()
    assert {name.partition("/")[0] for name in names} == {"lane-1-chat", "lane-2-messages", "lane-3-chat"}
    assert len(names) == 12


def test_a_har_has_an_entry_a_lane_with_body_and_events() -> None:
    name, text = exported(keep_lanes(*map(golden, (*ALL, ODD))), "har")
    assert name == "a-session.har"
    log = json.loads(text)["log"]
    assert log["version"] == "1.2"
    assert [entry["request"]["method"] for entry in log["entries"]] == ["POST"] * 4
    for entry, case in zip(log["entries"], (*ALL, ODD), strict=True):
        content = entry["response"]["content"]
        if case == ODD:
            assert content["encoding"] == "base64"
        else:
            assert content["text"] == streams.body(case).decode()
        assert content["size"] == len(streams.body(case))
        messages = entry["_eventSourceMessages"]
        assert len(messages) == streams.expected(case)["events"]
        assert 1.5e9 < messages[0]["time"] <= messages[-1]["time"] <= entry["time"] / 1000 + 1.5e9
        assert entry["time"] == sum(max(0, each) for each in entry["timings"].values())
        assert entry["startedDateTime"] == "2017-07-14T02:40:00.000000Z"


def test_a_har_is_what_the_specification_asks_for() -> None:
    entry = json.loads(exported(keep_lanes(golden(CHAT)), "har")[1])["log"]["entries"][0]
    assert entry.keys() >= {"startedDateTime", "time", "request", "response", "cache", "timings"}
    both = {"httpVersion", "cookies", "headers", "headersSize", "bodySize"}
    assert entry["request"].keys() >= both | {"method", "url", "queryString", "postData"}
    assert entry["response"].keys() >= both | {"status", "statusText", "content", "redirectURL"}
    assert entry["response"]["content"].keys() >= {"size", "mimeType", "text"}
    assert entry["timings"].keys() >= {"send", "wait", "receive"}
    assert entry["request"]["postData"] == {"mimeType": "application/json", "text": '{"model":"a-model"}'}


def test_times_that_are_unknown_are_left_out_of_a_har() -> None:
    head, reads, end = golden(CHAT)
    lane = replace(head, time=None), [Read(read.number, None, read.body) for read in reads], replace(end, time=None)
    entry = json.loads(exported(keep_lanes(lane), "har")[1])["log"]["entries"][0]
    assert (entry["time"], entry["timings"]["wait"], entry["timings"]["receive"]) == (0, -1, -1)
    assert all("time" not in message for message in entry["_eventSourceMessages"])


def test_a_curl_command_sends_the_request_again(tmp_path: Path) -> None:
    head = replace(
        REQUEST,
        url="http://a.example/v1?key=****&x='1",
        request_headers=(
            ("Authorization", "Bearer ********"),
            ("X-Quote", "it's $HOME `id`"),
            ("Host", "a.example"),
            ("Content-Length", "9"),
        ),
        request_body=b'@{"a":"it\'s $(id) \\n"}\n',
    )
    assert _arguments(command(head), tmp_path) == [
        *("--no-buffer", "--request", "POST", "http://a.example/v1?key=the key&x='1"),
        *("--header", "Authorization: Bearer the key", "--header", "X-Quote: it's $HOME `id`"),
        *("--data-raw", '@{"a":"it\'s $(id) \\n"}\n'),
    ]


def test_a_curl_command_sends_any_bytes(tmp_path: Path) -> None:
    assert _arguments(command(replace(REQUEST, request_body=b"\x00\xff")), tmp_path)[-2:] == ["--data-binary", "@-"]
    assert (tmp_path / "input").read_bytes() == b"\x00\xff"


def _arguments(line: str, folder: Path) -> list[str]:
    """What a shell would give to curl."""
    curl = folder / "curl"
    script = "printf '%s\\0' \"$@\" > arguments\ncase $* in *@-*) cat > input;; esac\n"
    curl.write_text(f"#!/bin/sh\ncd {folder}\n{script}")
    curl.chmod(0o755)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "API_KEY": "the key"}
    subprocess.run(["/bin/sh", "-c", line], env=environment, check=True)
    return (folder / "arguments").read_text().split("\0")[:-1]


def test_a_script_has_a_command_a_lane_and_asks_for_the_key() -> None:
    masked = replace(KEPT, request_headers=(("x-api-key", "*****"),))
    text = exported(keep_lanes(golden(CHAT, request=masked), golden(MESSAGES)), "curl")[1].decode()
    assert text.count("curl --no-buffer") == 2
    assert "'x-api-key: '\"$API_KEY\"" in text
    assert "API_KEY=... sh" in text
    assert "API_KEY" not in exported(keep_lanes(golden(CHAT)), "curl")[1].decode()


@pytest.mark.parametrize("kind", ["recording", "sse", "events", "har", "curl", "timings", "case"])
def test_what_still_streams_is_exported_as_far_as_it_came_and_its_name_says_so(kind: str) -> None:
    head, reads, _ = golden(CHAT)
    name, text = exported(keep_lanes((head, reads[:1], None)), kind)
    assert name.startswith("a-session.so-far.")
    assert text


def test_a_recording_and_a_har_say_that_the_stream_went_on() -> None:
    head, reads, _ = golden(CHAT)
    session = keep_lanes((head, reads[:1], None))
    assert lines_of(exported(session, "recording")[1])[-1]["kind"] == "open"
    assert "still running" in json.loads(exported(session, "har")[1])["log"]["entries"][0]["comment"]


@pytest.mark.parametrize("kind", ["recording", "sse", "events", "har", "curl", "timings", "case"])
def test_a_lane_that_never_had_an_answer_is_exported_too(kind: str) -> None:
    assert exported(keep_lanes((REQUEST, [], None)), kind)[0].startswith("a-session.so-far")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Weather in Oslo?", "weather-in-oslo"),
        ("../../etc/passwd", "etc-passwd"),
        ("Grüße 京都 🦉", "grüße-京都"),
        ("", "session"),
        ("\0\r\n", "session"),
        ("x" * 300, "x" * 60),
    ],
)
def test_a_file_is_named_by_its_title(title: str, name: str) -> None:
    assert slug(title) == name
