"""A socket in, stamped reads out: the queue of one connection.

Filled by asyncio; emptied by answer.py (bodies) and network.py (heads).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from playground.upstream.errors import UpstreamError

Clock = Callable[[], int]
"""Monotonic nanoseconds."""

# asyncio's own buffer is 256 KiB and new for every read: such a recv takes 25 microseconds, one into a kept 64 KiB 4.
READ_SIZE: Final = 64 * 1024
FULL: Final = 256 * 1024
EMPTY_ENOUGH: Final = 64 * 1024
ENTRY_COST: Final = 128
"""What a read in the queue takes in memory beside its bytes."""


class Wire(asyncio.BufferedProtocol):
    """One connection: a bounded queue of (time, bytes), a read each. A full queue stops the reading of the socket."""

    def __init__(self, clock: Clock) -> None:
        self._loop = asyncio.get_running_loop()
        self._clock = clock
        self._room = memoryview(bytearray(READ_SIZE))
        self._size = 0
        self._paused = False
        self._waiter: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._socket: asyncio.Transport | None = None
        self.transport: asyncio.Transport | None = None
        self.queue: deque[tuple[int, bytes]] = deque()
        self.received = 0
        self.last = clock()
        self.over = False
        self.error: Exception | None = None
        self.failure: UpstreamError | None = None

    @property
    def waiting(self) -> bool:
        """Somebody waits for the next read."""
        return self._waiter is not None and not self._waiter.done()

    def arrival(self) -> asyncio.Future[None]:
        """To be awaited when the queue is empty: done at the next read, at the end, or when `fail` is called."""
        self._waiter = self._loop.create_future()
        return self._waiter

    def take(self) -> tuple[int, bytes]:
        """The oldest read."""
        entry = self.queue.popleft()
        self._size -= len(entry[1]) + ENTRY_COST
        if self._paused and self._size <= EMPTY_ENOUGH:
            self._paused = False
            self.last = self._clock()
            if self._socket is not None:
                self._socket.resume_reading()
        return entry

    def put_back(self, time: int, rest: bytes) -> None:
        """What of the oldest read was not used."""
        self.queue.appendleft((time, rest))
        self._size += len(rest) + ENTRY_COST

    def fail(self, failure: UpstreamError) -> None:
        """Whoever waits, or reads next, gets `failure`; what is in the queue is not read any more."""
        if self.failure is None:
            self.failure = failure
        self._wake()

    async def written(self) -> None:
        """Wait until all was handed to the system. Raises OSError when the connection is gone."""
        if self.error is not None or self.transport is None or (self.over and self.transport.is_closing()):
            raise self.error or ConnectionResetError()
        if self._writable is not None:
            await self._writable

    def secured(self, transport: asyncio.Transport) -> None:
        """TLS stands between the socket and this; reading is still stopped at the socket."""
        self.transport = transport
        # Not 0: asyncio's TLS transport would pause an empty buffer, and nothing would ever resume it.
        transport.set_write_buffer_limits(high=1, low=0)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = self._socket = transport
        transport.set_write_buffer_limits(high=0)

    def get_buffer(self, sizehint: int) -> memoryview:
        # TLS says how much one socket read has brought at most; all of it is to come as one read.
        if sizehint > len(self._room):
            self._room = memoryview(bytearray(sizehint + 1))
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        self.last = now = self._clock()
        self.queue.append((now, bytes(self._room[:nbytes])))
        self.received += nbytes
        self._size += nbytes + ENTRY_COST
        if self._size >= FULL and not self._paused and self._socket is not None:
            self._paused = True
            self._socket.pause_reading()
        waiter = self._waiter
        if waiter is not None:
            self._waiter = None
            if not waiter.done():
                waiter.set_result(None)

    def eof_received(self) -> bool:
        self._end(None)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc)
        if self._writable is not None and not self._writable.done():
            self._writable.set_exception(exc or ConnectionResetError())
            self._writable.exception()

    def pause_writing(self) -> None:
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    def _end(self, error: Exception | None) -> None:
        if not self.over:
            self.over = True
            self.last = self._clock()
            self.error = error
        self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
