"""A database that can take no more, as SQLite itself says it: the lane ends with a word, what was kept stays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import connection
from django.db.backends.signals import connection_created

from playground import runs
from playground.recordings import library
from playground.recordings.models import Lane
from playground.recordings.replay import reads
from playground.runs.hall import Hall
from tests.runs.test_watching import ended
from tests.support.raw_server import CHUNKED_HEAD, Peer, chunk, serving
from tests.support.sessions import Upstream, request, watching

ROOM = 300
"""Pages of 4 kB that there is room for."""


class Disk:
    """So many pages, at most, may a database that is opened from now on have."""

    def __init__(self) -> None:
        self.most = 0

    def shrink(self, **signal: Any) -> None:
        if self.most:
            with signal["connection"].cursor() as cursor:
                cursor.execute(f"PRAGMA max_page_count = {self.most}")

    def fill_up(self) -> None:
        with connection.cursor() as cursor:
            self.most = int(cursor.execute("PRAGMA page_count").fetchone()[0]) + ROOM


@pytest.fixture
def disk() -> Iterator[Disk]:
    disk = Disk()
    connection_created.connect(disk.shrink)
    yield disk
    connection_created.disconnect(disk.shrink)


async def endless(peer: Peer) -> None:
    await peer.request()
    await peer.send(CHUNKED_HEAD)
    number = 0
    while True:
        delta = {"id": "c1", "choices": [{"index": 0, "delta": {"content": f"{number} {'x' * 8000}"}}]}
        await peer.send(chunk(f"data: {json.dumps(delta)}\n\n".encode()))
        number += 1
        await asyncio.sleep(0.005)


async def test_a_full_disk_ends_the_lane_with_a_clear_word_and_keeps_what_was_there(hall: Hall, disk: Disk) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no such limit")
    hall._recorder._patience = 0.5
    await database_sync_to_async(disk.fill_up)()
    async with serving(endless) as port:
        session = await runs.start(request(port))
        async with watching(session) as socket:
            await socket.read_to_end()
            end = socket.browser.steps[0][-1]["end"]
        await asyncio.wait_for(ended(hall), 20)
    assert (end["how"], end["word"]) == ("interrupted", "interrupted")
    assert "database or disk is full" in end["detail"]
    assert "Make room on the disk" in end["detail"]

    def kept() -> list[bytes]:
        lane = library.lane(session, 0)
        assert lane is not None
        return [read.body for read in reads(lane.pk)]

    bodies = await database_sync_to_async(kept)()
    assert len(bodies) > 5
    assert b"".join(bodies).startswith(b'data: {"id": "c1", "choices": [{"index": 0, "delta": {"content": "0 xxx')

    # Room was made: the next session is kept whole, and the lane has its end in the tables too.
    disk.most = 0
    async with serving(Upstream(5)) as port:
        later = await runs.start(request(port))
        await asyncio.wait_for(ended(hall), 20)
    assert (await Lane.objects.aget(session_id=later)).how == "closed"
    first = await Lane.objects.aget(session_id=session)
    assert (first.how, first.word) == ("interrupted", "interrupted")
