"""What came is kept, whatever the disk does; one transaction for all lanes."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Sequence

import pytest
from django.db import OperationalError

from playground.reads import End, Read
from playground.recordings.keep import Batch, Seal
from playground.recordings.recorder import LaneRecord, Recorder
from tests.support.lanes import ENDED, head_of, reads_of, walk


class Disk:
    """Takes batches as the tables would; `refuse` says how often it does not."""

    def __init__(self) -> None:
        self.transactions: list[list[Batch]] = []
        self.refuse = 0
        self.error: Exception = OperationalError("disk I/O error")

    def __call__(self, batches: Sequence[Batch]) -> None:
        if self.refuse:
            self.refuse -= 1
            raise self.error
        for batch in batches:
            for read in batch.reads:
                batch.digest.update(read.body)
                batch.size += len(read.body)
            batch.count += len(batch.reads)
        self.transactions.append(list(batches))

    def reads(self, lane: int) -> list[Read]:
        return [
            read for batches in self.transactions for batch in batches if batch.lane == lane for read in batch.reads
        ]

    def seals(self, lane: int) -> list[Seal]:
        return [batch.seal for batches in self.transactions for batch in batches if batch.lane == lane and batch.seal]


def record_of(recorder: Recorder, lane: int, failures: list[str] | None = None) -> LaneRecord:
    failing = (failures if failures is not None else []).append
    return recorder.lane(lane, lambda end: Seal(end, "ended", True, {}), failing)


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def test_reads_of_all_lanes_go_into_one_transaction_a_tick(disk: Disk) -> None:
    recorder = Recorder(disk)
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"data: 1\n\n", b"data: 2\n\n"]))
    for lane in (1, 2):
        record = record_of(recorder, lane)
        for step, read in steps[:-1]:
            assert record.take(step, read) is None
    await recorder.flush()
    assert [[batch.lane for batch in batches] for batches in disk.transactions] == [[1, 2]]
    assert [read.body for read in disk.reads(2)] == [b"data: 1\n\n", b"data: 2\n\n"]
    await recorder.flush()
    assert len(disk.transactions) == 1
    await recorder.close()


async def test_the_end_is_written_at_once_with_the_digest_of_the_kept_bytes(disk: Disk) -> None:
    recorder = Recorder(disk, tick=3600)
    loop = asyncio.get_running_loop().create_task(recorder.run())
    record = record_of(recorder, 7)
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"data: 1\n\n", b"data: 2\n\n"]))
    for step, read in steps[:-1]:
        record.take(step, read)
    assert record.last == 2
    waiting = record.take(*steps[-1])
    assert waiting is not None
    assert record.last == 3
    await waiting
    assert disk.seals(7)[0].end == ENDED
    assert disk.transactions[-1][-1].digest.hexdigest() == hashlib.sha256(b"data: 1\n\ndata: 2\n\n").hexdigest()
    assert recorder.unflushed == 0
    loop.cancel()
    await recorder.close()


async def test_a_slow_disk_slows_the_reading_and_loses_nothing(disk: Disk) -> None:
    recorder = Recorder(disk, tick=3600, limit=1000)
    loop = asyncio.get_running_loop().create_task(recorder.run())
    record = record_of(recorder, 1)
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"x" * 300] * 40))
    waits = 0
    for step, read in steps:
        waiting = record.take(step, read)
        if waiting is not None:
            waits += 1
            await waiting
            assert recorder.unflushed <= 1000
    assert waits >= 10
    assert b"".join(read.body for read in disk.reads(1)) == b"x" * 12_000
    loop.cancel()
    await recorder.close()


async def test_a_database_that_is_busy_for_a_moment_is_tried_again(disk: Disk) -> None:
    recorder = Recorder(disk)
    failures: list[str] = []
    record = record_of(recorder, 1, failures)
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"a", b"b", b"c"]))
    disk.refuse = 2
    for step, read in steps[:-1]:
        record.take(step, read)
        await recorder.flush()
    assert [read.body for read in disk.reads(1)] == [b"a", b"b", b"c"]
    assert not failures
    await recorder.close()


async def test_a_disk_that_stays_full_ends_the_lane_with_a_clear_word(disk: Disk) -> None:
    recorder = Recorder(disk, patience=0)
    failures: list[str] = []
    record = record_of(recorder, 1, failures)
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"a", b"b", b"c"]))
    record.take(*steps[0])
    record.take(*steps[1])
    await recorder.flush()
    disk.refuse, disk.error = 1, OperationalError("database or disk is full")
    record.take(*steps[2])
    await recorder.flush()
    assert failures == [record.failed]
    assert record.failed is not None
    assert "database or disk is full" in record.failed
    assert "Make room on the disk" in record.failed
    assert record.take(*steps[3]) is None
    assert recorder.unflushed == 0
    waiting = record.take(*steps[4])
    await recorder.flush()
    assert waiting is not None
    await waiting
    assert disk.seals(1)[0].end.how == "closed"
    assert [read.body for read in disk.reads(1)] == [b"a"]
    await recorder.close()


async def test_an_end_without_its_reads_says_so(disk: Disk) -> None:
    recorder = Recorder(disk, patience=0)
    record = record_of(recorder, 1)
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"a"]))
    waiting = [record.take(step, read) for step, read in steps][-1]
    disk.refuse, disk.error = 1, OperationalError("database or disk is full")
    await recorder.flush()
    await recorder.flush()
    assert waiting is not None
    await waiting
    (seal,) = disk.seals(1)
    assert (seal.end.how, seal.word, seal.complete) == ("interrupted", "interrupted", False)
    assert "database or disk is full" in seal.end.detail
    await recorder.close()


async def test_an_end_that_cannot_be_written_is_not_waited_for_for_ever(disk: Disk) -> None:
    recorder = Recorder(disk, patience=0)
    record = record_of(recorder, 1)
    _, steps = walk("chat", head_of("chat-no-done"), [])
    disk.refuse = 2
    record.take(*steps[0])
    waiting = record.take(*steps[1])
    await recorder.flush()
    await recorder.flush()
    assert waiting is not None
    await waiting
    assert not disk.transactions
    await recorder.close()


async def test_one_lane_that_cannot_be_kept_takes_no_other_with_it(disk: Disk) -> None:
    def write(batches: Sequence[Batch]) -> None:
        if any(batch.lane == 2 for batch in batches):
            raise sqlite3.IntegrityError("FOREIGN KEY constraint failed")
        disk(batches)

    recorder = Recorder(write)
    failures: list[str] = []
    records = [record_of(recorder, lane, failures) for lane in (1, 2, 3)]
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b"a"]))
    for record in records:
        for step, read in steps[:-1]:
            record.take(step, read)
    await recorder.flush()
    assert [record.failed is None for record in records] == [True, False, True]
    assert disk.reads(1) == disk.reads(3) == reads_of([b"a"])
    await recorder.close()


async def test_the_tail_is_what_may_not_be_kept_yet() -> None:
    recorder = Recorder(Disk())
    record = record_of(recorder, 1)
    assert record.last == -1
    head = head_of("chat-no-done")
    _, steps = walk("chat", head, reads_of([b"a", b"b", b"c"]))
    for step, read in steps[:3]:
        record.take(step, read)
    assert record.tail(1) == (head, [reads_of([b"a", b"b"])[1]], None, ())
    await recorder.flush()
    record.take(*steps[3])
    assert record.tail(2).reads == [Read(3, 4500, b"c")]
    waiting = record.take(*steps[4])
    assert record.tail(3) == (head, [], End("closed", 10_000_000, ""), ())
    await recorder.flush()
    assert waiting is not None
    await waiting
    await recorder.close()
