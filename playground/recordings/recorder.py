"""Reads in, kept reads out: what all runs of this server bring is written by one thread, one transaction a tick.

runs opens a LaneRecord for every lane and gives it to the relay as a sink. Nothing is lost: when the disk is slow,
take() answers with something to wait for, and the reading waits.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, connections

from playground.pipeline import Step
from playground.reads import End, Head, Read
from playground.recordings import keep
from playground.recordings.keep import Batch, Seal

logger = logging.getLogger(__name__)

TICK = 0.25
"""Seconds between transactions: what a crash may cost."""

UNFLUSHED = 16 * 1024 * 1024
"""Bytes that all lanes together may hold in memory before reading waits for the disk."""

READ_COST = 150
"""What a read costs in memory beside its bytes."""

PATIENCE = 5.0
"""Seconds for which a database that refuses is tried again."""

_REFUSALS = (OperationalError, InterfaceError, OSError)


class Tail(NamedTuple):
    """What a lane has in memory: its head, the reads behind a number that may not be kept yet, its end with notes."""

    head: Head | None
    reads: Sequence[Read]
    end: End | None
    notes: Sequence[str] = ()


class LaneRecord:
    """The sink of one lane.

    `seal` is asked once, when the lane is over, for what to write beside its end. `failing` is told, once, the
    sentence why nothing is kept any more; that sentence then stands in `failed`.
    """

    def __init__(
        self, recorder: Recorder, lane: int, seal: Callable[[End], Seal], failing: Callable[[str], None]
    ) -> None:
        self.lane = lane
        self.failed: str | None = None
        self.done = asyncio.Event()
        self._recorder = recorder
        self._asked = seal
        self._failing = failing
        self._head: Head | None = None
        self._head_kept = False
        self._reads: list[Read] = []
        self._writing: Sequence[Read] = ()
        self._seal: Seal | None = None
        self._size = 0
        self._count = 0
        self._digest = hashlib.sha256()

    def take(self, step: Step, read: Read | None) -> Awaitable[None] | None:
        """None, or what to wait for before the next read: room in memory, and at the end the last transaction."""
        recorder = self._recorder
        if read is not None:
            if self.failed is not None:
                return None
            self._reads.append(read)
            recorder.unflushed += len(read.body) + READ_COST
            if recorder.unflushed > recorder.limit:
                return recorder.room()
        elif step.head is not None:
            self._head = step.head
        if step.end is not None:
            self._seal = self._asked(step.end)
            recorder.flush_soon()
            return self._over()
        if not recorder.awake:
            recorder.wake()
        return None

    async def _over(self) -> None:
        await self.done.wait()

    @property
    def last(self) -> int:
        """Number of the last step that came here, -1 before the first."""
        if self._head is None:
            return -1
        return self._count + len(self._writing) + len(self._reads) + (self._seal is not None)

    def tail(self, after: int) -> Tail:
        """What is in memory, of the reads those behind number `after`."""
        reads = [read for part in (self._writing, self._reads) for read in part if read.number > after]
        return Tail(self._head, reads, *((self._seal.end, self._seal.notes) if self._seal else (None,)))

    def batch(self) -> Batch | None:
        """What is to be written, None when nothing is. It stays in memory until `written` or `fail`."""
        head = None if self._head_kept else self._head
        if self.done.is_set() or not (self._reads or self._writing or head or self._seal):
            return None
        self._writing = [*self._writing, *self._reads]
        self._reads = []
        return Batch(self.lane, head, self._writing, self._seal, self._size, self._count, self._digest.copy())

    def written(self, batch: Batch) -> None:
        self._head_kept = self._head_kept or batch.head is not None
        self._size, self._count, self._digest = batch.size, batch.count, batch.digest
        self._release(batch.reads)
        if batch.seal is not None:
            self.done.set()

    def fail(self, sentence: str) -> None:
        """Nothing more is kept but, if that can be written, how the lane ended. Called again: not even that."""
        self._release([*self._writing, *self._reads])
        self._reads = []
        if self.failed is not None:
            if self._seal is not None:
                self.done.set()
            return
        self.failed = sentence
        if self._seal is None:
            self._failing(sentence)
        else:
            end = End("interrupted", self._seal.end.time, sentence)
            self._seal = replace(self._seal, end=end, word="interrupted", complete=False)
            self._recorder.flush_soon()

    def _release(self, reads: Sequence[Read]) -> None:
        self._recorder.unflushed -= sum(len(read.body) + READ_COST for read in reads)
        self._writing = ()


class Recorder:
    """The one writer of a server. `run()` is its loop and must be kept as a task; `close()` ends it."""

    def __init__(
        self,
        write: Callable[[Sequence[Batch]], None] = keep.write,
        *,
        tick: float = TICK,
        limit: int = UNFLUSHED,
        patience: float = PATIENCE,
    ) -> None:
        self.unflushed = 0
        self.limit = limit
        self.awake = False
        self._write = write
        self._tick = tick
        self._patience = patience
        self._lanes: dict[int, LaneRecord] = {}
        self._something = asyncio.Event()
        self._at_once = asyncio.Event()
        self._flushed = asyncio.Event()
        self._refused_since: float | None = None
        self._flushing = asyncio.Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="recorder")

    def lane(self, lane: int, seal: Callable[[End], Seal], failing: Callable[[str], None]) -> LaneRecord:
        """A sink for the lane with that key in the tables."""
        record = self._lanes[lane] = LaneRecord(self, lane, seal, failing)
        return record

    def wake(self) -> None:
        self.awake = True
        self._something.set()

    def flush_soon(self) -> None:
        """Without waiting for the tick."""
        self.wake()
        self._at_once.set()

    async def room(self) -> None:
        """Waits while too much is in memory."""
        while self.unflushed > self.limit:
            self.flush_soon()
            await self._flushed.wait()

    async def run(self) -> None:
        """A transaction a tick while something comes, nothing while nothing does."""
        while True:
            await self._something.wait()
            try:
                async with asyncio.timeout(self._tick):
                    await self._at_once.wait()
            except TimeoutError:
                pass
            await self.flush()
            if self._refused_since is not None:
                await asyncio.sleep(self._tick)
                self.flush_soon()

    async def flush(self) -> None:
        """Write what is in memory now."""
        async with self._flushing:
            self.awake = False
            self._something.clear()
            self._at_once.clear()
            pairs = [(record, batch) for record in self._lanes.values() if (batch := record.batch())]
            if pairs:
                await self._keep(pairs)
            for key in [key for key, record in self._lanes.items() if record.done.is_set()]:
                del self._lanes[key]
            self._flushed.set()
            self._flushed = asyncio.Event()

    async def _keep(self, pairs: Sequence[tuple[LaneRecord, Batch]]) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._write, [batch for _, batch in pairs])
        except _REFUSALS as error:
            await loop.run_in_executor(self._thread, connections.close_all)
            self._refused(loop.time(), [record for record, _ in pairs], error)
        except Exception as error:
            if len(pairs) == 1:
                logger.exception("a lane cannot be kept")
                pairs[0][0].fail(_sentence(error))
                return
            for record, _ in pairs:
                batch = record.batch()
                if batch is not None:
                    await self._keep([(record, batch)])
        else:
            self._refused_since = None
            for record, batch in pairs:
                record.written(batch)

    def _refused(self, now: float, records: Iterable[LaneRecord], error: Exception) -> None:
        """A database that is busy or full may be free again in a moment; reading waits for it, but not for ever."""
        since = self._refused_since = self._refused_since or now
        over = now - since >= self._patience
        logger.warning("the database refuses%s: %s", ", recordings end here" if over else "", error)
        for record in records:
            if over or record.failed is not None:
                record.fail(_sentence(error))
        if over:
            self._refused_since = None

    async def close(self) -> None:
        """Write the rest and let the thread go. The loop `run()` must have been cancelled."""
        await self.flush()
        for record in list(self._lanes.values()):
            for _ in range(2):
                record.fail("The server stopped before the recording could be written.")
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown()


def _sentence(error: Exception) -> str:
    return (
        f"The recording could not be written ({str(error).strip() or type(error).__name__}). "
        "Make room on the disk or check DATABASE_URL, then run again."
    )
