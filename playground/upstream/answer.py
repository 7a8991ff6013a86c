"""An answer while it comes: its head, then its Reads. Made by client.py; read by relay/run.py."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from playground.reads import Headers, How, Read
from playground.upstream.errors import UpstreamError
from playground.upstream.framing import Framing
from playground.upstream.network import Stream
from playground.upstream.wire import Clock

# Reads that wait in the queue are given out without a turn of the event loop each, but not for long.
TURN_COST: Final = 64 * 1024
READ_COST: Final = 1024
NEXT_LOOK: Final = 0.05


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds. `connect`: name, connection and TLS. `first_byte`: from the written request to the first byte of the
    body. `idle`: silence after that."""

    connect: float = 10
    first_byte: float = 120
    idle: float = 120


class Answer:
    """The head of an answer; iterating gives its Reads and ends when the body is whole.

    `time` (of the head) and `ended` (of the end, None before) are microseconds since the request was written.
    Iterating raises UpstreamError: reset, protocol, first-byte-timeout,
    idle-timeout, or what `fail` was given.
    """

    def __init__(
        self,
        *,
        status: int,
        reason: str,
        headers: Headers,
        stream: Stream,
        framing: Framing,
        name: str,
        written: int,
        timeouts: Timeouts,
        clock: Clock,
    ) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers
        self.address = stream.address
        self.framing = framing
        self.ended: int | None = None
        self._wire = stream.wire
        self._received_before = stream.received_before
        self._name = name
        self._written = written
        self._clock = clock
        self.time = self._since(stream.head_time)
        self._number = 0
        self._turn = 0
        self._idle = timeouts.idle
        self._patience = timeouts.first_byte
        self._silence: How = "first-byte-timeout"
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._look()

    def __aiter__(self) -> Answer:
        return self

    async def __anext__(self) -> Read:
        wire, framing = self._wire, self.framing
        while True:
            if wire.failure is not None:
                raise wire.failure
            if framing.broken:
                raise self._error("protocol", f"{self._name} broke the rules of HTTP: {framing.broken}.", wire.last)
            if framing.done:
                raise StopAsyncIteration
            if not wire.queue:
                if wire.over:
                    self._closed()
                    raise StopAsyncIteration
                self._turn = 0
                await wire.arrival()
                continue
            if self._turn > TURN_COST:
                self._turn = 0
                await asyncio.sleep(0)
                continue
            time, piece = wire.take()
            self._turn += len(piece) + READ_COST
            body = framing.feed(piece)
            if framing.done:
                self.ended = self._since(time)
            if body:
                self._number += 1
                if self._number == 1 and self._silence == "first-byte-timeout":
                    self.be_patient(self._idle, "idle-timeout")
                return Read(self._number, max(0, (time - self._written) // 1000), body)

    def be_patient(self, seconds: float, how: How) -> None:
        """From now on a silence of so many seconds ends the answer as `how`."""
        self._patience, self._silence = seconds, how
        self._look()

    def fail(self, how: How, detail: str) -> None:
        """End the answer and its connection at once, whoever waits for it."""
        self._wire.fail(self._error(how, detail, self._clock()))
        if self._wire.transport is not None:
            self._wire.transport.abort()

    def unwatch(self) -> None:
        """The answer is over, however it went: stop looking at the clock."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def received(self) -> int:
        """Bytes that came for this answer: head, framing and body, TLS undone."""
        return self._wire.received - self._received_before

    @property
    def reusable(self) -> bool:
        """The body ended by its own framing, and nothing came behind it."""
        return self.framing.done and not self.framing.rest and not self._wire.queue and not self._wire.over

    def _closed(self) -> None:
        self.ended = self._since(self._wire.last)
        if self._wire.error is not None:
            raise self._error("reset", f"{self._name} reset the connection inside the answer.", self._wire.last)
        if not self.framing.whole:
            raise self._error(
                "reset", f"{self._name} closed the connection before the end of the answer.", self._wire.last
            )

    def _look(self) -> None:
        """One timer an answer: it looks at the last arrival, instead of being set anew for every read."""
        self.unwatch()
        wire = self._wire
        since = self._written if self._silence == "first-byte-timeout" else wire.last
        left = self._patience - (self._clock() - since) / 1e9
        if left <= 0 and wire.waiting:
            wire.fail(self._error(self._silence, self._sentence(), self._clock()))
        else:
            # Nobody waits while a slow reader still has something to read: then it is not the upstream that is silent.
            self._timer = self._loop.call_later(max(left, NEXT_LOOK), self._look)

    def _sentence(self) -> str:
        if self._silence == "first-byte-timeout":
            return f"{self._name} sent no byte of a body within {self._patience:g} s."
        if self._silence == "left-open":
            return f"{self._name} left the connection open after the end of the stream."
        return f"{self._name} sent nothing for {self._patience:g} s."

    def _since(self, time: int) -> int:
        return max(0, (time - self._written) // 1000)

    def _error(self, how: How, detail: str, time: int) -> UpstreamError:
        return UpstreamError(how, detail, self._since(time))
