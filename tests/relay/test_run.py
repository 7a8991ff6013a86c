import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from playground.pipeline import Step
from playground.reads import End, Head, Read
from playground.relay.run import Mask, Run, Sink
from playground.upstream.addresses import Rules
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving

QUICK = Timeouts(connect=10, first_byte=10, idle=10)
HELLO = b'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}\n\n'
STOP = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
DONE = b"data: [DONE]\n\n"


class Kept:
    """A sink that keeps all, and lets a test wait for a step."""

    def __init__(self, wait: Callable[[Step], Awaitable[None] | None] = lambda step: None) -> None:
        self.steps: list[Step] = []
        self.reads: list[Read] = []
        self._wait = wait
        self._came = asyncio.Condition()

    def take(self, step: Step, read: Read | None) -> Awaitable[None] | None:
        self.steps.append(step)
        if read is not None:
            self.reads.append(read)
        return self._wait(step)

    @property
    def body(self) -> bytes:
        return b"".join(read.body for read in self.reads)

    @property
    def end(self) -> End | None:
        return self.steps[-1].end


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    client = Upstream(Rules())
    yield client
    await client.aclose()


def make(
    upstream: Upstream,
    port: int,
    *sinks: Sink,
    format: str | None = "chat",
    limit: int = 1 << 30,
    timeouts: Timeouts = QUICK,
    mask: Mask | None = None,
    silence: float = 2.0,
) -> Run:
    call = Call("POST", f"http://127.0.0.1:{port}/v1/chat/completions", (("Authorization", "Bearer key"),), b"{}")
    return Run(
        lane=0,
        call=call,
        format=format,
        head=Head(call.method, call.url, (("Authorization", "Bearer ***"),), call.body),
        client=upstream,
        timeouts=timeouts,
        limit=limit,
        sinks=sinks,
        mask=mask,
        after_end_silence=silence,
    )


def answering(*writes: bytes) -> Callable[[Peer], Awaitable[None]]:
    async def script(peer: Peer) -> None:
        await peer.request()
        for write in writes:
            await peer.send(write)
        await peer.hang_up()

    return script


async def test_an_answer_becomes_steps_from_the_head_to_the_end(upstream: Upstream) -> None:
    kept = Kept()
    async with serving(answering(CHUNKED_HEAD + chunk(HELLO) + chunk(STOP) + chunk(DONE) + LAST_CHUNK)) as port:
        run = make(upstream, port, kept)
        assert run.end is None
        end = await run.run()
    assert end.how == "closed"
    assert run.end is end is kept.end
    assert [step.number for step in kept.steps] == list(range(len(kept.steps)))
    head = kept.steps[0].head
    assert head is not None
    assert head is run.head
    assert (head.status, head.reason) == (200, "OK")
    assert head.request_headers == (("Authorization", "Bearer ***"),)
    assert head.header("content-type") == "text/event-stream"
    assert head.started is not None
    assert head.time is not None
    assert kept.body == HELLO + STOP + DONE
    assert run.pipeline.said()["text"] == "Hello"
    assert run.pipeline.word == "ended"
    times = [step.time for step in kept.steps]
    assert times == sorted(time for time in times if time is not None)


async def test_all_sinks_get_the_same_steps(upstream: Upstream) -> None:
    one, two = Kept(), Kept()
    async with serving(answering(CHUNKED_HEAD + chunk(HELLO) + LAST_CHUNK)) as port:
        await make(upstream, port, one, two).run()
    assert one.steps == two.steps
    assert one.reads == two.reads


async def test_a_lane_without_an_answer_has_a_head_and_an_end(upstream: Upstream) -> None:
    kept = Kept()
    run = make(upstream, 1, kept)
    end = await run.run()
    assert end.how == "refused"
    assert [step.number for step in kept.steps] == [0, 1]
    assert kept.steps[0].head is not None
    assert kept.steps[0].head.status is None
    assert run.pipeline.word == "refused"


async def test_an_address_that_may_not_be_called_ends_the_lane(upstream: Upstream) -> None:
    kept = Kept()
    run = make(upstream, 80, kept)
    run._call = replace(run._call, url="http://169.254.169.254/")
    assert (await run.run()).how == "forbidden"
    assert len(kept.steps) == 2


async def test_what_came_before_a_reset_is_kept(upstream: Upstream) -> None:
    kept = Kept()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(HELLO) + b"ff\r\ndata: half")
        peer.close()

    async with serving(script) as port:
        run = make(upstream, port, kept)
        end = await run.run()
    assert end.how == "reset"
    assert end.time is not None
    assert kept.body == HELLO + b"data: half"
    assert run.pipeline.word == "cut"


async def test_an_http_error_is_a_lane_that_failed(upstream: Upstream) -> None:
    kept = Kept()
    body = b'{"error":{"message":"No such key","type":"auth"}}'
    wire = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    async with serving(answering(wire)) as port:
        run = make(upstream, port, kept)
        end = await run.run()
    assert end.how == "closed"
    assert run.pipeline.word == "failed"
    assert run.pipeline.said()["errors"] == ["No such key"]


async def test_an_idle_upstream_is_timed_out(upstream: Upstream) -> None:
    async with serving(answering(CHUNKED_HEAD + chunk(HELLO))) as port:
        run = make(upstream, port, Kept(), timeouts=Timeouts(idle=0.05))
        assert (await run.run()).how == "idle-timeout"
    assert run.pipeline.word == "timed out"


async def test_a_gzip_body_is_kept_as_it_came_and_read_as_it_was_meant(upstream: Upstream) -> None:
    kept = Kept()
    body = gzip.compress(HELLO + STOP + DONE)
    wire = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    async with serving(answering(wire)) as port:
        run = make(upstream, port, kept)
        await run.run()
    assert kept.body == body
    assert run.pipeline.said()["text"] == "Hello"


async def test_an_event_above_a_mebibyte_arrives(upstream: Upstream) -> None:
    kept = Kept()
    text = b"x" * 3_000_000
    async with serving(answering(CHUNKED_HEAD, chunk(HELLO.replace(b"Hello", text)), LAST_CHUNK)) as port:
        run = make(upstream, port, kept)
        await run.run()
    assert len(run.pipeline.said()["text"]) == len(text)


class TestStopping:
    async def test_in_the_middle_closes_the_connection_at_once(self, upstream: Upstream) -> None:
        peers: list[Peer] = []
        stopped = asyncio.Event()

        async def script(peer: Peer) -> None:
            peers.append(peer)
            await peer.request()
            await peer.send(CHUNKED_HEAD + chunk(HELLO))
            await peer.hang_up()
            stopped.set()

        def stop(step: Step) -> None:
            if step.number == 1:
                asyncio.get_running_loop().call_soon(run.stop)

        kept = Kept(stop)
        async with serving(script) as port:
            run = make(upstream, port, kept)
            end = await run.run()
            await asyncio.wait_for(stopped.wait(), 10)
        assert (end.how, end.detail) == ("stopped", "Stopped by the person.")
        assert end.time is not None
        assert run.pipeline.word == "stopped"
        run.stop()
        assert run.end is end

    async def test_while_nothing_has_come_yet(self, upstream: Upstream) -> None:
        closed = asyncio.Event()
        kept = Kept()

        async def script(peer: Peer) -> None:
            await peer.request()
            run.stop("interrupted", "The disk is full.")
            await peer.hang_up()
            closed.set()

        async with serving(script) as port:
            run = make(upstream, port, kept)
            end = await run.run()
            await asyncio.wait_for(closed.wait(), 10)
        assert (end.how, end.detail) == ("interrupted", "The disk is full.")
        assert end.time is not None
        assert len(kept.steps) == 2
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0

    async def test_before_it_began(self, upstream: Upstream) -> None:
        kept = Kept()
        run = make(upstream, 1, kept)
        run.stop()
        end = await run.run()
        assert (end.how, end.time) == ("stopped", None)
        assert len(kept.steps) == 2

    async def test_while_a_sink_waits_lets_it_finish(self, upstream: Upstream) -> None:
        finished = False

        async def slow() -> None:
            nonlocal finished
            run.stop()
            await asyncio.sleep(0)
            finished = True

        kept = Kept(lambda step: slow() if step.number == 1 else None)
        async with serving(answering(CHUNKED_HEAD + chunk(HELLO))) as port:
            run = make(upstream, port, kept)
            assert (await run.run()).how == "stopped"
        assert finished


class TestTheEndOfTheFormat:
    async def test_then_silence_is_a_connection_left_open(self, upstream: Upstream) -> None:
        kept = Kept()
        async with serving(answering(CHUNKED_HEAD + chunk(HELLO) + chunk(STOP) + chunk(DONE))) as port:
            run = make(upstream, port, kept, silence=0.05)
            end = await run.run()
        assert end.how == "left-open"
        assert run.pipeline.word == "ended"

    async def test_says_ended_before_the_connection_is_closed(self, upstream: Upstream) -> None:
        words: list[str] = []
        go_on = asyncio.Event()

        async def script(peer: Peer) -> None:
            await peer.request()
            await peer.send(CHUNKED_HEAD + chunk(HELLO) + chunk(STOP) + chunk(DONE))
            await go_on.wait()
            await peer.send(chunk(b": what came after\n\n"))
            await peer.send(LAST_CHUNK)

        def look(step: Step) -> None:
            words.append(run.pipeline.word)
            if step.number == 1:
                go_on.set()

        kept = Kept(look)
        async with serving(script) as port:
            run = make(upstream, port, kept)
            end = await run.run()
        assert words[1] == "ended"
        assert end.how == "closed"
        assert kept.reads[-1].body == b": what came after\n\n"

    async def test_is_not_waited_for_without_end(self) -> None:
        now = 0
        upstream = Upstream(Rules(), clock=lambda: now)

        async def script(peer: Peer) -> None:
            nonlocal now
            await peer.request()
            await peer.send(CHUNKED_HEAD + chunk(HELLO) + chunk(STOP) + chunk(DONE))
            while True:
                now += 1_000_000_000
                await peer.send(chunk(b": still here\n\n"))
                await asyncio.sleep(0)

        async with serving(script) as port:
            run = make(upstream, port, Kept())
            end = await run.run()
            await upstream.aclose()
        assert (end.how, end.detail) == ("left-open", "The stream ended, but the upstream went on sending.")


async def test_a_lane_has_a_limit_of_bytes(upstream: Upstream) -> None:
    kept = Kept()
    async with serving(answering(CHUNKED_HEAD + chunk(b"x" * 50), chunk(b"y" * 5000))) as port:
        run = make(upstream, port, kept, limit=100)
        end = await run.run()
    assert end.how == "limit"
    assert "100 bytes" in end.detail
    assert kept.body == b"x" * 50 + b"y" * 50
    assert run.pipeline.word == "limit"


async def test_the_limit_holds_for_what_gzip_makes_of_it(upstream: Upstream) -> None:
    body = gzip.compress(b"x" * 1_000_000)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % (len(body) + 1)
    async with serving(answering(head + body)) as port:
        assert (await make(upstream, port, Kept(), limit=10_000).run()).how == "limit"


async def test_a_body_of_just_the_limit_is_whole(upstream: Upstream) -> None:
    async with serving(answering(CHUNKED_HEAD + chunk(b"x" * 100) + LAST_CHUNK)) as port:
        assert (await make(upstream, port, Kept(), limit=100).run()).how == "closed"


class Stars:
    """A mask for the word "key" that holds back what may begin it."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._held = b""

    def head(self, head: Head) -> Head:
        return replace(head, headers=tuple((name, self.text(value)) for name, value in head.headers))

    def feed(self, body: bytes) -> bytes:
        body = (self._held + body).replace(b"key", b"***")
        kept = 2 if body.endswith(b"ke") else 1 if body.endswith(b"k") else 0
        self._held = body[len(body) - kept :]
        return body[: len(body) - kept]

    def end(self) -> bytes:
        return self._held

    def text(self, text: str) -> str:
        return text.replace("key", "***")


async def test_nothing_gets_past_the_mask(upstream: Upstream) -> None:
    go_on = asyncio.Queue[None]()
    kept = Kept(lambda step: go_on.put_nowait(None))

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD.replace(b"OK", b"OK\r\nX-Echo: key"))
        await go_on.get()
        await peer.send(chunk(b": the k"))
        await go_on.get()
        await peer.send(chunk(b"e"))
        await peer.send(chunk(b"y and\n\n"))
        await go_on.get()
        await peer.send(chunk(b"k"))
        await peer.send(chunk(b"ey is bad"))
        peer.close()

    async with serving(script) as port:
        run = make(upstream, port, kept, mask=Stars())
        await run.run()
    assert kept.body == b": the *** and\n\n*** is bad"
    assert [read.number for read in kept.reads] == list(range(1, len(kept.reads) + 1))
    assert [step.number for step in kept.steps] == list(range(len(kept.steps)))
    assert run.head.header("x-echo") == "***"


async def test_what_the_mask_holds_back_comes_with_the_end(upstream: Upstream) -> None:
    kept = Kept()
    async with serving(answering(CHUNKED_HEAD + chunk(b": ke") + LAST_CHUNK)) as port:
        run = make(upstream, port, kept, mask=Stars())
        await run.run()
    assert [(read.number, read.body) for read in kept.reads] == [(1, b": "), (2, b"ke")]
    assert [step.number for step in kept.steps] == [0, 1, 2, 3]


async def test_a_sentence_about_a_failure_is_masked(upstream: Upstream) -> None:
    async with serving(answering(b"HTTP/1.1 200 OK\r\nbad key\r\n\r\n")) as port:
        end = await make(upstream, port, Kept(), mask=Stars()).run()
    assert end.how == "protocol"
    assert "key" not in end.detail


async def test_a_slow_sink_slows_the_reading(upstream: Upstream) -> None:
    room = asyncio.Event()
    sent = 0

    async def script(peer: Peer) -> None:
        nonlocal sent
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        for _ in range(400):
            await peer.send(chunk(b":" + b"x" * 65534 + b"\n"))
            sent += 1
        await peer.send(LAST_CHUNK)

    async def watch() -> None:
        before, still = -1, 0
        while still < 100:
            await asyncio.sleep(0)
            before, still = sent, still + 1 if sent == before else 0
        assert 0 < sent < 400
        room.set()

    async def wait() -> None:
        await room.wait()

    kept = Kept(lambda step: wait() if step.number >= 1 and step.end is None else None)
    async with serving(script) as port, asyncio.TaskGroup() as group:
        group.create_task(watch())
        end = await make(upstream, port, kept).run()
    assert end.how == "closed"
    assert len(kept.body) == 400 * 65536


async def test_a_sink_that_fails_ends_the_lane_for_the_others_too(upstream: Upstream) -> None:
    closed = asyncio.Event()
    kept = Kept()

    class Broken:
        def take(self, step: Step, read: Read | None) -> None:
            raise OSError("no space left")

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(HELLO))
        await peer.hang_up()
        closed.set()

    async with serving(script) as port:
        run = make(upstream, port, kept, Broken())
        with pytest.raises(OSError, match="no space left"):
            await run.run()
        await asyncio.wait_for(closed.wait(), 10)
    assert run.end is not None
    assert (run.end.how, kept.end) == ("interrupted", run.end)


async def test_a_server_that_stops_interrupts_its_lanes(upstream: Upstream) -> None:
    streaming, closed, written = asyncio.Event(), asyncio.Event(), False

    async def write() -> None:
        nonlocal written
        await asyncio.sleep(0)
        written = True

    def look(step: Step) -> Awaitable[None] | None:
        if step.number == 1:
            streaming.set()
        return write() if step.end is not None else None

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(HELLO))
        await peer.hang_up()
        closed.set()

    kept = Kept(look)
    async with serving(script) as port:
        run = make(upstream, port, kept)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(run.run())
            await streaming.wait()
            task.cancel()
        assert task.cancelled()
        await asyncio.wait_for(closed.wait(), 10)
    assert kept.end is not None
    assert kept.end.how == "interrupted"
    assert written


async def test_a_lane_that_is_cancelled_while_connecting_is_interrupted(upstream: Upstream) -> None:
    asked = asyncio.Event()
    kept = Kept()

    async def script(peer: Peer) -> None:
        await peer.request()
        asked.set()
        await peer.hang_up()

    async with serving(script) as port, asyncio.TaskGroup() as group:
        task = group.create_task(make(upstream, port, kept).run())
        await asked.wait()
        task.cancel()
    assert kept.end is not None
    assert kept.end.how == "interrupted"
    assert len(kept.steps) == 2
