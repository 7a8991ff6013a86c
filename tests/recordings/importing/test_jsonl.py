"""Events as JSON: payloads, wrapped events, a list, damage."""

from __future__ import annotations

import json

import pytest

from playground.recordings.importing import ImportRefused
from tests.support.imported import imported


def chunk(text: str) -> bytes:
    return json.dumps(
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}}]}
    ).encode()


def test_payloads_become_the_data_of_events_byte_for_byte() -> None:
    lines = [chunk("eb"), chunk("b"), b"[DONE]"]
    found = imported(b"\n".join(lines), "events.jsonl")
    assert found.body == b"".join(b"data: " + line + b"\n\n" for line in lines)
    assert found.said()["text"] == "ebb"
    assert "made from events" in found.notes
    assert "times" in found.notes


def test_typed_payloads_get_the_event_line_that_their_formats_have() -> None:
    found = imported(b'{"type":"message_start","message":{}}\n{"type":"message_stop"}\n')
    assert found.body.startswith(b'event: message_start\ndata: {"type":"message_start","message":{}}\n\n')


def test_wrapped_events_are_unwrapped() -> None:
    line = json.dumps({"event": "ping", "id": "7", "data": "a\nb"}).encode()
    assert imported(line + b"\n").body == b"id: 7\nevent: ping\ndata: a\ndata: b\n\n"
    assert imported(b'{"data":{"n":1.5}}\n').body == b'data: {"n":1.5}\n\n'


def test_times_of_somebody_else_are_not_taken_for_ours() -> None:
    assert imported(b'{"time":17,"data":"x"}\n').times[0] == [None]


def test_a_list_of_events_is_read_too() -> None:
    found = imported(b"[" + chunk("eb") + b", " + chunk("b") + b"]", "events.json")
    assert found.said()["text"] == "ebb"


def test_lines_that_are_no_event_are_named_and_left_out() -> None:
    found = imported(chunk("a") + b"\nnonsense\n" + chunk("b") + b"\n42\n")
    assert found.said()["text"] == "ab"
    assert [trouble.where for trouble in found.troubles] == ["line 2", "line 4"]


def test_no_event_at_all_is_refused() -> None:
    with pytest.raises(ImportRefused, match="import lines such as"):
        imported(b"1\n2\n", kind="jsonl")
    with pytest.raises(ImportRefused, match="check where it ends"):
        imported(b'[{"data": "a"}, {"da')
