"""What HTTP libraries hide: reads, cuts, back-pressure, broken connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.http import Exchange, ask, exchange
from tests.support.requests import PATHS, body


async def until_cut(one: Exchange) -> bytes:
    """The body until the connection drops; that it drops is asserted."""
    read: list[bytes] = []

    async def reading() -> None:
        async for chunk in one.chunks():
            read.append(chunk)

    with pytest.raises(asyncio.IncompleteReadError):
        await reading()
    return b"".join(read)


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize("pace", ["tps=0, first=0", "tps=2000, first=10ms"])
async def test_cut_drops_the_connection_inside_an_event(daphne: Daphne, format: str, pace: str) -> None:
    async with exchange(daphne, PATHS[format], body(format, "cut"), headers={"X-Gateway-Pace": pace}) as one:
        assert one.status == 200
        read = await until_cut(one)
    assert not read.endswith(b"\n\n")
    assert read.count(b"data: ") > 40


@pytest.mark.parametrize("format", PATHS)
async def test_a_very_short_answer_is_cut_too(daphne: Daphne, format: str) -> None:
    limit = {"chat": "max_tokens", "messages": "max_tokens", "responses": "max_output_tokens"}[format]
    with pytest.raises(asyncio.IncompleteReadError):
        await ask(daphne, format, body(format, "cut", **{limit: 1}))


@pytest.mark.parametrize("format", PATHS)
async def test_a_whole_answer_is_cut_inside_its_json(daphne: Daphne, format: str) -> None:
    async with exchange(daphne, PATHS[format], body(format, "cut", stream=None)) as one:
        assert one.headers["content-type"] == "application/json"
        read = await until_cut(one)
    assert read.startswith(b'{"id":')


@pytest.mark.parametrize("format", PATHS)
async def test_unicode_cuts_characters_between_chunks(daphne: Daphne, format: str) -> None:
    async with exchange(daphne, PATHS[format], body(format, "unicode")) as one:
        chunks = [chunk async for chunk in one.chunks()]
    text = b"".join(chunks).decode()
    several = [character for character in text if len(character.encode()) > 1]
    assert sum(1 for chunk in chunks if chunk[-1] >= 0xC0) == len(several) > 30
    assert "\ufffd" not in text


@pytest.mark.parametrize("format", PATHS)
async def test_keep_alive_sends_what_the_format_has_for_it(daphne: Daphne, format: str) -> None:
    _, _, raw = await ask(daphne, format, body(format, "keep-alive"))
    if format == "messages":
        assert raw.count(b'event: ping\ndata: {"type":"ping"}\n\n') > 5
    else:
        assert raw.count(b": keep-alive\n\n") > 5
        assert b"event: ping" not in raw


async def test_a_reader_that_sleeps_keeps_the_flood_back(start_gateway: Daphne) -> None:
    """100,000 events are some 20 MB: they must not wait in memory for a reader that does not read."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
    reader.connect(("127.0.0.1", start_gateway.port))
    before = resident(start_gateway)
    request = b'{"model":"z-ai/glm-5.2:flood","stream":true,"messages":[{"role":"user","content":"Go"}]}'
    head = "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    reader.sendall(f"{head}content-length: {len(request)}\r\n\r\n".encode() + request)
    reader.recv(1)
    for _ in range(3):  # others are served meanwhile, one after the other: time for the flood to come if it could
        await ask(start_gateway, "chat", body("chat", "long"))
    assert resident(start_gateway) - before < 10_000_000
    reader.close()


@pytest.fixture
def start_gateway(start_daphne: Callable[..., Daphne]) -> Daphne:
    return start_daphne(application=GATEWAY_ALONE)


def resident(daphne: Daphne) -> int:
    """Bytes of memory that the server occupies."""
    pages = int(Path(f"/proc/{daphne.process.pid}/statm").read_text().split()[1])
    return pages * 4096


async def test_an_answer_that_breaks_half_way_is_no_whole_answer(daphne: Daphne) -> None:
    for _ in range(2):
        async with exchange(daphne, "/breaks", method="GET") as one:
            with pytest.raises(asyncio.IncompleteReadError):
                await one.body()
    status, _, _ = await ask(daphne, "chat", body("chat", "text"))
    assert status == 200


async def test_a_client_that_leaves_stops_the_answer(daphne: Daphne) -> None:
    """The server goes on answering others, and has nothing to complain about."""
    before = daphne.log.stat().st_size
    for _ in range(5):
        async with exchange(daphne, PATHS["chat"], body("chat", "flood")) as one:
            async for _chunk in one.chunks():
                break
    status, _, raw = await ask(daphne, "chat", body("chat", "text"))
    assert status == 200
    assert raw.endswith(b"data: [DONE]\n\n")
    assert "Traceback" not in daphne.log.read_text()[before:]


async def test_the_whole_playground_serves_its_gateway_as_it_is(start_daphne: Callable[..., Daphne]) -> None:
    server = start_daphne()
    async with exchange(server, PATHS["chat"], body("chat", "cut")) as one:
        assert not (await until_cut(one)).endswith(b"\n\n")
    status, _, raw = await ask(server, "messages", body("messages", "web-search"))
    assert status == 200
    assert b"message_stop" in raw
