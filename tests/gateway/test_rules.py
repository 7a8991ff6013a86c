"""The rules of the seed documents, each by its number, over real HTTP."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from playground.gateway.catalogue import MODELS
from playground.gateway.scenarios import SCENARIOS
from tests.support.daphne import Daphne
from tests.support.http import ask, exchange
from tests.support.read_back import events_of
from tests.support.requests import HEALTHY, NATIVE, PATHS, body


async def streamed(daphne: Daphne, format: str, scenario: str = "", **fields: Any) -> list[tuple[str, Any]]:
    status, headers, raw = await ask(daphne, format, body(format, scenario, **fields))
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["x-request-id"].startswith("req_")
    return events_of(raw)


@pytest.mark.parametrize("scenario", HEALTHY)
async def test_rule_1_chat_says_role_once_then_finish_then_usage_then_done(daphne: Daphne, scenario: str) -> None:
    events = await streamed(daphne, "chat", scenario)
    assert all(name == "" for name, _ in events)
    *chunks, usage, done = [value for _, value in events]
    assert done == "[DONE]"
    assert usage["choices"] == []
    assert set(usage["usage"]) >= {"prompt_tokens", "completion_tokens", "total_tokens"}
    assert usage["usage"]["total_tokens"] == usage["usage"]["prompt_tokens"] + usage["usage"]["completion_tokens"]
    choices = [choice for chunk in chunks for choice in chunk["choices"]]
    assert [choice["delta"].get("role") for choice in choices] == ["assistant"] + [None] * (len(choices) - 1)
    assert {choice["index"] for choice in choices} == {0}
    *before, last = [choice["finish_reason"] for choice in choices]
    assert set(before) == {None}
    assert last == {"tools": "tool_calls", "agent": "tool_calls", "length": "length"}.get(scenario, "stop")
    assert choices[-1]["delta"] == {}
    assert len({chunk["id"] for chunk in [*chunks, usage]}) == 1
    assert {chunk["object"] for chunk in [*chunks, usage]} == {"chat.completion.chunk"}


async def test_rule_1_chat_stops_with_length_when_the_caller_caps_it(daphne: Daphne) -> None:
    events = await streamed(daphne, "chat", "text", max_tokens=7)
    chunks = [value for _, value in events if isinstance(value, dict)]
    assert chunks[-2]["choices"][0]["finish_reason"] == "length"
    assert chunks[-1]["usage"]["completion_tokens"] == 7
    assert len([chunk for chunk in chunks if chunk["choices"] and chunk["choices"][0]["delta"].get("content")]) == 7


async def test_rule_1_a_flood_is_capped_like_any_answer(daphne: Daphne) -> None:
    events = await streamed(daphne, "chat", "flood", max_tokens=1_000)
    assert events[-2][1]["usage"]["completion_tokens"] == 1_000
    assert events[-3][1]["choices"][0]["finish_reason"] == "length"


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("options", [None, {"include_usage": True}, {"include_usage": False}])
async def test_rule_2_claude_and_gpt_send_usage_unasked_and_glm_when_asked(
    daphne: Daphne, model: str, options: dict[str, bool] | None
) -> None:
    events = await streamed(daphne, "chat", "text", model=model, stream_options=options)
    counted = [value for _, value in events if isinstance(value, dict) and "usage" in value]
    asked = bool(options and options["include_usage"])
    assert bool(counted) is (asked or not model.startswith("z-ai/"))
    assert events[-1] == ("", "[DONE]")


async def test_rule_3_reasoning_comes_as_fragments_of_reasoning_details(daphne: Daphne) -> None:
    events = await streamed(daphne, "chat", "reasoning")
    deltas = [value["choices"][0]["delta"] for _, value in events if isinstance(value, dict) and value["choices"]]
    details = [detail for delta in deltas for detail in delta.get("reasoning_details", [])]
    assert len(details) > 20
    assert {detail["type"] for detail in details} == {"reasoning.summary"}
    assert {detail["index"] for detail in details} == {0}
    assert "".join(detail["summary"] for detail in details).startswith("The question is")


async def test_rule_3_a_search_that_ran_stands_on_one_chunk(daphne: Daphne) -> None:
    events = await streamed(daphne, "chat", "web-search")
    (search,) = [value["web_search"] for _, value in events if isinstance(value, dict) and "web_search" in value]
    assert search["queries"]
    assert all(result["url"].startswith("https://") for result in search["results"])


async def test_rule_3_a_call_that_the_free_plan_covers_says_free_tier(daphne: Daphne) -> None:
    events = await streamed(daphne, "chat", "free-tier")
    (free,) = [value["free_tier"] for _, value in events if isinstance(value, dict) and "free_tier" in value]
    assert free["remaining"] == 37
    for scenario in ("text", "tools"):
        assert not any("free_tier" in value for _, value in await streamed(daphne, "chat", scenario))


@pytest.mark.parametrize("scenario", HEALTHY)
@pytest.mark.parametrize("model", MODELS)
async def test_rule_4_messages_come_in_their_order(daphne: Daphne, scenario: str, model: str) -> None:
    events = [
        (name, value) for name, value in await streamed(daphne, "messages", scenario, model=model) if name != "ping"
    ]
    assert all(name == value["type"] for name, value in events)
    assert events[0][0] == "message_start"
    assert events[0][1]["message"]["usage"]["input_tokens"] > 0
    assert [name for name, _ in events[-2:]] == ["message_delta", "message_stop"]
    finishes = {"tools": "tool_use", "agent": "tool_use", "length": "max_tokens", "refusal": "refusal"}
    assert events[-2][1]["delta"]["stop_reason"] == finishes.get(scenario, "end_turn")
    open_block, count = None, 0
    for name, value in events[1:-2]:
        if name == "content_block_start":
            assert open_block is None
            assert value["index"] == count
            open_block, count = count, count + 1
        elif name == "content_block_stop":
            assert value["index"] == open_block
            open_block = None
        elif name == "content_block_delta":
            assert value["index"] == open_block
        else:
            assert (name, scenario) == ("message_delta", "usage-everywhere")
            assert value["delta"]["stop_reason"] is None
    assert open_block is None
    assert count > 0


@pytest.mark.parametrize("scenario", HEALTHY)
@pytest.mark.parametrize("model", MODELS)
async def test_rule_5_responses_number_their_events_and_close_all_they_open(
    daphne: Daphne, scenario: str, model: str
) -> None:
    events = await streamed(daphne, "responses", scenario, model=model)
    assert all(name == value["type"] for name, value in events)
    assert [value["sequence_number"] for _, value in events] == list(range(len(events)))
    names = [name for name, _ in events]
    assert names[:2] == ["response.created", "response.in_progress"]
    cut_short = scenario == "length" or (scenario == "refusal" and model.startswith("claude"))
    assert names[-1] == ("response.incomplete" if cut_short else "response.completed")
    for opening, closing in (
        ("response.output_item.added", "response.output_item.done"),
        ("response.content_part.added", "response.content_part.done"),
        ("response.reasoning_summary_part.added", "response.reasoning_summary_part.done"),
    ):
        assert names.count(opening) == names.count(closing), opening
    done = {value["output_index"]: value["item"] for name, value in events if name == "response.output_item.done"}
    response = events[-1][1]["response"]
    assert response["output"] == [done[index] for index in range(len(done))]
    assert response["usage"]["total_tokens"] == response["usage"]["input_tokens"] + response["usage"]["output_tokens"]


@pytest.mark.parametrize("format", PATHS)
async def test_rule_6_the_status_is_sent_before_the_model_starts(daphne: Daphne, format: str) -> None:
    request = body(format, "error-only")
    async with exchange(daphne, PATHS[format], request, headers={"X-Gateway-Pace": "first=700ms"}) as one:
        assert one.status == 200
        at_head = time.monotonic()
        events = events_of(await one.body())
        assert time.monotonic() - at_head > 0.5
    assert any("error" in value for _, value in events if isinstance(value, dict))


async def test_rule_6_an_error_inside_chat_has_finish_error_and_done_behind_it(daphne: Daphne) -> None:
    for scenario, before in (("error-mid", True), ("error-only", False)):
        *chunks, failed, done = [value for _, value in await streamed(daphne, "chat", scenario)]
        assert bool(chunks) is before
        assert failed["choices"] == [{"index": 0, "delta": {}, "finish_reason": "error"}]
        assert set(failed["error"]) == {"message", "type", "code", "param"}
        assert done == "[DONE]"
        assert not any("usage" in chunk for chunk in [*chunks, failed])


async def test_rule_6_an_error_inside_messages_is_the_last_event(daphne: Daphne) -> None:
    for scenario, before in (("error-mid", True), ("error-only", False)):
        *events, (name, failed) = await streamed(daphne, "messages", scenario)
        assert bool(events) is before
        assert name == failed["type"] == "error"
        assert failed["error"]["type"] == ("api_error" if before else "overloaded_error")
        assert "message_stop" not in [event for event, _ in events]


async def test_rule_6_an_error_inside_responses_is_flat_and_nested_then_failed(daphne: Daphne) -> None:
    for scenario in ("error-mid", "error-only"):
        *events, (name, error), (last, failed) = await streamed(daphne, "responses", scenario)
        assert events[0][0] == "response.created"
        assert name == "error"
        assert error["message"] == error["error"]["message"]
        assert isinstance(error["code"], str)
        assert last == "response.failed"
        assert failed["response"]["error"]["message"] == error["message"]
        assert failed["response"]["usage"] is None
        assert "response.completed" not in [event for event, _ in events]


@pytest.mark.parametrize("format", PATHS)
async def test_rule_6_a_stream_with_only_an_error_has_no_delta_and_no_usage(daphne: Daphne, format: str) -> None:
    _, _, raw = await ask(daphne, format, body(format, "error-only"))
    for name, value in events_of(raw):
        assert "delta" not in name
        text = json.dumps(value)
        assert '"usage": {' not in text
        assert '"content": "' not in text


@pytest.mark.parametrize("format", PATHS)
async def test_the_same_call_gives_the_same_bytes_but_for_id_and_created(daphne: Daphne, format: str) -> None:
    bodies = []
    for _ in range(2):
        _, _, raw = await ask(daphne, format, body(format, "reasoning"))
        first = next(value for _, value in events_of(raw))
        first = first.get("message") or first.get("response") or first
        bare = first["id"].partition("-")[2] or first["id"].partition("_")[2]
        raw = raw.replace(bare.encode(), b"ID")
        for field in ("created", "created_at"):
            raw = raw.replace(b'"%s":%d' % (field.encode(), first.get(field, 0)), b"CREATED")
        bodies.append(raw)
    assert bodies[0] == bodies[1]


async def test_every_scenario_is_listed_with_what_to_look_for(daphne: Daphne) -> None:
    async with exchange(daphne, "/v1/models", method="GET") as one:
        listed = json.loads(await one.body())
        assert one.headers["x-request-id"].startswith("req_")
    assert [entry["name"] for entry in listed["scenarios"]] == list(SCENARIOS)
    assert all(entry["look_for"].endswith((".", "?")) for entry in listed["scenarios"])
    assert [entry["id"] for entry in listed["data"]] == list(NATIVE.values())
    assert all(entry["prices"]["output"] > entry["prices"]["input"] > 0 for entry in listed["data"])
