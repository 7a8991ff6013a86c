import asyncio
import logging

import pytest

from playground.reads import Read
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from playground.upstream.errors import UpstreamError
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving

QUICK = Timeouts(connect=10, first_byte=10, idle=10)


def post(port: int, body: bytes = b"{}", headers: tuple[tuple[str, str], ...] = ()) -> Call:
    return Call("POST", f"http://127.0.0.1:{port}/v1/chat/completions?a=b", headers, body)


async def reads_of(upstream: Upstream, call: Call) -> list[Read]:
    async with upstream.open(call, QUICK) as answer:
        return [read async for read in answer]


async def test_what_is_sent_is_the_call_and_nothing_else(upstream: Upstream) -> None:
    seen: list[bytes] = []

    async def script(peer: Peer) -> None:
        seen.append(await peer.request())
        await peer.send(CHUNKED_HEAD + LAST_CHUNK)

    async with serving(script) as port:
        await reads_of(upstream, post(port, b'{"a":1}', (("X-Two", "1"), ("x-one", "caf\u00e9"), ("X-Two", ""))))
    assert seen[0] == (
        b"POST /v1/chat/completions?a=b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
        b"X-Two: 1\r\nx-one: caf\xc3\xa9\r\nX-Two: \r\n"
        b'Content-Length: 7\r\n\r\n{"a":1}' % port
    )


async def test_the_head_comes_before_the_body_and_as_it_was_sent(upstream: Upstream) -> None:
    go_on = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 429 Slow Down\r\nX-Thing: a\r\nx-thing: b\r\nContent-Length: 2\r\n\r\n")
        await go_on.wait()
        await peer.send(b"ok")

    async with serving(script) as port, upstream.open(post(port), QUICK) as answer:
        assert (answer.status, answer.reason) == (429, "Slow Down")
        assert answer.headers == (("X-Thing", "a"), ("x-thing", "b"), ("Content-Length", "2"))
        assert answer.time > 0
        go_on.set()
        read = await anext(answer)
        assert (read.number, read.body) == (1, b"ok")
        assert read.time is not None
        assert read.time >= answer.time
        with pytest.raises(StopAsyncIteration):
            await anext(answer)
        assert answer.ended == read.time


async def test_informational_heads_are_passed_over(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    async with serving(script) as port:
        assert [read.body for read in await reads_of(upstream, post(port))] == [b"ok"]


@pytest.mark.parametrize("location", ["http://127.0.0.1:1/", "http://[bad", "/elsewhere"])
async def test_a_redirect_is_an_answer_like_any_other(upstream: Upstream, location: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 307 Over There\r\nLocation: %s\r\nContent-Length: 4\r\n\r\ngone" % location.encode())

    async with serving(script) as port, upstream.open(post(port), QUICK) as answer:
        assert answer.status == 307
        assert ("Location", location) in answer.headers
        assert [read.body async for read in answer] == [b"gone"]


async def test_cookies_are_not_kept_for_the_next_call(upstream: Upstream) -> None:
    seen: list[bytes] = []

    async def script(peer: Peer) -> None:
        while True:
            seen.append(await peer.request())
            await peer.send(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n")

    async with serving(script) as port:
        await reads_of(upstream, post(port))
        await reads_of(upstream, post(port))
    assert len(seen) == 2
    assert b"ookie" not in seen[1]


@pytest.mark.parametrize(
    "wire",
    [
        CHUNKED_HEAD + chunk(b"x") + LAST_CHUNK,
        CHUNKED_HEAD + chunk(b"x") + b"0\r\nTrailer: yes\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
        b"HTTP/1.1 204 No Content\r\n\r\n",
    ],
)
async def test_a_connection_serves_call_after_call(upstream: Upstream, wire: bytes) -> None:
    connections = 0

    async def script(peer: Peer) -> None:
        nonlocal connections
        connections += 1
        while True:
            await peer.request()
            await peer.send(wire)

    async with serving(script) as port:
        first = [read.body for read in await reads_of(upstream, post(port))]
        for _ in range(3):
            reads = await reads_of(upstream, post(port))
            assert [read.body for read in reads] == first
            assert all(read.time is not None and read.time < 2_000_000 for read in reads)
    assert connections == 1


@pytest.mark.parametrize(
    "wire",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxyz",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
    ],
)
async def test_a_connection_that_cannot_be_trusted_is_closed(upstream: Upstream, wire: bytes) -> None:
    connections = 0

    async def script(peer: Peer) -> None:
        nonlocal connections
        connections += 1
        await peer.request()
        await peer.send(wire)
        await peer.hang_up()

    async with serving(script) as port:
        for _ in range(2):
            assert [read.body for read in await reads_of(upstream, post(port))] == [b"x"]
    assert connections == 2


async def test_a_kept_connection_that_was_closed_meanwhile_is_replaced(upstream: Upstream) -> None:
    requests = 0

    async def script(peer: Peer) -> None:
        nonlocal requests
        await peer.request()
        requests += 1
        await peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        if requests == 1:
            # Nothing tells the client before it has sent its next request.
            await peer.request()
            requests += 1
            peer.close()

    async with serving(script) as port:
        await reads_of(upstream, post(port))
        assert [read.body for read in await reads_of(upstream, post(port))] == [b"x"]
    assert requests == 3


async def test_leaving_early_closes_the_connection(upstream: Upstream) -> None:
    peers: list[Peer] = []
    seen = asyncio.Event()

    async def script(peer: Peer) -> None:
        peers.append(peer)
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b"x"))
        await peer.hang_up()
        seen.set()

    async with serving(script) as port:
        async with upstream.open(post(port), QUICK) as answer:
            await anext(answer)
        await asyncio.wait_for(seen.wait(), 10)


async def test_addresses_are_not_logged(upstream: Upstream, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + LAST_CHUNK)

    async with serving(script) as port:
        await reads_of(upstream, Call("POST", f"http://127.0.0.1:{port}/?key=sesame", (), b""))
    assert "sesame" not in caplog.text


async def test_json_is_fetched_whole(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b'{"data":') + chunk(b"[]}") + LAST_CHUNK)

    async with serving(script) as port:
        call = Call("GET", f"http://127.0.0.1:{port}/v1/models", ())
        assert await upstream.fetch_json(call, QUICK) == (200, {"data": []})


async def test_what_is_no_json_has_no_value(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\n\r\n<html>")

    async with serving(script) as port:
        call = Call("GET", f"http://127.0.0.1:{port}/v1/models", ())
        assert await upstream.fetch_json(call, QUICK) == (404, None)


async def test_a_document_has_a_largest_size(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b" " * 2000))
        await peer.hang_up()

    async with serving(script) as port:
        with pytest.raises(UpstreamError) as raised:
            await upstream.fetch_json(Call("GET", f"http://127.0.0.1:{port}/", ()), QUICK, limit=1000)
    assert raised.value.how == "limit"


async def test_a_document_that_trickles_is_given_up(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        while True:
            await peer.send(chunk(b" "))
            await asyncio.sleep(0)

    async with serving(script) as port:
        with pytest.raises(UpstreamError) as raised:
            await upstream.fetch_json(Call("GET", f"http://127.0.0.1:{port}/", ()), Timeouts(0.02, 0.02, 0.02))
    assert raised.value.how == "idle-timeout"


async def test_the_bytes_of_an_answer_are_its_own(upstream: Upstream) -> None:
    wire = CHUNKED_HEAD + chunk(b"abc") + LAST_CHUNK

    async def script(peer: Peer) -> None:
        while True:
            await peer.request()
            await peer.send(wire)

    async with serving(script) as port:
        for _ in range(2):
            async with upstream.open(post(port), QUICK) as answer:
                async for _read in answer:
                    pass
                assert answer.received == len(wire)


async def test_a_refusal_of_a_large_request_is_heard(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.send(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        await peer.skip(1_000_000)
        peer.close()

    async with serving(script) as port, upstream.open(post(port, b"x" * 20_000_000), QUICK) as answer:
        assert answer.status == 413
        assert [read.body async for read in answer] == [b"no"]
