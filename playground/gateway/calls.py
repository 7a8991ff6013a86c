"""Calls that run: each has a task of its own, which reads the model to its end whoever listens, charges and keeps.

views.py opens a Call and takes its blocks; a client that leaves does not end it.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.db import DatabaseError

from playground.gateway import ledger
from playground.gateway.billing import NOTHING
from playground.gateway.ledger import Bill, Kept, Wanted
from playground.gateway.models import Charge
from playground.gateway.refused import Refused
from playground.gateway.servers import BEAT

log = logging.getLogger(__name__)


class Block(NamedTuple):
    """Body bytes of one write. `cut`: the connection is dropped behind them; what follows is said and not heard.

    `last`: nothing follows, so the call is charged before they go out.
    """

    body: bytes
    cut: bool = False
    last: bool = False


class Source(Protocol):
    """An answer that a Call reads. `failed` and `lost` stand when it is over; `bill` may be asked at any time."""

    content_type: str
    streams: bool
    waits: bool
    """Whether the caller's status waits for the first block."""

    @property
    def failed(self) -> bool: ...

    @property
    def lost(self) -> Sequence[Any]: ...

    def bill(self) -> Bill: ...

    def blocks(self) -> AsyncIterator[Block]:
        """The body. Raises Refused when a whole answer came to nothing."""


class Call:
    """One call. `open()` first; then `next()` until None, or `leave()`."""

    def __init__(self, wanted: Wanted, source: Source, known: Bill) -> None:
        self.source = source
        self.balance = 0
        self.bill = NOTHING
        self._wanted = wanted
        self._known = known
        self._begun: asyncio.Future[Kept | Exception | None] = asyncio.get_running_loop().create_future()
        self._waiting: asyncio.Queue[Block | None] = asyncio.Queue(1)
        self._first: Block | None = None
        self._failure: Refused | None = None
        self._heard = True
        self._left = False
        self._over = False
        self._kept: bytearray | None = bytearray()

    @property
    def id(self) -> str:
        return self._wanted.id

    async def open(self) -> Kept | None:
        """Enter the ledger and run; the stored answer instead when there is one. Raises Refused."""
        _calls().start(self)
        try:
            begun = await asyncio.shield(self._begun)
            if begun is None and self.source.waits:
                self._first = await self.next()
        except asyncio.CancelledError:
            self.leave()
            raise
        if isinstance(begun, Exception):
            raise begun
        return begun

    async def next(self) -> Block | None:
        """The next block, None at the end. Raises Refused when the answer came to nothing."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        block = await self._waiting.get()
        if block is None and self._failure is not None:
            raise self._failure
        return block

    def leave(self) -> None:
        """The client is gone."""
        self._left = True
        self.stop_listening()

    def stop_listening(self) -> None:
        """Nobody takes blocks any more; the call goes on without."""
        self._heard = False
        while not self._waiting.empty():
            self._waiting.get_nowait()

    async def run(self) -> None:
        """The owned task."""
        try:
            begun = await database_sync_to_async(ledger.begin)(self._wanted, self._known)
        except Exception as error:
            self._begun.set_result(error)
            return
        self._begun.set_result(begun)
        if begun is None:
            try:
                await self._read()
            except Exception as error:
                self._kept = None
                self._failure = error if isinstance(error, Refused) else None
                if self._failure is None:
                    log.exception("the call %s broke", self.id)
                    self._failure = Refused("failed", "The gateway failed in the middle of the answer.")
                await self._end()
            await self._offer(None)

    async def _read(self) -> None:
        async for block in self.source.blocks():
            if self._kept is not None:
                self._kept += block.body
                if len(self._kept) > ledger.LARGEST_STORED:
                    self._kept = None
            if block.last:
                await self._end()
            await self._offer(block)
        await self._end()

    async def _offer(self, block: Block | None) -> None:
        """Wait until it is taken, or until nobody takes any more."""
        if self._heard:
            await self._waiting.put(block)
        else:
            await asyncio.sleep(0)

    async def _end(self) -> None:
        if self._over:
            return
        self._over = True
        failed = self._failure is not None or self.source.failed
        self.bill = NOTHING if self._failure is not None else self.source.bill()
        ended = Charge.FAILED if failed else Charge.LEFT if self._left else Charge.ENDED
        kept = None if self._kept is None or (failed and self.bill == NOTHING) else bytes(self._kept)
        try:
            self.balance = await database_sync_to_async(ledger.end)(
                self._wanted, ended, self.bill, self.source.lost, self.source.content_type, kept
            )
        except DatabaseError:
            # The answer is there all the same; the charge is settled when this server is gone.
            log.exception("the call %s could not be charged", self.id)


class Calls:
    """The owner of all that runs in one event loop."""

    def __init__(self) -> None:
        self._running: set[Call] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._beats = False

    def start(self, call: Call) -> None:
        if not self._beats:
            self._beats = True
            self._spawn(self._beat())
        self._running.add(call)
        self._spawn(call.run()).add_done_callback(lambda task: self._running.discard(call))

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task in a context of its own: one that inherits a request's would keep that request's thread alive."""
        task = asyncio.get_running_loop().create_task(coroutine, context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the gateway failed", exc_info=error)

    async def _beat(self) -> None:
        """While something runs, say so in the ledger, with what it came to; a crash then costs a second at most."""
        while True:
            await asyncio.sleep(BEAT)
            if not self._running:
                self._beats = False
                return
            try:
                bills = [(call.id, call.source.bill()) for call in self._running]
                await database_sync_to_async(ledger.come_along)(bills)
            except DatabaseError:
                log.exception("the ledger could not be told what runs")


_owners: WeakKeyDictionary[asyncio.AbstractEventLoop, Calls] = WeakKeyDictionary()


def _calls() -> Calls:
    return _owners.setdefault(asyncio.get_running_loop(), Calls())
