"""The ledger on PostgreSQL: the same rules, with many calls at once and two servers on one database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.support.available import POSTGRESQL_URL
from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.http import ask, exchange
from tests.support.ledger import charges, ledger, own_key
from tests.support.requests import PATHS, body

pytestmark = pytest.mark.postgresql


@pytest.fixture
def on_postgresql(start_daphne: Callable[..., Daphne]) -> Iterator[Callable[[], Daphne]]:
    """Start servers on one database of this test's own."""
    import psycopg

    name = f"test_gateway_{os.getpid()}"
    with psycopg.connect(POSTGRESQL_URL, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    url = urlunsplit(urlsplit(POSTGRESQL_URL)._replace(path=f"/{name}"))
    yield lambda: start_daphne(environment={"DATABASE_URL": url}, application=GATEWAY_ALONE)
    with psycopg.connect(POSTGRESQL_URL, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")


async def test_fifty_calls_at_two_servers_run_the_model_once_and_a_crash_is_settled_by_the_other(
    on_postgresql: Callable[[], Daphne],
) -> None:
    one, two = on_postgresql(), on_postgresql()
    key = own_key()
    headers = {**key, "Idempotency-Key": "once", "X-Gateway-Pace": "tps=500, first=0"}
    answers = await asyncio.gather(
        *(ask((one, two)[number % 2], "chat", body("chat", "text"), headers=headers) for number in range(50))
    )
    ran = [raw for status, told, raw in answers if status == 200 and "idempotent-replayed" not in told]
    assert len(ran) == 1
    assert {status for status, _, _ in answers} <= {200, 409}
    _, told, raw = await ask(two, "chat", body("chat", "text"), headers=key | {"Idempotency-Key": "once"})
    assert (raw, told["idempotent-replayed"]) == (ran[0], "true")
    paid = (await ledger(one, key))["total_cost_micros"]
    many = await asyncio.gather(*(ask(one, "chat", body("chat", prompt=f"{n}"), headers=key) for n in range(20)))
    assert {status for status, _, _ in many} == {200}

    slow = {**key, "X-Gateway-Pace": "tps=100, first=0"}
    async with exchange(one, PATHS["chat"], body("chat", "long"), headers=slow) as running:
        async for _ in running.chunks():
            newest = (await ledger(two, key, "?limit=1"))["data"][0]
            assert newest["ended"] == "running"  # its server lives
            if newest["output_tokens"]:
                break
        one.kill()
    rows = await charges(two, key)
    assert rows[0]["ended"] == "interrupted"
    assert paid < (await ledger(two, key))["total_cost_micros"] == sum(row["cost_micros"] for row in rows)
