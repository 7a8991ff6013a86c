"""What calls cost, who pays, and what the ledger says of it, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from playground.gateway.billing import micros
from playground.gateway.catalogue import MODELS
from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.http import ask, exchange
from tests.support.ledger import charges, leave_early, leave_unanswered, ledger, own_key
from tests.support.read_back import said_in
from tests.support.requests import NATIVE, PATHS, body

LIMIT = {"chat": "max_completion_tokens", "messages": "max_tokens", "responses": "max_output_tokens"}
SLOW = {"X-Gateway-Pace": "tps=400, first=0"}


def price(format: str, usage: dict[str, Any]) -> int:
    return micros(MODELS[NATIVE[format]], usage["input"], 0, usage["output"])


def test_prices_are_whole_micros_rounded_half_up() -> None:
    glm = MODELS["z-ai/glm-5.2"]  # 0.6, 0.11 and 2.2 micros a token
    assert micros(glm, 1, 0, 0) == 1
    assert micros(glm, 2, 0, 0) == 1
    assert micros(glm, 0, 0, 1) == 2
    assert micros(glm, 1_000_000, 0, 1_000_000) == 2_800_000
    assert micros(glm, 1_000_000, 1_000_000, 0) == 110_000


@pytest.mark.parametrize("format", PATHS)
async def test_rule_7_a_whole_answer_says_what_it_cost_and_what_is_left(daphne: Daphne, format: str) -> None:
    key = own_key()
    status, headers, raw = await ask(daphne, format, body(format, "text", stream=False), headers=key)
    assert status == 200
    (charge,) = (await ledger(daphne, key))["data"]
    assert charge["id"] == headers["x-request-id"]
    assert headers["x-zukko-cost-micros"] == str(charge["cost_micros"])
    assert charge["cost_micros"] == micros(MODELS[NATIVE[format]], charge["input_tokens"], 0, charge["output_tokens"])
    assert int(headers["x-fetch-balance-cents"]) == (await ledger(daphne, key))["balance_cents"]
    assert json.loads(raw)["usage"]


@pytest.mark.parametrize("format", PATHS)
async def test_rule_7_a_stream_has_no_cost_headers_and_the_ledger_knows_when_its_last_event_is_read(
    daphne: Daphne, format: str
) -> None:
    key = own_key()
    async with exchange(daphne, PATHS[format], body(format, "text"), headers=key) as one:
        assert not {"x-zukko-cost-micros", "x-fetch-balance-cents"} & set(one.headers)
        read = b""
        async for chunk in one.chunks():
            read += chunk
            if said_in(format, read)["complete"]:
                break
        (charge,) = (await ledger(daphne, key, f"?request_id={one.headers['x-request-id']}"))["data"]
    usage = said_in(format, read)["usage"]
    assert charge == {
        "id": one.headers["x-request-id"],
        "created": charge["created"],
        "model": f"{NATIVE[format]}:text",
        "path": PATHS[format],
        "streamed": True,
        "input_tokens": usage["input"],
        "output_tokens": usage["output"],
        "cost_micros": price(format, usage),
        "ended": "ended",
        "replayed": False,
        "lost": [],
    }


async def test_the_ledger_is_newest_first_limited_and_each_key_sees_its_own(daphne: Daphne) -> None:
    key, other = own_key(), own_key()
    ids = []
    for _ in range(3):
        _, headers, _ = await ask(daphne, "chat", body("chat"), headers=key)
        ids.append(headers["x-request-id"])
    mine = await ledger(daphne, key)
    assert [charge["id"] for charge in mine["data"]] == ids[::-1]
    assert mine["object"] == "list"
    assert mine["total_cost_micros"] == sum(charge["cost_micros"] for charge in mine["data"]) > 0
    assert mine["balance_cents"] == (100_000 * 10_000 - mine["total_cost_micros"]) // 10_000
    assert [charge["id"] for charge in (await ledger(daphne, key, "?limit=2"))["data"]] == ids[:0:-1]
    assert (await ledger(daphne, other))["data"] == []
    assert (await ledger(daphne, other, f"?request_id={ids[0]}"))["data"] == []
    same = {"x-api-key": key["authorization"].removeprefix("Bearer ")}
    assert (await ledger(daphne, same))["data"] == mine["data"]


@pytest.mark.parametrize("query", ["?limit=0", "?limit=x", "?limit=1001", "?limit=-1", "?limit=1.5"])
async def test_a_limit_that_makes_no_sense_is_refused(daphne: Daphne, query: str) -> None:
    async with exchange(daphne, f"/v1/usage{query}", method="GET") as one:
        assert one.status == 400
        assert json.loads(await one.body())["error"]["param"] == "limit"


@pytest.mark.parametrize("format", PATHS)
async def test_rule_6_only_an_error_is_not_billed_and_half_an_answer_is(daphne: Daphne, format: str) -> None:
    key = own_key()
    for scenario in ("error-only", "html", "error-mid"):
        for stream in (True, False):
            await ask(daphne, format, body(format, scenario, stream=stream), headers=key)
    rows = await charges(daphne, key)
    assert {charge["ended"] for charge in rows} == {"failed"}
    costs = {(charge["model"].partition(":")[2], charge["streamed"]): charge["cost_micros"] for charge in rows}
    assert costs.pop(("error-mid", True)) > 100
    assert set(costs.values()) == {0}


async def test_a_call_that_the_free_plan_covers_costs_nothing(daphne: Daphne) -> None:
    key = own_key()
    await ask(daphne, "chat", body("chat", "free-tier"), headers=key)
    (charge,) = await charges(daphne, key)
    assert charge["output_tokens"] > 20
    assert charge["cost_micros"] == 0


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("format", PATHS)
async def test_rule_8_closing_early_saves_nothing(daphne: Daphne, format: str, stream: bool) -> None:
    whole, left = own_key(), own_key()
    request = body(format, "text", stream=stream)
    await ask(daphne, format, request, headers=whole)
    if stream:
        read = await leave_early(daphne, format, request, {**left, **SLOW})
        assert read.count(b"data: ") < 20
    else:
        await leave_unanswered(daphne, format, request, {**left, **SLOW})
    (paid,), (charge,) = await charges(daphne, whole), await charges(daphne, left)
    assert (paid["ended"], charge["ended"]) == ("ended", "left")
    for field in ("input_tokens", "output_tokens", "cost_micros"):
        assert charge[field] == paid[field] > 0


@pytest.mark.parametrize("format", PATHS)
async def test_rule_8_a_limit_caps_what_is_spent(daphne: Daphne, format: str) -> None:
    key = own_key()
    for limit in (5, 20):
        await ask(daphne, format, body(format, "text", **{LIMIT[format]: limit}), headers=key)
    twenty, five = await charges(daphne, key)
    assert (five["output_tokens"], twenty["output_tokens"]) == (5, 20)
    assert five["cost_micros"] < twenty["cost_micros"]


async def test_a_dropped_connection_is_charged_like_any_answer(daphne: Daphne) -> None:
    key = own_key()
    async with exchange(daphne, PATHS["chat"], body("chat", "cut"), headers=key) as one:
        with pytest.raises(asyncio.IncompleteReadError):
            await one.body()
    (charge,) = await charges(daphne, key)
    assert charge["ended"] == "ended"
    assert charge["output_tokens"] > 90


async def test_a_balance_that_is_used_up_is_402_in_the_vendors_shape(start_daphne: Callable[..., Daphne]) -> None:
    server = start_daphne(environment={"PLAYGROUND_GATEWAY_BALANCE_CENTS": "1"}, application=GATEWAY_ALONE)
    key = own_key()
    await ask(server, "messages", body("messages", "long"), headers=key)
    assert (await ledger(server, key))["balance_cents"] < 0
    for format in PATHS:
        status, headers, raw = await ask(server, format, body(format), headers=key)
        assert status == 402
        error = json.loads(raw)["error"]
        assert error["type"] == ("billing_error" if format == "messages" else "insufficient_quota")
        assert "balance" in error["message"]
        assert headers["x-request-id"]
    assert len(await charges(server, key)) == 1
    status, _, _ = await ask(server, "chat", body("chat"), headers=own_key())
    assert status == 200


async def test_the_ledger_survives_a_restart_and_what_a_crash_cut_off_is_settled(
    start_daphne: Callable[..., Daphne],
) -> None:
    server = start_daphne(application=GATEWAY_ALONE)
    key = own_key()
    await ask(server, "chat", body("chat"), headers=key)
    headers = {**key, "X-Gateway-Pace": "tps=200, first=0", "Idempotency-Key": "once"}
    async with exchange(server, PATHS["chat"], body("chat", "long"), headers=headers) as one:
        async for _ in one.chunks():
            running, _ = (await ledger(server, key))["data"]
            if running["output_tokens"] > 50:  # the ledger is told every second
                break
        server.kill()
    server = start_daphne(application=GATEWAY_ALONE)
    cut, whole = await charges(server, key)
    assert (cut["ended"], whole["ended"]) == ("interrupted", "ended")
    assert 50 < cut["output_tokens"] < 2_000
    assert cut["cost_micros"] > 100
    both = await ledger(server, key)
    assert both["total_cost_micros"] == cut["cost_micros"] + whole["cost_micros"]
    # Its Idempotency-Key is free again: nothing was stored.
    _, headers, raw = await ask(server, "chat", body("chat", "text"), headers={**key, "Idempotency-Key": "once"})
    assert "idempotent-replayed" not in headers
    assert said_in("chat", raw)["complete"]
