"""A viewer outlives a database that does not answer; a link that cannot be checked, or a lane that is gone, ends it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError

from playground import runs
from playground.recordings import sharing, shelf
from playground.recordings.replay import Gap
from playground.recordings.veil import NOTHING, left_out
from playground.runs import watching as watching_module
from playground.runs.following import LaneCursor
from playground.runs.hall import Hall
from tests.runs.test_watching import ended
from tests.support.raw_server import serving
from tests.support.sessions import Socket, Upstream, request, watching, watching_at


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"AGAIN": 0.001, "LOOK": 0.01, "UNCHECKED": 0.1}.items():
        monkeypatch.setattr(watching_module, name, seconds)


class Moods:
    """What stands before a function: as many errors as are in `coming`, one a call, or `always` the same."""

    def __init__(self) -> None:
        self.coming: list[Exception] = []
        self.always: Exception | None = None

    def show(self) -> None:
        if self.always is not None:
            raise self.always
        if self.coming:
            raise self.coming.pop()


@pytest.fixture
def cursor_moods(monkeypatch: pytest.MonkeyPatch) -> Moods:
    moods = Moods()
    advance = LaneCursor.advance

    async def moody(cursor: LaneCursor, after: int) -> list[str] | None:
        if cursor._number == 0:
            moods.show()
        return await advance(cursor, after)

    monkeypatch.setattr(LaneCursor, "advance", moody)
    return moods


@pytest.fixture
def link_moods(monkeypatch: pytest.MonkeyPatch) -> Moods:
    moods = Moods()
    check = sharing.check

    def moody(link: str) -> sharing.Shared:
        moods.show()
        return check(link)

    monkeypatch.setattr(sharing, "check", moody)
    return moods


@asynccontextmanager
async def kept_session(hall: Hall, lanes: int = 1) -> AsyncIterator[str]:
    async with serving(Upstream(10)) as port:
        session = await runs.start(request(port, lanes=lanes))
        await ended(hall)
        yield session


async def closing(socket: Socket) -> tuple[str, int]:
    """The code of the last error, and the close code."""
    code = ""
    while (message := await socket.communicator.receive_output(timeout=10))["type"] != "websocket.close":
        told = json.loads(message["text"])
        code = told["code"] if told["type"] == "error" else code
    return code, message["code"]


async def test_a_database_that_does_not_answer_is_asked_again(hall: Hall, cursor_moods: Moods) -> None:
    cursor_moods.coming = [OperationalError("locked"), OperationalError("gone away"), OperationalError("locked")]
    async with kept_session(hall) as session, watching(session) as socket:
        await socket.read_to_end()
        assert socket.browser.numbers() == list(range(len(socket.browser.numbers())))
    assert not cursor_moods.coming


async def test_an_expiry_is_noticed_after_the_database_did_not_answer(hall: Hall, link_moods: Moods) -> None:
    async with kept_session(hall) as session:
        made = await database_sync_to_async(sharing.make)(session, NOTHING)
        assert made is not None
        async with watching_at(f"/ws/s/{made.token}/") as socket:
            await socket.read_to_end()
            link_moods.coming = [OperationalError("locked"), OperationalError("locked")]
            await database_sync_to_async(sharing.revoke)(session, made.shared.id)
            assert await closing(socket) == ("share-revoked", 4410)
    assert not link_moods.coming


async def test_a_link_that_cannot_be_checked_for_long_shows_nothing_more(hall: Hall, link_moods: Moods) -> None:
    async with kept_session(hall) as session:
        made = await database_sync_to_async(sharing.make)(session, NOTHING)
        assert made is not None
        async with watching_at(f"/ws/s/{made.token}/") as socket:
            await socket.read_to_end()
            link_moods.always = OperationalError("no such host")
            assert await closing(socket) == ("share-unchecked", 4410)


async def test_who_watches_a_session_that_is_erased_is_told(hall: Hall, cursor_moods: Moods) -> None:
    async with kept_session(hall) as session:
        cursor_moods.always = OperationalError("locked")
        async with watching(session) as socket:
            await socket.read()
            await database_sync_to_async(shelf.delete)([session])
            await database_sync_to_async(shelf.erase)([session])
            cursor_moods.always = None
            assert await closing(socket) == ("no-such-session", 4404)


async def test_a_damaged_lane_says_so_and_the_other_ones_come(hall: Hall, cursor_moods: Moods) -> None:
    async with kept_session(hall, lanes=2) as session:
        cursor_moods.always = Gap(4)
        async with watching(session) as socket:
            told: list[dict[str, Any]] = []
            while not (socket.browser.is_over(1) and any(each["type"] == "error" for each in told)):
                told.append(await socket.read())
            (error,) = [each for each in told if each["type"] == "error"]
    assert error["code"] == "damaged"
    assert error["message"] == "Lane 1 is damaged: read 5 is missing. What stands before it is here."


async def test_after_a_cut_nothing_is_sent(hall: Hall) -> None:
    sent: list[str] = []
    cut: list[Exception] = []
    over = asyncio.Event()

    async def send(text: str) -> None:
        sent.append(text)

    async def gone(why: Exception) -> None:
        cut.append(why)
        over.set()

    upstream = Upstream(20, before=10)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        made = await database_sync_to_async(sharing.make)(session, NOTHING)
        assert made is not None
        watch = await runs.watch_shared(made.token, {}, send, gone)
        assert watch is not None
        await runs.revoke(session, made.shared.id)
        await asyncio.wait_for(over.wait(), 10)
        before = len(sent)
        upstream.gate.set()
        await ended(hall)
        watch._time_is_up()
        await watch.ack(10**6)
        for _ in range(20):
            await asyncio.sleep(0)
        await watch.close()
    assert len(sent) == before
    assert [str(why) for why in cut] == [sharing.SENTENCES["revoked"]]


async def test_a_preview_is_told_what_a_link_is_told(hall: Hall) -> None:
    without = left_out(["system", "body"], ["word 3"])
    async with kept_session(hall) as session:
        made = await database_sync_to_async(sharing.make)(session, without)
        assert made is not None
        seen = []
        preview = f"/ws/sessions/{session}/shared-view/?without=system,body&text=word%203"
        for path in (f"/ws/s/{made.token}/", preview):
            async with watching_at(path) as socket:
                await socket.read_to_end()
                seen.append(socket.browser.messages)
    assert seen[0] == seen[1]
    assert session not in json.dumps(seen)
