"""A hall of its own for a test, sessions on upstreams that a test plays, and sockets that watch them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.layers import channel_layers
from channels.testing import WebsocketCommunicator
from django.conf import LazySettings

from playground import runs
from playground.asgi import application
from playground.runs.hall import Hall
from tests.support.lanes import Browser
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk

ORIGIN = [(b"host", b"127.0.0.1:8000"), (b"origin", b"http://127.0.0.1:8000")]


@pytest.fixture
async def hall(transactional_db: None, settings: LazySettings) -> AsyncIterator[Hall]:
    """The hall of this test's event loop; what still streams is ended with it."""
    channel_layers.backends.clear()
    yield await runs.open_hall()
    await runs.shutdown()
    channel_layers.backends.clear()


def request(port: int, lanes: int = 1, **lane: Any) -> runs.SessionRequest:
    """A session on a server of this test."""
    body = json.dumps({"model": "a-model", "stream": True}).encode()
    one = {"format": "chat", "target": "custom", "base_url": f"http://127.0.0.1:{port}/v1", "body": body, **lane}
    return runs.SessionRequest([runs.LaneRequest(**one)] * lanes)


def event(number: int) -> bytes:
    delta = {"id": "c1", "choices": [{"index": 0, "delta": {"content": f"word {number} "}}]}
    return f"data: {json.dumps(delta)}\n\n".encode()


END = b'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


class Upstream:
    """A script that sends so many events; those behind the first `before` wait for `gate`."""

    def __init__(self, events: int, before: int | None = None, *, end: bool = True) -> None:
        self.events = events
        self.before = events if before is None else before
        self.end = end
        self.gate = asyncio.Event()
        self.half = asyncio.Event()
        self.left = asyncio.Event()
        self.requests: list[bytes] = []

    async def __call__(self, peer: Peer) -> None:
        try:
            while True:
                await self._play(peer)
        finally:
            self.left.set()

    async def _play(self, peer: Peer) -> None:
        self.requests.append(await peer.request())
        await peer.send(CHUNKED_HEAD)
        for number in range(self.events):
            if number == self.before:
                self.half.set()
                await self.gate.wait()
            await peer.send(chunk(event(number)))
            await asyncio.sleep(0)
        if self.before == self.events:
            self.half.set()
        if self.end:
            await peer.send(chunk(END) + LAST_CHUNK)
        else:
            await peer.hang_up()


class Socket:
    """A viewer's socket. `read` gives messages to the browser and acknowledges frames, unless it sleeps."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator
        self.browser = Browser()

    async def read(self, acknowledge: bool = True) -> dict[str, Any]:
        message = self.browser.take(await self.communicator.receive_from(timeout=20))
        frame = message.get("frame")
        if acknowledge and isinstance(frame, int) and message["type"] != "piece":
            await self.send({"type": "ack", "frame": frame})
        return message

    async def read_to_end(self, lanes: Sequence[int] = (0,)) -> None:
        while not all(self.browser.is_over(lane) for lane in lanes):
            await self.read()

    async def send(self, message: Any) -> None:
        await self.communicator.send_to(text_data=json.dumps(message))


@asynccontextmanager
async def watching(
    session: str, have: str = "", headers: Sequence[tuple[bytes, bytes]] = ORIGIN
) -> AsyncIterator[Socket]:
    async with watching_at(f"/ws/sessions/{session}/" + (f"?have={have}" if have else ""), headers) as socket:
        yield socket


@asynccontextmanager
async def watching_at(path: str, headers: Sequence[tuple[bytes, bytes]] = ORIGIN) -> AsyncIterator[Socket]:
    communicator = WebsocketCommunicator(application, path, headers=list(headers))
    connected, _ = await communicator.connect(timeout=10)
    assert connected
    try:
        yield Socket(communicator)
    finally:
        await communicator.disconnect(timeout=10)
