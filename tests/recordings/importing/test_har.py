"""HAR files of browsers and proxies: with a body, with Chrome's events, with neither."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from playground.recordings.importing import ImportRefused
from playground.recordings.importing.entries import Entries
from tests.support.imported import imported

BODY = 'data: {"n":1}\n\n: waiting\n\ndata: {"n":2}\n\ndata: [DONE]\n\n'
EVENTS = ['{"n":1}', '{"n":2}', "[DONE]"]
START = "2026-03-01T10:00:00.000Z"
EPOCH = 1772359200.0


def entry(content: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "startedDateTime": START,
        "timings": {"blocked": 2, "dns": -1, "connect": 10, "send": 0.5, "wait": 120, "receive": 900},
        "request": {
            "method": "POST",
            "url": "https://api.tide.example/v1/chat/completions",
            "headers": [{"name": ":method", "value": "POST"}, {"name": "authorization", "value": "Bearer sk-x"}],
            "postData": {"mimeType": "application/json", "text": '{"model":"tide-1"}'},
        },
        "response": {
            "status": 200,
            "statusText": "OK",
            "headers": [
                {"name": "content-type", "value": "text/event-stream"},
                {"name": "content-encoding", "value": "br"},
            ],
            "content": {"mimeType": "text/event-stream", "text": BODY} if content is None else content,
        },
        **more,
    }


def har(*entries: Any) -> bytes:
    return json.dumps(
        {"log": {"version": "1.2", "creator": {"name": "t"}, "pages": [{"id": "[{"}], "entries": entries}}
    ).encode()


def messages(events: list[str]) -> list[dict[str, Any]]:
    return [
        {"time": EPOCH + 0.2 + index / 10, "eventName": "message", "eventId": "", "data": data}
        for index, data in enumerate(events)
    ]


def test_an_event_stream_becomes_a_lane_with_its_request() -> None:
    found = imported(har(entry()), "a.har")
    head = found.heads[0].head
    assert (head.method, head.url) == ("POST", "https://api.tide.example/v1/chat/completions")
    assert (head.request_body, head.status) == (b'{"model":"tide-1"}', 200)
    assert head.request_headers == (("authorization", "Bearer sk-x"),)
    assert head.headers == (("content-type", "text/event-stream"),)
    assert head.started == pytest.approx(EPOCH + 0.0125)
    assert head.time == 120_000
    assert found.body == BODY.encode()
    assert "times" in found.notes
    assert "undone" in found.notes


def test_chromes_times_cut_the_body_at_its_events() -> None:
    found = imported(har(entry(_eventSourceMessages=messages(EVENTS))))
    assert found.body == BODY.encode()
    assert found.times[0] == [187_500, 287_500, 387_500]
    assert "browser told of each event" in found.notes


def test_times_of_other_events_are_left_out() -> None:
    found = imported(har(entry(_eventSourceMessages=messages(EVENTS[:2]))))
    assert found.body == BODY.encode()
    assert set(found.times[0]) == {None}
    assert "their times are left out" in found.notes


def test_events_without_a_body_make_one() -> None:
    found = imported(har(entry({"mimeType": "text/event-stream", "size": 0}, _eventSourceMessages=messages(EVENTS))))
    assert found.body == b"".join(b"data: %s\n\n" % event.encode() for event in EVENTS)
    assert found.times[0] == [187_500, 287_500, 387_500]
    assert "bytes were made from the events" in found.notes


def test_base64_is_undone_and_what_is_none_is_named() -> None:
    content = {
        "mimeType": "text/event-stream",
        "encoding": "base64",
        "text": base64.b64encode(b"data: \xff\n\n").decode(),
    }
    assert imported(har(entry(content))).body == b"data: \xff\n\n"
    found = imported(har(entry({**content, "text": "A"}), entry()))
    assert [trouble.where for trouble in found.troubles] == ["entry 1"]
    assert found.body == BODY.encode()


def test_several_streams_are_several_lanes_and_all_else_is_passed_over() -> None:
    page = entry({"mimeType": "text/html", "text": "<html>"})
    page["response"]["headers"] = []
    found = imported(har(page, entry(), {"request": None}, 7, entry()))
    assert sorted(found.bodies) == [0, 1]
    assert len(found.ends) == 2


def test_a_body_that_is_not_there_is_refused_in_the_files_own_words() -> None:
    content = {"mimeType": "text/event-stream", "size": 512, "comment": "body evicted"}
    with pytest.raises(ImportRefused, match=r"body evicted.*Save all as HAR with content"):
        imported(har(entry(content)))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (har(), "no-entries"),
        (har({"response": {"content": {"mimeType": "text/css"}}}), "no-streams"),
        (b'{"log": {"entries": 5}}', "no-entries"),
    ],
)
def test_a_file_without_a_stream_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        imported(content)
    assert refused.value.code == code


def test_a_file_that_breaks_off_keeps_the_entries_that_are_whole() -> None:
    whole = har(entry(), entry())
    found = imported(whole[: whole.rindex(b"tide-1")])
    assert sorted(found.bodies) == [0]
    assert [trouble.where for trouble in found.troubles] == ["behind entry 1"]


@pytest.mark.parametrize("size", [1, 7, 64, 100_000])
def test_entries_are_found_however_the_file_is_cut(size: int) -> None:
    wanted = [entry({"text": '\\"}]{[\\\\'}), entry()]
    content = har(*wanted)
    blocks = [content[start : start + size] for start in range(0, len(content), size)]
    entries = Entries(blocks, b"entries", 10_000)
    assert [json.loads(each) for each in entries] == wanted
    assert entries.over
