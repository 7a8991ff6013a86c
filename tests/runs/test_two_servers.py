"""A session that runs in one server is watched and stopped in another; the two share tables and Redis."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.layers import channel_layers as layers
from django.conf import LazySettings
from django.db import connections

from playground import runs
from playground.recordings import sharing
from playground.recordings.models import Lane
from playground.recordings.veil import left_out
from playground.runs.hall import Hall
from playground.settings import channel_layers
from tests.support.available import REDIS_URL
from tests.support.daphne import Daphne
from tests.support.sessions import watching, watching_at

pytestmark = pytest.mark.redis


@pytest.fixture
def over_redis(settings: LazySettings) -> None:
    settings.CHANNEL_LAYERS = channel_layers(REDIS_URL)


@pytest.fixture
async def here(over_redis: None, hall: Hall) -> AsyncIterator[Hall]:
    """The hall of this process, over Redis."""
    yield hall
    await runs.shutdown()
    await layers["default"].close_pools()


@pytest.fixture
def there(here: Hall, start_daphne: Callable[..., Daphne]) -> Daphne:
    """Another server, on the tables of this test."""
    database = f"sqlite:///{connections['default'].settings_dict['NAME']}"
    return start_daphne(environment={"DATABASE_URL": database, "REDIS_URL": REDIS_URL})


def start_in(server: Daphne, pace: str, scenario: str = "long") -> str:
    """Start a session there; its id."""
    body = json.dumps(
        {"model": f"z-ai/glm-5.2:{scenario}", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
    )
    lane = {"format": "chat", "target": "gateway", "body": body, "headers": [["X-Gateway-Pace", pace]]}
    return str(post_to(server, "/sessions/", {"lanes": [lane]})["id"])


def post_to(server: Daphne, path: str, value: Any) -> Any:
    """What a page posts there, and the answer."""
    with urllib.request.urlopen(server.url, timeout=30) as page:
        token = re.search(r'name="csrf-token" content="([^"]+)"', page.read().decode())
        cookie = page.headers["set-cookie"].partition(";")[0]
    assert token is not None
    headers = {"content-type": "application/json", "x-csrftoken": token[1], "cookie": cookie}
    request = urllib.request.Request(server.url + path, json.dumps(value).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


async def sealed_lane(session: str) -> Any:
    """The lane, once its server has kept its end: viewers may see that a moment sooner."""
    async with asyncio.timeout(20):
        while not (lane := await Lane.objects.aget(session_id=session, number=0)).how:
            pass
    return lane


@pytest.mark.parametrize("joins", [0, 40])
async def test_a_viewer_in_another_server_sees_each_step_once(here: Hall, there: Daphne, joins: int) -> None:
    session = await asyncio.to_thread(start_in, there, "tps=2000,first=0ms")
    async with watching(session) as first:
        while len(first.browser.numbers()) < joins:
            await first.read()
        async with watching(session) as socket:
            await socket.read_to_end()
            numbers = socket.browser.numbers()
            assert numbers == list(range(len(numbers)))
            assert len(numbers) > 50
            assert socket.browser.steps[0][-1]["end"]["word"] == "ended"
    lane = await sealed_lane(session)
    assert lane.reads == len(numbers) - 2


async def test_a_run_is_stopped_from_another_server(here: Hall, there: Daphne) -> None:
    session = await asyncio.to_thread(start_in, there, "tps=50,first=0ms")
    async with watching(session) as socket:
        while len(socket.browser.numbers()) < 5:
            await socket.read()
        await socket.send({"type": "stop"})
        await socket.read_to_end()
        assert socket.browser.steps[0][-1]["end"]["word"] == "stopped"


async def test_a_link_that_is_revoked_in_another_server_lets_its_viewers_here_go(here: Hall, there: Daphne) -> None:
    session = await asyncio.to_thread(start_in, there, "tps=50,first=0ms")
    made = await database_sync_to_async(sharing.make)(session, left_out(["system"], ["a text"]))
    assert made is not None
    async with watching_at(f"/ws/s/{made.token}/") as socket:
        while len(socket.browser.numbers()) < 5:
            await socket.read()
        await asyncio.to_thread(post_to, there, f"/sessions/{session}/shares/{made.shared.id}/revoke", {})
        while (message := await socket.read())["type"] != "error":
            pass
        assert message["code"] == "share-revoked"
    await runs.stop(session)


async def test_bytes_that_only_the_other_server_has_can_be_had(here: Hall, there: Daphne) -> None:
    session = await asyncio.to_thread(start_in, there, "tps=50,first=0ms")
    async with watching(session) as socket:
        while len(socket.browser.numbers()) < 20:
            await socket.read()
        offset = socket.browser.steps[0][-1]["offset"]
        body = await runs.body(session, 0, 0, offset)
        assert body is not None
        assert len(body) == offset
        await runs.stop(session)
        await socket.read_to_end()


async def test_when_the_other_server_is_killed_the_lane_gets_its_end(
    here: Hall, there: Daphne, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.runs.watching.LOOK", 0.2)
    monkeypatch.setattr("playground.runs.control.PATIENCE", 0.2)
    session = await asyncio.to_thread(start_in, there, "tps=50,first=0ms")
    async with watching(session) as socket:
        while len(socket.browser.numbers()) < 60:
            await socket.read()
        await asyncio.to_thread(there.kill)
        await socket.read_to_end()
        assert socket.browser.steps[0][-1]["end"]["word"] == "interrupted"
    lane = await sealed_lane(session)
    assert lane.word == "interrupted"
    assert lane.reads >= 1


async def test_the_channel_layer_is_the_one_over_redis(here: Hall) -> None:
    assert type(here._layer).__name__ == "RedisChannelLayer"
    assert not await database_sync_to_async(Lane.objects.exists)()
