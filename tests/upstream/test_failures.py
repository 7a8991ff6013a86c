"""Every way in which a call can fail has a word of its own and keeps what came before."""

import asyncio
import random
import socket
from collections.abc import Callable

import pytest

from playground.reads import Read
from playground.upstream.addresses import Rules
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from playground.upstream.errors import UpstreamError
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, Script, chunk, serving

QUICK = Timeouts(connect=10, first_byte=10, idle=10)


def post(port: int, host: str = "127.0.0.1") -> Call:
    return Call("POST", f"http://{host}:{port}/v1/messages", (), b"{}")


async def collect(upstream: Upstream, call: Call, timeouts: Timeouts, take: Callable[[Read], object]) -> None:
    async with upstream.open(call, timeouts) as answer:
        async for read in answer:
            take(read)


async def failure(upstream: Upstream, call: Call, timeouts: Timeouts = QUICK) -> tuple[list[Read], UpstreamError]:
    reads: list[Read] = []
    with pytest.raises(UpstreamError) as raised:
        await collect(upstream, call, timeouts, reads.append)
    return reads, raised.value


async def fails(upstream: Upstream, script: Script, timeouts: Timeouts = QUICK) -> tuple[list[Read], UpstreamError]:
    async with serving(script) as port:
        return await failure(upstream, post(port), timeouts)


async def test_nobody_listens(upstream: Upstream) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        _, error = await failure(upstream, post(port))
    assert (error.how, error.time) == ("refused", None)
    assert str(port) in error.detail


async def test_a_name_without_an_address() -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    upstream = Upstream(Rules(), lookup=lookup)
    _, error = await failure(upstream, post(80, "nowhere.example"))
    assert (error.how, error.detail) == ("unresolved", "The name nowhere.example has no address.")


async def test_a_name_that_is_not_resolved_in_time() -> None:
    async def lookup(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    upstream = Upstream(Rules(), lookup=lookup)
    _, error = await failure(upstream, post(80, "slow.example"), Timeouts(connect=0.02))
    assert error.how == "connect-timeout"


async def test_a_connection_that_nobody_takes(upstream: Upstream) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        try:
            _, error = await failure(upstream, post(full.getsockname()[1]), Timeouts(connect=0.05))
        finally:
            for filler in fillers:
                filler.close()
    assert (error.how, error.time) == ("connect-timeout", None)


async def test_the_next_address_is_tried(upstream: Upstream) -> None:
    async def lookup(host: str, port: int) -> list[str]:
        return ["127.0.0.9", "127.0.0.1"]

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    upstream = Upstream(Rules(), lookup=lookup)
    async with serving(script) as port:
        async with upstream.open(post(port, "two.example"), QUICK) as answer:
            assert answer.address == "127.0.0.1"
        await upstream.aclose()


async def test_an_address_is_checked_where_the_connection_is_made() -> None:
    looked = 0

    async def lookup(host: str, port: int) -> list[str]:
        nonlocal looked
        looked += 1
        return ["127.0.0.1"] if looked == 1 else ["169.254.169.254"]

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    upstream = Upstream(Rules(), lookup=lookup)
    async with serving(script) as port:
        async with upstream.open(post(port, "rebinding.example"), QUICK):
            pass
        assert looked == 1
        _, error = await failure(upstream, post(port, "rebinding.example"))
    assert error.how == "forbidden"
    assert "169.254.169.254" in error.detail


async def test_no_answer_in_time(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.hang_up()

    _, error = await fails(upstream, script, Timeouts(first_byte=0.05))
    assert error.how == "first-byte-timeout"
    assert error.time is not None
    assert error.time >= 50_000


async def test_a_head_that_trickles_is_no_answer(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        while True:
            await peer.send(b"H")
            await asyncio.sleep(0)

    _, error = await fails(upstream, script, Timeouts(first_byte=0.05))
    assert error.how in {"first-byte-timeout", "protocol"}


async def test_a_head_without_a_body_in_time(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        await peer.hang_up()

    _, error = await fails(upstream, script, Timeouts(first_byte=0.05, idle=30))
    assert error.how == "first-byte-timeout"


async def test_silence_in_the_middle(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b"a"))
        await peer.hang_up()

    reads, error = await fails(upstream, script, Timeouts(first_byte=30, idle=0.05))
    assert error.how == "idle-timeout"
    assert [read.body for read in reads] == [b"a"]
    assert error.time is not None
    assert reads[0].time is not None
    assert error.time - reads[0].time >= 50_000


async def test_a_large_request_that_is_not_read(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await asyncio.Event().wait()

    async with serving(script) as port:
        call = Call("POST", f"http://127.0.0.1:{port}/", (), b"x" * 16_000_000)
        _, error = await failure(upstream, call, Timeouts(first_byte=0.05))
    assert error.how == "first-byte-timeout"


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        (CHUNKED_HEAD + b"a\r\nabc", [b"abc"]),
        (CHUNKED_HEAD + chunk(b"abc"), [b"abc"]),
        (CHUNKED_HEAD + chunk(b"abc") + b"0\r\n", [b"abc"]),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", [b"abc"]),
        (b"HTTP/1.1 200 OK\r\nContent-Le", []),
        (b"", []),
    ],
)
async def test_a_close_before_the_end_is_a_reset(upstream: Upstream, wire: bytes, body: list[bytes]) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(wire)
        peer.close()

    reads, error = await fails(upstream, script)
    assert error.how == "reset"
    assert [read.body for read in reads] == body
    assert error.time is not None


@pytest.mark.parametrize("head", [CHUNKED_HEAD, b"HTTP/1.1 200 OK\r\n\r\n"])
async def test_a_reset_in_the_middle(upstream: Upstream, head: bytes) -> None:
    received = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(head + chunk(b"abc"))
        await received.wait()
        peer.reset()

    async with serving(script) as port:
        with pytest.raises(UpstreamError) as raised:
            await collect(upstream, post(port), QUICK, lambda _: received.set())
    assert raised.value.how == "reset"
    assert received.is_set()


async def test_a_body_without_a_length_ends_with_the_connection(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.0 200 OK\r\n\r\nabc")
        peer.close()

    async with serving(script) as port, upstream.open(post(port), QUICK) as answer:
        assert [read.body async for read in answer] == [b"abc"]
        assert answer.ended is not None


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", []),
        (b"\x15\x03\x01\x00\x02\x02\x46", []),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", []),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nabc", []),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\nabc", []),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000, []),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", []),
        (CHUNKED_HEAD + chunk(b"abc") + b"data: oops\n\n", [b"abc"]),
        (CHUNKED_HEAD + b"3\r\nabcdef\r\n", [b"abc"]),
        (CHUNKED_HEAD + chunk(b"abc") + b"-1\r\n", [b"abc"]),
        (CHUNKED_HEAD + chunk(b"abc") + b"1" + b";" * 20_000, [b"abc"]),
        (CHUNKED_HEAD + chunk(b"abc") + b"0\r\n" + b"Trailer: x\r\n" * 10_000, [b"abc"]),
    ],
)
async def test_what_is_no_http_is_said_to_be_none(upstream: Upstream, wire: bytes, body: list[bytes]) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(wire)
        await peer.hang_up()

    reads, error = await fails(upstream, script, QUICK)
    assert error.how == "protocol"
    assert b"".join(read.body for read in reads) == b"".join(body)
    assert error.detail.endswith(".")
    assert len(error.detail) < 200
    assert "OpenSSH" not in error.detail


async def test_an_answer_before_the_request_was_read_is_an_answer(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.send(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        await peer.hang_up()

    async with serving(script) as port:
        call = Call("POST", f"http://127.0.0.1:{port}/", (), b"x" * 100)
        async with upstream.open(call, QUICK) as answer:
            assert answer.status == 413
            assert [read.body async for read in answer] == [b"no"]


async def test_failing_an_answer_wakes_its_reader_and_closes_the_connection(upstream: Upstream) -> None:
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        await peer.hang_up()
        closed.set()

    async with serving(script) as port:
        async with upstream.open(post(port), QUICK) as answer:
            asyncio.get_running_loop().call_soon(answer.fail, "stopped", "Stopped.")
            with pytest.raises(UpstreamError) as raised:
                await anext(answer)
        await asyncio.wait_for(closed.wait(), 10)
    assert raised.value.how == "stopped"


async def test_giving_up_while_waiting_for_the_head_closes_the_connection(upstream: Upstream) -> None:
    asked, closed = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        asked.set()
        await peer.hang_up()
        closed.set()

    async with serving(script) as port:

        async def call() -> None:
            async with upstream.open(post(port), QUICK):
                pass

        async with asyncio.TaskGroup() as group:
            task = group.create_task(call())
            await asked.wait()
            task.cancel()
        await asyncio.wait_for(closed.wait(), 10)


async def test_no_bytes_whatever_raise_anything_else(upstream: Upstream) -> None:
    chance = random.Random(1)
    seeds = [
        CHUNKED_HEAD + chunk(b"data: 1\n\n") * 3 + LAST_CHUNK,
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.0 200\r\n\r\nhello",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nA: b\r\n\r\n",
    ]

    def mutated() -> bytes:
        wire = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(0, 4)):
            place = chance.randrange(len(wire))
            what = chance.choice(
                [b"", b"\r\n", b"\n", b"\0", b"0", b"-1", b"\xff", b"chunked", b"HTTP/1.1 999 \r\n", b":"]
            )
            wire[place : place + chance.randint(0, 3)] = what
        return bytes(wire)

    async def script(peer: Peer) -> None:
        await peer.request()
        wire = mutated()
        cut = chance.randint(0, len(wire))
        await peer.send(wire[:cut])
        await peer.send(wire[cut:])
        peer.close()

    words = set()
    async with serving(script) as port:
        for _ in range(300):
            try:
                await collect(upstream, post(port), QUICK, lambda _: None)
            except UpstreamError as error:
                words.add(error.how)
    assert words == {"protocol", "reset"}
