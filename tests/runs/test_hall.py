"""The hall starts, stops and ends runs, and says no with a sentence."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.conf import LazySettings
from django.db import OperationalError
from django.utils import timezone

from playground import runs
from playground.reads import Read
from playground.recordings import keep, recorder, writers
from playground.recordings.keep import Batch
from playground.recordings.models import Lane, Page, Session, Writer
from playground.runs import Refused
from playground.runs.hall import Hall
from tests.support.lanes import begin, head_of
from tests.support.raw_server import CHUNKED_HEAD, Peer, chunk, serving
from tests.support.sessions import Upstream, event, request, watching


async def lane_of(session: str, number: int = 0) -> Lane:
    return await Lane.objects.aget(session_id=session, number=number)


async def ended(hall: Hall) -> None:
    while hall.busy:
        await asyncio.wait(list(hall._ending))


async def test_stop_ends_the_upstream_connection_and_keeps_what_came(hall: Hall) -> None:
    upstream = Upstream(20, before=10)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        async with watching(session) as socket:
            while socket.browser.numbers()[-1:] == [] or socket.browser.numbers()[-1] < 1:
                await socket.read()
            await socket.send({"type": "stop"})
            await socket.read_to_end()
            assert socket.browser.steps[0][-1]["end"]["word"] == "stopped"
        await ended(hall)
        upstream.gate.set()
        await upstream.left.wait()
    lane = await lane_of(session)
    assert (lane.how, lane.word) == ("stopped", "stopped")
    assert not await runs.stop(session)


async def test_one_lane_stops_and_the_others_go_on(hall: Hall) -> None:
    upstream = Upstream(20, before=10)
    async with serving(upstream) as port:
        session = await runs.start(request(port, lanes=2))
        await upstream.half.wait()
        assert await runs.stop(session, 1)
        upstream.gate.set()
        await ended(hall)
    assert [(await lane_of(session, number)).word for number in (0, 1)] == ["ended", "stopped"]


async def test_a_server_that_is_not_there_ends_the_lane_with_its_word(hall: Hall) -> None:
    async with serving(Upstream(1)) as port:
        pass
    session = await runs.start(request(port))
    async with watching(session) as socket:
        await socket.read_to_end()
        assert socket.browser.numbers() == [0, 1]
        assert socket.browser.steps[0][-1]["end"]["word"] == "refused"
    await ended(hall)


async def test_too_many_lanes_are_refused_with_what_to_do(hall: Hall, settings: LazySettings) -> None:
    settings.LANES_AT_ONCE = 2
    upstream = Upstream(20, before=1)
    async with serving(upstream) as port:
        await runs.start(request(port, lanes=2))
        with pytest.raises(Refused) as refused:
            await runs.start(request(port))
        assert (refused.value.code, refused.value.status) == ("too-many-lanes", 429)
        assert (
            refused.value.message
            == "2 lanes are streaming and this server allows 2 at once; stop one or wait for an end."
        )
        upstream.gate.set()
        await ended(hall)
        await runs.start(request(port))
        await ended(hall)


async def test_a_lane_stops_at_its_limit_of_bytes(hall: Hall, settings: LazySettings) -> None:
    settings.LANE_BYTES = 700
    async with serving(Upstream(50)) as port:
        session = await runs.start(request(port))
        await ended(hall)
    lane = await lane_of(session)
    assert (lane.word, lane.size) == ("limit", 700)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"base_url": "ftp://example.org"}, "lanes.0.base_url"),
        ({"base_url": "http://169.254.169.254/v1"}, "lanes.0.base_url"),
        ({"base_url": "http://user:secret-word@example.org"}, "lanes.0.base_url"),
        ({"headers": (("X-A", "one\r\nX-B: two"),)}, "lanes.0.headers"),
        ({"headers": (("bad name", "one"),)}, "lanes.0.headers"),
        ({"method": "CONNECT"}, "lanes.0.method"),
        ({"key": "sk-schlüssel"}, "lanes.0.key"),
        ({"body": b"x" * 1001}, "lanes.0.body"),
    ],
)
async def test_what_cannot_be_sent_is_refused_before_anything_is_kept(
    hall: Hall, settings: LazySettings, change: dict[str, Any], field: str
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    with pytest.raises(Refused) as refused:
        await runs.start(request(8159, **change))
    assert refused.value.field == field
    assert "secret-word" not in refused.value.message
    assert await Session.objects.acount() == 0


async def test_the_gateway_may_be_called_even_when_loopback_may_not(hall: Hall, settings: LazySettings) -> None:
    settings.ALLOW_LOOPBACK = False
    async with serving(Upstream(3)) as port:
        settings.GATEWAY_URL = f"http://127.0.0.1:{port}/v1"
        session = await runs.start(request(port, target="gateway"))
        await ended(hall)
        with pytest.raises(Refused):
            await runs.start(request(port))
    assert (await lane_of(session)).word == "ended"


async def test_a_run_is_interrupted_when_the_server_is_stopped_and_all_is_written(hall: Hall) -> None:
    upstream = Upstream(20, before=10)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        began = asyncio.get_running_loop().time()
        await runs.shutdown()
        assert asyncio.get_running_loop().time() - began < 2
    lane = await lane_of(session)
    assert (lane.how, lane.word) == ("interrupted", "interrupted")
    assert "server was stopped" in lane.detail
    assert lane.reads > 0
    assert await Writer.objects.acount() == 0
    async with watching(session) as socket:
        await socket.read_to_end()
        assert socket.browser.numbers() == list(range(lane.reads + 2))


async def test_a_disk_that_is_full_ends_the_run_with_a_clear_word(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall._recorder._patience = 0
    full = False

    def write(batches: list[Batch]) -> None:
        if full and any(batch.reads for batch in batches):
            raise OperationalError("database or disk is full")
        keep.write(batches)

    hall._recorder._write = write
    upstream = Upstream(400, before=5, end=False)
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        await hall._recorder.flush()
        full = True
        async with watching(session) as socket:
            upstream.gate.set()
            await socket.read_to_end()
            end = socket.browser.steps[0][-1]["end"]
        await ended(hall)
    lane = await lane_of(session)
    assert lane.how == "interrupted"
    assert "database or disk is full" in lane.detail
    assert end["detail"] == lane.detail


@pytest.mark.django_db(transaction=True)
def test_lanes_of_a_server_that_is_gone_are_marked_and_sealed() -> None:
    dead = Writer.objects.create(host=writers.socket.gethostname(), number=2**22 + 1, born="1", seen=timezone.now())
    begun = begin(lanes=2, writer=dead.pk)
    keep.write([Batch(begun.lanes[0], head_of("chat-no-done"), [Read(1, 5, event(1)), Read(2, 9, event(2))])])
    mine = begin(writer=writers.enter())
    away = Writer.objects.create(host="another-machine", number=1, born="1", seen=timezone.now())
    others = begin(writer=away.pk)
    assert sorted(writers.settle()) == sorted(begun.lanes)
    first, second = Lane.objects.filter(session_id=begun.session)
    assert (first.how, first.word, first.end_time, first.reads) == ("interrupted", "interrupted", 9, 2)
    assert first.summary["text"] == "word 1 word 2 "
    assert first.size == len(event(1)) + len(event(2))
    assert (second.how, second.reads, second.headed) == ("interrupted", 0, True)
    assert not Writer.objects.filter(pk=dead.pk).exists()
    for other in (mine, others):
        assert Lane.objects.get(pk=other.lanes[0]).how == ""


@pytest.mark.django_db(transaction=True)
def test_a_server_whose_number_was_given_to_another_is_gone() -> None:
    writer = Writer.objects.create(host=writers.socket.gethostname(), number=os.getpid(), born="0", seen=timezone.now())
    begun = begin(writer=writer.pk)
    assert writers.settle(begun.session) == begun.lanes


async def test_a_watched_lane_whose_server_died_gets_its_end(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.runs.watching.LOOK", 0.05)
    monkeypatch.setattr("playground.runs.control.PATIENCE", 0.05)
    begun = await database_sync_to_async(begin)()
    async with watching(begun.session) as socket:
        await socket.read_to_end()
        assert socket.browser.steps[0][-1]["end"]["word"] == "interrupted"


async def test_nothing_is_written_while_nothing_comes(hall: Hall) -> None:
    assert not hall._recorder.awake
    assert recorder.TICK == 0.25
    assert await Page.objects.acount() == 0


async def test_what_comes_back_is_the_hall_and_nothing_of_the_request(hall: Hall) -> None:
    """A task that inherits a request's context keeps that request's thread: tasks have a context of their own."""
    assert {field.name for field in dataclasses.fields(runs.LaneRequest)} >= {"key", "headers", "body"}

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(event(1)))
        peer.reset()

    async with serving(script) as port:
        session = await runs.start(request(port))
        await ended(hall)
    lane = await lane_of(session)
    assert (lane.how, lane.word) == ("reset", "cut")
