"""A server that is killed while it streams: what came until then is kept, and the next start says so."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable

from tests.support.daphne import Daphne
from tests.support.raw_server import CHUNKED_HEAD, Peer, chunk, serving
from tests.support.visitors import start_session, watch_to_the_end

LAST = 0.25
"""Seconds that a crash may cost."""
SLACK = 0.5
"""The machine may be busy: a transaction that began in time may end late."""
GAP = 0.005


class Stamped:
    """An upstream that sends numbered events for ever; `sent` are the times at which each was written."""

    def __init__(self) -> None:
        self.sent: list[float] = []
        self.half = asyncio.Event()

    async def __call__(self, peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        while True:
            delta = {"id": "c1", "choices": [{"index": 0, "delta": {"content": f"{len(self.sent)} "}}]}
            await peer.send(chunk(f"data: {json.dumps(delta)}\n\n".encode()))
            self.sent.append(time.monotonic())
            if len(self.sent) == 300:
                self.half.set()
            await asyncio.sleep(GAP)


async def test_killed_at_any_moment_all_but_the_last_quarter_of_a_second_is_kept(
    start_daphne: Callable[..., Daphne],
) -> None:
    first = start_daphne()
    upstream = Stamped()
    async with serving(upstream) as port:
        lane = {
            "format": "chat",
            "target": "custom",
            "base_url": f"http://127.0.0.1:{port}/v1",
            "body": '{"model":"m"}',
        }
        session = await start_session(first, lane)
        await asyncio.wait_for(upstream.half.wait(), 30)
        killed = time.monotonic()
        first.kill()
    second = start_daphne()
    steps = (await watch_to_the_end(second, session))[0]
    kept = sum(row[1] == "event" for step in steps for row in step.get("rows", ()))
    assert kept >= sum(sent < killed - LAST - SLACK for sent in upstream.sent)
    assert kept > 0
    end = steps[-1]["end"]
    assert (end["how"], end["word"]) == ("interrupted", "interrupted")
    assert "server stopped" in end["detail"]
    texts = [row[5] for step in steps for row in step.get("rows", ()) if row[1] == "event"]
    assert [json.loads(text)["choices"][0]["delta"]["content"] for text in texts] == [
        f"{number} " for number in range(kept)
    ]
