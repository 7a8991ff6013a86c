"""What a Read is: the body bytes of one socket read, and when it happened."""

import asyncio
import itertools

from playground.reads import Read
from playground.upstream.addresses import Rules
from playground.upstream.answer import Answer, Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from playground.upstream.wire import FULL, READ_SIZE
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving

QUICK = Timeouts(connect=10, first_byte=10, idle=10)


def get(port: int) -> Call:
    return Call("GET", f"http://127.0.0.1:{port}/", ())


async def until_received(answer: Answer, count: int) -> None:
    """Let the event loop turn until `count` bytes came over the connection."""
    while answer.received < count:  # noqa: ASYNC110 - the client has no event for bytes that make no read
        await asyncio.sleep(0)


async def test_ten_chunks_of_one_write_are_one_read(upstream: Upstream) -> None:
    go_on = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        await go_on.wait()
        await peer.send(b"".join(chunk(b"data: %d\n\n" % number) for number in range(10)))
        await peer.send(LAST_CHUNK)

    async with serving(script) as port, upstream.open(get(port), QUICK) as answer:
        go_on.set()
        reads = [read async for read in answer]
    assert [(read.number, read.body) for read in reads] == [(1, b"".join(b"data: %d\n\n" % n for n in range(10)))]


async def test_one_chunk_of_three_writes_is_three_reads(upstream: Upstream) -> None:
    taken = asyncio.Queue[None]()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        for piece in (b"9\r\nabc", b"def", b"ghi\r\n"):
            await taken.get()
            await peer.send(piece)
        await taken.get()
        await peer.send(LAST_CHUNK)

    reads = []
    async with serving(script) as port, upstream.open(get(port), QUICK) as answer:
        taken.put_nowait(None)
        async for read in answer:
            reads.append(read)
            taken.put_nowait(None)
    assert [(read.number, read.body) for read in reads] == [(1, b"abc"), (2, b"def"), (3, b"ghi")]
    times = [read.time for read in reads]
    assert all(a is not None and b is not None and a < b for a, b in itertools.pairwise(times))


async def test_framing_alone_makes_no_read(upstream: Upstream) -> None:
    send = asyncio.Queue[bytes]()
    pieces = [b"3", b"\r", b"\n", b"abc", b"\r\n", b"2;name=value\r\nde", b"\r\n0", b"\r\n", b"Trailer: x\r\n\r", b"\n"]

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        while True:
            await peer.send(await send.get())

    reads: list[Read] = []
    async with serving(script) as port, upstream.open(get(port), QUICK) as answer:
        count = answer.received
        for piece in pieces:
            send.put_nowait(piece)
            count += len(piece)
            if piece in (b"abc", b"2;name=value\r\nde"):
                reads.append(await anext(answer))
            await until_received(answer, count)
        reads += [read async for read in answer]
        assert answer.received == len(CHUNKED_HEAD) + sum(map(len, pieces))
    assert [(read.number, read.body) for read in reads] == [(1, b"abc"), (2, b"de")]


async def test_body_bytes_that_came_with_the_head_are_the_first_read(upstream: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b"a") + chunk(b"b") + LAST_CHUNK)

    async with serving(script) as port, upstream.open(get(port), QUICK) as answer:
        reads = [read async for read in answer]
        assert [(read.number, read.time, read.body) for read in reads] == [(1, answer.time, b"ab")]


async def test_a_read_keeps_its_time_however_late_it_is_looked_at() -> None:
    now = 0

    def clock() -> int:
        return now

    send = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        await send.wait()
        await peer.send(chunk(b"a"))
        await peer.hang_up()

    upstream = Upstream(Rules(), clock=clock)
    async with serving(script) as port:
        async with upstream.open(get(port), QUICK) as answer:
            now = 5_000_999
            send.set()
            await until_received(answer, len(CHUNKED_HEAD) + len(chunk(b"a")))
            now = 9_000_000
            assert (await anext(answer)).time == 5_000
        await upstream.aclose()


async def test_the_clock_starts_when_the_request_was_written() -> None:
    times = itertools.count(1_000_000_000, 1_000_000)
    upstream = Upstream(Rules(), clock=lambda: next(times))

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b"a") + LAST_CHUNK)

    async with serving(script) as port:
        async with upstream.open(Call("POST", f"http://127.0.0.1:{port}/", (), b"x" * 100), QUICK) as answer:
            # The clock ticks once for the written request and once for the read that brought the head.
            assert answer.time == 1_000
        await upstream.aclose()


async def test_a_slow_reader_slows_the_upstream_down_and_fills_no_memory(upstream: Upstream) -> None:
    block = b"x" * 65536
    blocks = 400
    sent = 0

    async def script(peer: Peer) -> None:
        nonlocal sent
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        for _ in range(blocks):
            await peer.send(chunk(block))
            sent += 1
        await peer.send(LAST_CHUNK)

    async with serving(script) as port, upstream.open(get(port), QUICK) as answer:
        total = len((await anext(answer)).body)
        before, still = -1, 0
        while still < 50:
            await asyncio.sleep(0)
            before, still = answer.received, still + 1 if answer.received == before else 0
        assert answer.received < FULL + 2 * READ_SIZE
        assert sent < blocks
        async for read in answer:
            total += len(read.body)
    assert total == blocks * len(block)


async def test_a_mebibyte_in_one_chunk_arrives(upstream: Upstream) -> None:
    body = bytes(range(256)) * 8192

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(body) + LAST_CHUNK)

    async with serving(script) as port, upstream.open(get(port), QUICK) as answer:
        reads = [read async for read in answer]
    assert b"".join(read.body for read in reads) == body
    assert [read.number for read in reads] == list(range(1, len(reads) + 1))


async def test_reads_that_wait_are_given_out_without_holding_up_others(upstream: Upstream) -> None:
    turns = 0
    over = False

    async def others() -> None:
        nonlocal turns
        while not over:
            turns += 1
            await asyncio.sleep(0)

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        for _ in range(100):
            await peer.send(chunk(b"x" * 16384))
        await peer.send(LAST_CHUNK)

    async with serving(script) as port, asyncio.TaskGroup() as group:
        group.create_task(others())
        async with upstream.open(get(port), QUICK) as answer:
            await until_received(answer, FULL)
            before = turns
            async for _ in answer:
                pass
            over = True
            assert turns > before
