"""A session streams on its own; whoever watches it, from whenever on, sees each step once."""

from __future__ import annotations

import asyncio

import pytest
from channels.db import database_sync_to_async

from playground import runs
from playground.recordings import keep, library
from playground.recordings.keep import Batch
from playground.recordings.models import Lane
from playground.recordings.replay import Cursor, replay
from playground.runs.hall import Hall
from tests.support.lanes import begin, head_of, reads_of
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving
from tests.support.sessions import Upstream, event, request, watching


def said(session: str, number: int = 0) -> list[str]:
    lane = library.lane(session, number)
    assert lane is not None
    cursor = Cursor(lane.format)
    return [cursor.encode(step) for step in replay(lane, cursor)]


async def ended(hall: Hall) -> None:
    while hall.busy:
        await asyncio.wait(list(hall._ending))


async def test_a_viewer_sees_all_from_the_first_step_to_the_end(hall: Hall) -> None:
    async with serving(Upstream(30)) as port:
        session = await runs.start(request(port))
        async with watching(session) as socket:
            first = await socket.read()
            assert first["type"] == "session"
            assert first["id"] == session
            assert first["lanes"][0]["model"] == "a-model"
            await socket.read_to_end()
            assert socket.browser.numbers() == list(range(len(socket.browser.numbers())))
            end = socket.browser.steps[0][-1]["end"]
            assert (end["how"], end["detail"], end["word"], end["complete"]) == ("closed", "", "ended", True)
        await ended(hall)
        kept = await database_sync_to_async(said)(session)
    assert len(kept) == len(socket.browser.steps[0])


async def test_a_run_goes_on_without_a_viewer_and_several_tabs_see_the_same(hall: Hall) -> None:
    upstream = Upstream(40, before=15)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        async with watching(session) as early:
            await early.read()
        await upstream.half.wait()
        async with watching(session) as one, watching(session) as two:
            for socket in (one, two):
                while len(socket.browser.numbers()) < 5:
                    await socket.read()
            upstream.gate.set()
            await one.read_to_end()
            await two.read_to_end()
            assert one.browser.steps == two.browser.steps
        async with watching(session) as late:
            await late.read_to_end()
            assert late.browser.steps == one.browser.steps
        await ended(hall)


@pytest.mark.parametrize("joins", [0, 1, 7, 20, 39])
async def test_joining_at_any_moment_misses_and_doubles_nothing(hall: Hall, joins: int) -> None:
    upstream = Upstream(40, before=joins)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        async with watching(session) as socket:
            upstream.gate.set()
            await socket.read_to_end()
            assert socket.browser.numbers() == list(range(len(socket.browser.numbers())))
        await ended(hall)


async def test_a_browser_that_comes_back_gets_only_what_it_lacks(hall: Hall) -> None:
    async with serving(Upstream(30)) as port:
        session = await runs.start(request(port))
        await ended(hall)
    async with watching(session) as whole:
        await whole.read_to_end()
    last = whole.browser.numbers()[-1]
    async with watching(session, have=f"0:{last - 4}") as socket:
        await socket.read_to_end()
        assert socket.browser.steps[0] == whole.browser.steps[0][-4:]
    async with watching(session, have=f"0:{last}") as socket:
        await socket.read()
        assert await socket.communicator.receive_nothing(timeout=0.3)


async def test_a_browser_that_saw_more_than_a_dead_server_kept_gets_the_end(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.runs.control.PATIENCE", 0.05)
    monkeypatch.setattr("playground.runs.watching.LOOK", 0.05)

    def half_kept() -> str:
        begun = begin()
        keep.write([Batch(begun.lanes[0], head_of("chat-no-done"), reads_of([event(1), event(2)]))])
        return begun.session

    session = await database_sync_to_async(half_kept)()
    async with watching(session, have="0:10") as socket:
        await socket.read_to_end()
        (end,) = socket.browser.steps[0]
        assert (end["step"], end["end"]["word"], "rows" in end) == (11, "interrupted", False)
    async with watching(session) as socket:
        await socket.read_to_end()
        assert socket.browser.numbers() == [0, 1, 2, 3]


async def test_a_sleeping_tab_slows_nobody_and_wakes_up_to_the_rest(hall: Hall) -> None:
    upstream = Upstream(3000)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        async with watching(session) as sleeper:
            while not sleeper.browser.frames:
                await sleeper.read(acknowledge=False)
            await ended(hall)
            await sleeper.send({"type": "ack", "frame": sleeper.browser.frames[-1]})
            await sleeper.read_to_end()
            assert sleeper.browser.numbers() == list(range(len(sleeper.browser.numbers())))
            assert len(sleeper.browser.numbers()) > 100


async def test_what_the_channel_layer_drops_is_read_from_the_recording(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = hall._layer.group_send
    count = 0

    async def lossy(group: str, message: dict[str, object]) -> None:
        nonlocal count
        count += 1
        if count % 3 or message["type"] == "tail":
            await send(group, message)

    monkeypatch.setattr(hall._layer, "group_send", lossy)
    async with serving(Upstream(200)) as port:
        session = await runs.start(request(port))
        async with watching(session) as socket:
            await socket.read_to_end()
            assert socket.browser.numbers() == list(range(len(socket.browser.numbers())))
        await ended(hall)


async def test_three_lanes_come_over_one_socket(hall: Hall) -> None:
    async with serving(Upstream(20)) as port:
        session = await runs.start(request(port, lanes=3))
        async with watching(session) as socket:
            await socket.read_to_end([0, 1, 2])
            for lane in range(3):
                assert socket.browser.numbers(lane) == list(range(len(socket.browser.numbers(lane))))
        await ended(hall)


async def test_an_event_above_a_megabyte_arrives_live_and_later(hall: Hall) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        await peer.send(chunk(b'data: {"choices":[{"index":0,"delta":{"content":"' + b"x" * 1_500_000 + b'"}}]}\n\n'))
        await peer.send(LAST_CHUNK)

    async with serving(script) as port:
        session = await runs.start(request(port))
        for _ in range(2):
            async with watching(session) as socket:
                await socket.read_to_end()
                rows = [row for step in socket.browser.steps[0] for row in step.get("rows", [])]
                assert len(rows[0][5]) > 1_500_000
            await ended(hall)


async def test_all_that_is_in_the_tables_after_the_end_is_sealed(hall: Hall) -> None:
    async with serving(Upstream(30)) as port:
        session = await runs.start(request(port))
        await ended(hall)
    lane = await Lane.objects.aget(session_id=session, number=0)
    assert (lane.how, lane.word, lane.complete) == ("closed", "ended", True)
    assert lane.summary["text"].startswith("word 0 word 1 ")
    assert len(lane.digest) == 64
