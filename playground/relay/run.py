"""A request becomes a lane that streams: its answer's reads go through the mask and the pipeline to the sinks.

Made and kept by runs; upstream makes the reads, sinks (recordings, live) take the steps.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Protocol

from playground.lint.thresholds import Thresholds
from playground.pipeline import Pipeline, Step
from playground.reads import End, Head, How, Read
from playground.upstream.answer import Answer, Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from playground.upstream.errors import UpstreamError

LONGEST_AFTER_END: Final = 30_000_000
"""Microseconds for which a stream that ended is read on at most, when it does not fall silent."""

LAST_WORD: Final = 2.0
"""Seconds that the sinks have for the end when the server stops."""

SENTENCES: Final[dict[How, str]] = {
    "stopped": "Stopped by the person.",
    "interrupted": "This server stopped while the lane was streaming.",
}


class Sink(Protocol):
    def take(self, step: Step, read: Read | None) -> Awaitable[None] | None:
        """A step, and the read that it comes from (None at the head and at the end). None, or what to wait for."""


class Mask(Protocol):
    """What must not be kept or shown is taken out of an answer: `head` first, then `feed` and once `end`."""

    def head(self, head: Head) -> Head: ...

    def feed(self, body: bytes) -> bytes:
        """The body of a read as it may be kept, but for a tail that comes with a later one."""

    def end(self) -> bytes: ...

    def text(self, text: str) -> str:
        """A sentence for a person."""

    @property
    def notes(self) -> list[str]:
        """Sentences about what was taken out."""


class Run:
    """One lane while it streams.

    `head` is the request as it may be shown; the answer's side is filled in. `limit` is in body bytes, as they came and
    decoded. `after_end_silence`: seconds of silence behind the format's own end that end the lane as left open.
    """

    def __init__(
        self,
        *,
        lane: int,
        call: Call,
        format: str | None,
        head: Head,
        client: Upstream,
        timeouts: Timeouts,
        limit: int,
        sinks: Sequence[Sink],
        mask: Mask | None = None,
        after_end_silence: float = 2.0,
        thresholds: Thresholds = Thresholds(),  # noqa: B008
    ) -> None:
        self.lane = lane
        self.head = head
        self.end: End | None = None
        self.pipeline = Pipeline(format, thresholds=thresholds)
        self._call = call
        self._client = client
        self._timeouts = timeouts
        self._limit = limit
        self._sinks = sinks
        self._mask = mask
        self._after_end_silence = after_end_silence
        self._written: int | None = None
        self._opening: asyncio.Task[object] | None = None
        self._answer: Answer | None = None
        self._stop: tuple[How, str] | None = None
        self._cancelled = False
        self._begun = False
        self._number = 0
        self._last_time: int | None = None
        self._complete_at: int | None = None

    async def run(self) -> End:
        """Stream until the end, whatever the upstream does. Raises what a sink raises, when all sinks have been told.

        Cancelled, it ends as interrupted and the sinks are told.
        """
        try:
            end = await self._relay()
        except BaseException as error:
            asked = isinstance(error, asyncio.CancelledError)
            detail = SENTENCES["interrupted"] if asked else "This server made a mistake and could not go on reading."
            with suppress(Exception):
                async with asyncio.timeout(LAST_WORD):
                    await self._over(End("interrupted", self._now(), detail))
            raise
        await self._over(end)
        return end

    def stop(self, how: How = "stopped", detail: str = "") -> None:
        """End the lane with that word and its connection at once. Nothing happens to a lane that has ended."""
        if self.end is not None or self._stop is not None:
            return
        self._stop = how, detail or SENTENCES.get(how, "")
        if self._answer is not None:
            self._answer.fail(*self._stop)
        elif self._opening is not None:
            self._cancelled = True
            self._opening.cancel()

    async def _relay(self) -> End:
        self._opening = task = asyncio.current_task()
        assert task is not None
        cancels = task.cancelling()
        try:
            if self._stop is not None:
                return self._stopped()
            async with self._client.open(self._call, self._timeouts, self._request_written) as answer:
                self._answer, self._opening = answer, None
                return await self._follow(answer)
        except UpstreamError as error:
            return End(error.how, error.time, self._masked(error.detail))
        except asyncio.CancelledError:
            if not self._cancelled or task.uncancel() > cancels:
                raise
            return self._stopped()
        finally:
            self._answer = self._opening = None

    async def _follow(self, answer: Answer) -> End:
        self.head = replace(
            self.head,
            status=answer.status,
            reason=answer.reason,
            headers=answer.headers,
            time=answer.time,
        )
        await self._give(self._first_step(), None)
        mask, limit, pipeline = self._mask, self._limit, self.pipeline
        size = 0
        async for read in answer:
            size += len(read.body)
            if size > limit:
                read = read._replace(body=read.body[: limit - size])
            if mask is not None and (body := mask.feed(read.body)) is not read.body:
                read = read._replace(body=body)
            offset = await self._take(read) if read.body else 0
            if size > limit or offset > limit:
                return End("limit", read.time, f"The lane reached this server's limit of {limit} bytes.")
            if self._complete_at is not None:
                if read.time is not None and read.time - self._complete_at > LONGEST_AFTER_END:
                    return End("left-open", read.time, "The stream ended, but the upstream went on sending.")
            elif pipeline.complete:
                self._complete_at = read.time or 0
                answer.be_patient(self._after_end_silence, "left-open")
        behind = len(answer.framing.rest)
        return End("closed", answer.ended, f"{behind} bytes came behind the end of the answer." if behind else "")

    async def _take(self, read: Read) -> int:
        """Through the pipeline to the sinks; gives the length of the decoded body."""
        number = self._number = self._number + 1
        if number != read.number:
            # A read that was wholly held back came out with a later one.
            read = read._replace(number=number)
        self._last_time = read.time
        step = self.pipeline.feed(read)
        await self._give(step, read)
        return step.offset

    async def _give(self, step: Step, read: Read | None) -> None:
        for sink in self._sinks:
            waiting = sink.take(step, read)
            if waiting is not None:
                await waiting

    async def _over(self, end: End) -> None:
        """What the mask held back, and the end, to every sink; then wait for them together."""
        self.end = end
        last: list[tuple[Step, Read | None]] = []
        waiting: list[Awaitable[None]] = []
        failures: list[Exception] = []
        try:
            if not self._begun:
                last.append((self._first_step(), None))
            rest = self._mask.end() if self._mask is not None else b""
            if rest:
                read = Read(self._number + 1, self._last_time, rest)
                last.append((self.pipeline.feed(read), read))
            step = self.pipeline.end(end)
            if self._mask is not None:
                step.notes = [*self._mask.notes, *step.notes]
            last.append((step, None))
        except Exception as failure:
            # Whatever is wrong in here, no lane stays without an end.
            failures.append(failure)
            step = Step(self._number + 1, end.time, 0, 0)
            step.end = end
            last.append((step, None))
        for sink in self._sinks:
            try:
                waiting += [wait for wait in [sink.take(step, read) for step, read in last] if wait is not None]
            except Exception as failure:
                failures.append(failure)
        await asyncio.gather(*waiting)
        if failures:
            raise failures[0]

    def _first_step(self) -> Step:
        self._begun = True
        if self._mask is not None:
            self.head = self._mask.head(self.head)
        return self.pipeline.head(self.head)

    def _request_written(self, now: int) -> None:
        self._written = now
        self.head = replace(self.head, started=time.time())

    def _now(self) -> int | None:
        """Microseconds since the request was written."""
        return None if self._written is None else max(0, (self._client.clock() - self._written) // 1000)

    def _stopped(self) -> End:
        how, detail = self._stop or ("stopped", "")
        return End(how, self._now(), self._masked(detail))

    def _masked(self, text: str) -> str:
        return text if self._mask is None else self._mask.text(text)
