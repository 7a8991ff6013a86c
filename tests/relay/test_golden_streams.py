"""Through real sockets, whatever the writes and the framing, a lane says what its stream says."""

import asyncio
import random

import pytest

from playground.pipeline import Step
from playground.reads import Head, Read
from playground.relay.run import Run
from playground.upstream.addresses import Rules
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving
from tests.support.streams import CASES, body, cut_at_random, expected

REFERENCES = [case for case in CASES if case.startswith("ref-")]


@pytest.mark.parametrize("case", REFERENCES)
async def test_a_lane_says_what_its_stream_says(case: str) -> None:
    came: list[bytes] = []

    class Bodies:
        def take(self, step: Step, read: Read | None) -> None:
            if read is not None:
                came.append(read.body)

    async def script(peer: Peer) -> None:
        await peer.request()
        wire = CHUNKED_HEAD + b"".join(chunk(piece) for piece in cut_at_random(body(case), 1) if piece) + LAST_CHUNK
        for write in cut_at_random(wire, random.Random(case).randint(0, 1000)):
            await peer.send(write)
            await asyncio.sleep(0)

    upstream = Upstream(Rules())
    async with serving(script) as port:
        call = Call("POST", f"http://127.0.0.1:{port}/", (), b"{}")
        run = Run(
            lane=0,
            call=call,
            format=None,
            head=Head(call.method, call.url, call.headers, call.body),
            client=upstream,
            timeouts=Timeouts(),
            limit=1 << 20,
            sinks=[Bodies()],
        )
        end = await run.run()
        await upstream.aclose()
    assert end.how == "closed"
    assert b"".join(came) == body(case)
    said, wanted = run.pipeline.said(), expected(case)
    for key in ("text", "reasoning", "refusal", "tool_calls", "finish", "usage", "errors", "complete", "events"):
        assert said[key] == wanted[key]
