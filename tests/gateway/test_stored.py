"""Stored answers: Idempotency-Key and the cache, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.http import ask
from tests.support.ledger import charges, leave_early, own_key
from tests.support.read_back import said_in
from tests.support.requests import PATHS, body

TURNS = {"chat": "messages", "messages": "messages", "responses": "input"}


@pytest.fixture
def key() -> dict[str, str]:
    """A key of this test's own, with an Idempotency-Key."""
    return {**own_key(), "Idempotency-Key": "a first try"}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("format", PATHS)
async def test_rule_9_the_same_request_gets_the_same_bytes_again_for_nothing(
    daphne: Daphne, format: str, stream: bool, key: dict[str, str]
) -> None:
    request = body(format, "reasoning", stream=stream)
    _, first, raw = await ask(daphne, format, request, headers=key)
    assert "idempotent-replayed" not in first
    slow = {**key, "X-Gateway-Pace": "tps=1, first=60s"}  # at once, whatever the pace
    status, second, again = await ask(daphne, format, request, headers=slow)
    assert (status, again) == (200, raw)
    assert second["idempotent-replayed"] == "true"
    assert second["content-type"] == first["content-type"]
    assert second.get("x-zukko-cost-micros") == (None if stream else "0")
    replayed, paid = await charges(daphne, key)
    assert (replayed["id"], paid["id"]) == (second["x-request-id"], first["x-request-id"])
    assert (replayed["replayed"], replayed["cost_micros"]) == (True, 0)
    assert (paid["replayed"], paid["cost_micros"] > 0) == (False, True)


async def test_rule_9_stream_options_are_not_compared_and_the_rest_of_the_body_is(
    daphne: Daphne, key: dict[str, str]
) -> None:
    _, _, raw = await ask(daphne, "chat", body("chat"), headers=key)
    _, headers, again = await ask(daphne, "chat", body("chat", stream_options=None), headers=key)
    assert again == raw
    assert headers["idempotent-replayed"] == "true"
    for other in ({"prompt": "Another"}, {"temperature": 1}, {"user": "x"}):
        status, _, raw = await ask(daphne, "chat", body("chat", **other), headers=key)
        assert status == 422
        assert json.loads(raw)["error"]["code"] == "idempotency_key_reused"
    assert len(await charges(daphne, key)) == 2


async def test_rule_9_key_address_and_streamed_or_whole_tell_answers_apart(daphne: Daphne, key: dict[str, str]) -> None:
    answers: list[tuple[str, dict[str, Any], dict[str, str]]] = [
        ("chat", body("chat"), key),
        ("chat", body("chat", stream=False), key),
        ("chat", body("chat"), {**key, "Idempotency-Key": "a second try"}),
        ("chat", body("chat"), {**own_key(), "Idempotency-Key": "a first try"}),
        ("responses", body("responses"), key),
    ]
    for format, request, headers in answers:
        _, told, _ = await ask(daphne, format, request, headers=headers)
        assert "idempotent-replayed" not in told


async def test_rule_9_fifty_calls_at_once_run_the_model_once(daphne: Daphne, key: dict[str, str]) -> None:
    headers = {**key, "X-Gateway-Pace": "tps=1000, first=100ms"}
    answers = await asyncio.gather(*(ask(daphne, "chat", body("chat", "text"), headers=headers) for _ in range(50)))
    ran = [raw for status, told, raw in answers if status == 200 and "idempotent-replayed" not in told]
    assert len(ran) == 1
    others = [(status, told, raw) for status, told, raw in answers if raw is not ran[0]]
    assert len(others) == 49
    for status, told, raw in others:
        assert status == 409 or (status, raw, told["idempotent-replayed"]) == (200, ran[0], "true")
        if status == 409:
            assert json.loads(raw)["error"]["code"] == "idempotency_key_in_use"
    rows = await charges(daphne, key)
    assert len([charge for charge in rows if charge["cost_micros"]]) == 1
    _, told, raw = await ask(daphne, "chat", body("chat", "text"), headers=key)
    assert (raw, told["idempotent-replayed"]) == (ran[0], "true")


@pytest.mark.parametrize("format", PATHS)
async def test_rule_9_an_answer_whose_client_left_is_stored_all_the_same(
    daphne: Daphne, format: str, key: dict[str, str]
) -> None:
    slow = {**key, "X-Gateway-Pace": "tps=400, first=0"}
    read = await leave_early(daphne, format, body(format, "text"), slow)
    status, _, _ = await ask(daphne, format, body(format, "text"), headers=key)
    assert status == 409  # it is still being read
    await charges(daphne, key)
    _, told, raw = await ask(daphne, format, body(format, "text"), headers=key)
    assert told["idempotent-replayed"] == "true"
    assert raw.startswith(read)
    assert said_in(format, raw)["complete"]


async def test_rule_9_a_cut_connection_can_be_mended_with_the_same_key(daphne: Daphne, key: dict[str, str]) -> None:
    with pytest.raises(asyncio.IncompleteReadError):
        await ask(daphne, "messages", body("messages", "cut"), headers=key)
    await charges(daphne, key)
    _, told, raw = await ask(daphne, "messages", body("messages", "cut"), headers=key)
    assert told["idempotent-replayed"] == "true"
    assert said_in("messages", raw)["text"].endswith("which are these.")


async def test_rule_9_a_larger_answer_runs_again(daphne: Daphne, key: dict[str, str]) -> None:
    for _ in range(2):
        _, told, raw = await ask(daphne, "messages", body("messages", "flood"), headers=key)
        assert len(raw) > 2_000_000
        assert "idempotent-replayed" not in told
    assert [charge["replayed"] for charge in await charges(daphne, key)] == [False, False]


async def test_an_error_that_was_not_billed_can_be_tried_again(daphne: Daphne, key: dict[str, str]) -> None:
    for _ in range(2):
        _, told, _ = await ask(daphne, "chat", body("chat", "error-only"), headers=key)
        assert "idempotent-replayed" not in told


async def test_rule_9_the_cache_answers_identical_bodies_when_asked_to(daphne: Daphne) -> None:
    key = own_key()
    on = {**key, "X-Gateway-Cache": "on"}
    _, told, raw = await ask(daphne, "responses", body("responses"), headers=on)
    assert told["x-gateway-cache"] == "miss"
    _, told, again = await ask(daphne, "responses", body("responses"), headers=on)
    assert (told["x-gateway-cache"], again) == ("hit", raw)
    assert "idempotent-replayed" not in told
    for request, headers in (
        (body("responses", prompt="Another"), on),
        (body("responses", stream=False), on),
        (body("responses"), {**own_key(), "X-Gateway-Cache": "on"}),
    ):
        _, told, _ = await ask(daphne, "responses", request, headers=headers)
        assert told["x-gateway-cache"] == "miss"
    _, told, other = await ask(daphne, "responses", body("responses"), headers=key)
    assert "x-gateway-cache" not in told
    assert other != raw  # it ran, with an id of its own
    hits = [charge for charge in await charges(daphne, key) if charge["replayed"]]
    assert [charge["cost_micros"] for charge in hits] == [0]


async def test_the_cache_is_off_unless_it_says_on(daphne: Daphne) -> None:
    status, _, raw = await ask(daphne, "chat", body("chat"), headers={"X-Gateway-Cache": "maybe"})
    assert status == 400
    assert json.loads(raw)["error"]["param"] == "X-Gateway-Cache"


async def test_an_idempotency_key_has_a_longest_length(daphne: Daphne) -> None:
    status, _, _ = await ask(daphne, "chat", body("chat"), headers={**own_key(), "Idempotency-Key": "k" * 255})
    assert status == 200
    status, _, _ = await ask(daphne, "chat", body("chat"), headers={"Idempotency-Key": "k" * 256})
    assert status == 400


async def test_stored_answers_survive_a_restart(start_daphne: Callable[..., Daphne], key: dict[str, str]) -> None:
    server = start_daphne(application=GATEWAY_ALONE)
    _, _, raw = await ask(server, "chat", body("chat"), headers=key)
    server.stop()
    server = start_daphne(application=GATEWAY_ALONE)
    _, told, again = await ask(server, "chat", body("chat"), headers=key)
    assert (again, told["idempotent-replayed"]) == (raw, "true")
