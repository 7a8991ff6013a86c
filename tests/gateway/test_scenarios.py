"""What is odd about each scenario is on the wire as its entry says, in every format."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any

import pytest

from playground.gateway import pace
from playground.gateway.asking import read
from playground.gateway.performance import streamed, writer_for
from playground.gateway.scenarios import scenario_of
from tests.support.daphne import Daphne
from tests.support.http import ask, exchange
from tests.support.read_back import events_of, rows_of, said_in, said_whole
from tests.support.requests import FULL_SPEED, IDENTITY, PATHS, answered, body


def pieces(format: str, scenario: str) -> list[Any]:
    asked = read(format, body(format, scenario))
    return list(streamed(asked, scenario_of(asked), writer_for(asked, IDENTITY)))


@pytest.mark.parametrize("format", PATHS)
def test_a_slow_start_is_before_the_first_byte_and_a_stall_is_in_the_middle(format: str) -> None:
    late, stalled = pieces(format, "slow-start"), pieces(format, "stall")
    assert [at for at, piece in enumerate(late) if piece.pause] == [0]
    (at,) = [at for at, piece in enumerate(stalled) if piece.pause]
    assert 10 < at < len(stalled) - 10
    speed = pace.read("tps=60")
    assert speed.pause(late[0].pause) == speed.pause(stalled[at].pause) == 5.0
    assert pace.read("tps=0").pause(300) == 0


async def test_a_stall_takes_as_long_as_the_pace_makes_it(daphne: Daphne) -> None:
    headers = {"X-Gateway-Pace": "tps=1000, first=0"}
    async with exchange(daphne, PATHS["chat"], body("chat", "stall"), headers=headers) as one:
        times = [time.monotonic() async for _ in one.chunks()]
    assert max(later - sooner for sooner, later in pairwise(times)) > 0.25


@pytest.mark.parametrize("format", PATHS)
async def test_a_burst_is_one_write(daphne: Daphne, format: str) -> None:
    async with exchange(
        daphne, PATHS[format], body(format, "burst"), headers={"X-Gateway-Pace": "tps=2000, first=0"}
    ) as one:
        chunks = [chunk async for chunk in one.chunks()]
    assert len(chunks) == 1
    assert said_in(format, chunks[0])["complete"]


@pytest.mark.parametrize("format", PATHS)
def test_no_end_has_everything_but_the_mark_of_the_end(format: str) -> None:
    said = said_in(format, answered(format, "no-end")[0])
    assert not said["complete"]
    assert said["text"].endswith("absence.")
    assert said["finish"] == {"chat": "stop", "messages": "end_turn", "responses": None}[format]


@pytest.mark.parametrize("format", PATHS)
def test_no_finish_has_the_end_and_no_reason(format: str) -> None:
    raw = answered(format, "no-finish")[0]
    name, last = events_of(raw)[-1]
    if format == "responses":
        assert name == "response.completed"
        assert last["response"]["status"] is None
    else:
        assert (name, last)[format == "chat"] == {"chat": "[DONE]", "messages": "message_stop"}[format]
        assert said_in(format, raw)["finish"] is None


@pytest.mark.parametrize("format", PATHS)
def test_bad_json_breaks_one_event(format: str) -> None:
    broken = []
    for row in rows_of(answered(format, "bad-json")[0]):
        try:
            json.loads(row.data)
        except ValueError:
            broken.append(row)
    assert [row.kind for row in broken if row.data != "[DONE]"] == ["event"]


@pytest.mark.parametrize("format", PATHS)
async def test_bad_json_and_html_are_200_when_the_answer_is_whole_too(daphne: Daphne, format: str) -> None:
    status, headers, raw = await ask(daphne, format, body(format, "bad-json", stream=False))
    assert (status, headers["content-type"]) == (200, "application/json")
    with pytest.raises(ValueError, match=r"\w"):
        json.loads(raw)
    for stream in (True, False):
        status, headers, raw = await ask(daphne, format, body(format, "html", stream=stream))
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert raw.startswith(b"<!doctype html>")


@pytest.mark.parametrize("format", PATHS)
async def test_whole_is_one_document_although_a_stream_was_asked_for(daphne: Daphne, format: str) -> None:
    status, headers, raw = await ask(daphne, format, body(format, "whole"))
    assert (status, headers["content-type"]) == (200, "application/json")
    assert said_whole(format, json.loads(raw))["text"].startswith("You asked for a stream")


@pytest.mark.parametrize("format", PATHS)
async def test_crlf_ends_every_line_and_is_cut_in_between(daphne: Daphne, format: str) -> None:
    async with exchange(daphne, PATHS[format], body(format, "crlf")) as one:
        chunks = [chunk async for chunk in one.chunks()]
    raw = b"".join(chunks)
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    assert sum(chunk.endswith(b"\r") for chunk in chunks) > 5
    assert said_in(format, raw)["complete"]


@pytest.mark.parametrize("format", PATHS)
def test_usage_everywhere_grows_and_its_last_count_is_the_sum(format: str) -> None:
    raw, writer, _ = answered(format, "usage-everywhere")
    counts = []
    for _, value in events_of(raw):
        if isinstance(value, dict):
            usage = value.get("usage") or (value.get("response") or {}).get("usage")
            counts += [usage.get("completion_tokens", usage.get("output_tokens"))] if usage else []
    assert len(counts) > 5
    assert counts == sorted(counts)
    assert counts[-1] == said_in(format, raw)["usage"]["output"] == writer.transcript.lane.fields["usage"]["output"]
    if format == "responses":
        numbers = [value["sequence_number"] for _, value in events_of(raw)]
        assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("format", PATHS)
def test_odd_tools_have_no_index_and_are_understood_all_the_same(format: str) -> None:
    raw, plain = answered(format, "odd-tools")[0], answered(format, "tools")[0]
    odd, proper = said_in(format, raw)["tool_calls"], said_in(format, plain)["tool_calls"]
    assert [(call["name"], call["arguments"]) for call in odd] == [(call["name"], call["arguments"]) for call in proper]
    id = odd[0]["id"].encode()
    assert raw.count(id) > plain.count(proper[0]["id"].encode()) + 5


TOOL = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_an_agent_calls_one_tool_a_turn_and_ends_in_text(count: int) -> None:
    offered = [
        {"type": "function", "function": {"name": name, "parameters": TOOL}}
        for name in ("tide", "wind", "moon")[:count]
    ]
    turns: list[dict[str, Any]] = [{"role": "user", "content": "When may I leave Brest, with this tide and wind?"}]
    called = []
    for _ in range(5):
        said = said_in("chat", answered("chat", "agent", messages=turns, tools=offered or None)[0])
        if said["finish"] == "stop":
            break
        assert said["text"]
        (call,) = said["tool_calls"]
        called.append(call["name"])
        function = {"name": call["name"], "arguments": call["arguments"]}
        turns.append(
            {"role": "assistant", "tool_calls": [{"id": call["id"], "type": "function", "function": function}]}
        )
        turns.append({"role": "tool", "tool_call_id": call["id"], "content": f"{call['name']}: at six"})
    assert called == [["tide_table", "wind_at"], ["tide"], ["tide", "wind"], ["tide", "wind"]][count]
    assert "at six" in said["text"]


def test_one_call_is_made_where_only_one_may_be() -> None:
    for format, fields in (
        ("chat", {"parallel_tool_calls": False}),
        ("responses", {"parallel_tool_calls": False}),
        ("messages", {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}),
    ):
        assert len(said_in(format, answered(format, "tools", **fields)[0])["tool_calls"]) == 1


async def test_full_speed_is_quick_in_every_scenario(daphne: Daphne) -> None:
    """No scenario waits in seconds of its own: their silences are as long as the caller's pace makes them."""
    began = time.monotonic()
    for name in ("slow-start", "stall", "burst"):
        await ask(daphne, "chat", body("chat", name), headers=FULL_SPEED)
    assert time.monotonic() - began < 2
