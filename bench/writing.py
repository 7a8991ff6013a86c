"""How fast what streams is kept: reads into the recorder as fast as it takes them, until the lanes are sealed.

Called by bench/recordings.py, in a process of its own with a new database. The peer is
SQLite alone: the same bytes in as large blobs, a transaction a tick's worth.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

EVENTS = 200_000
LANES = (1, 20)
BODY = b'data: {"id":"chatcmpl-b","choices":[{"index":0,"delta":{"content":"' + b"word " * 20 + b'"}}]}\n\n'
BLOB = 64_000
A_TRANSACTION = 16 * 1024 * 1024
GAP = 250
"""Microseconds between two reads."""


async def kept(lanes: int, events: int) -> float:
    """Seconds until all that came for so many lanes is sealed in the tables."""
    from asgiref.sync import sync_to_async

    from playground.pipeline import Step
    from playground.reads import End, Head, Read
    from playground.recordings import keep
    from playground.recordings.keep import NewLane, Seal
    from playground.recordings.recorder import LaneRecord, Recorder

    head = Head("POST", "https://bench.example/v1", (), b"{}", 0, 200, "OK", (), 1)
    begun = await sync_to_async(keep.begin)("bench", [NewLane("chat", "custom", "bench", head)] * lanes, None)
    recorder = Recorder()
    running = asyncio.create_task(recorder.run())  # noqa: TID251 - a benchmark ends its own

    def fail(sentence: str) -> None:
        raise RuntimeError(sentence)

    async def fill(record: LaneRecord) -> None:
        first = Step(0, 0, 0, 0)
        first.head = head
        record.take(first, None)
        count = events // lanes
        for number in range(1, count + 1):
            room = record.take(Step(number, number * GAP, len(BODY), 0), Read(number, number * GAP, BODY))
            if room is not None:
                await room
            elif number % 64 == 0:
                await asyncio.sleep(0)
        last = Step(count + 1, count * GAP, 0, 0)
        last.end = End("closed", count * GAP)
        over = record.take(last, None)
        assert over is not None
        await over

    records = [recorder.lane(key, lambda end: Seal(end, "ended", True, {}), fail) for key in begun.lanes]
    began = time.perf_counter()
    await asyncio.gather(*map(fill, records))
    seconds = time.perf_counter() - began
    running.cancel()
    await recorder.close()
    return seconds


def peer(path: Path, size: int) -> float:
    """Seconds in which SQLite takes so many bytes by itself."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    database.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, body BLOB)")
    blob = (BODY * (BLOB // len(BODY) + 1))[:BLOB]
    began = time.perf_counter()
    for _ in range(0, size, A_TRANSACTION):
        database.execute("BEGIN IMMEDIATE")
        database.executemany("INSERT INTO pages (body) VALUES (?)", [(blob,)] * (A_TRANSACTION // BLOB))
        database.execute("COMMIT")
    seconds = time.perf_counter() - began
    database.close()
    return seconds * size / (A_TRANSACTION * -(-size // A_TRANSACTION))


def measured(folder: Path, events: int) -> dict[str, dict[str, Any]]:
    """By how many lanes share the writer: reads and MB a second, and how many times SQLite's own time that is."""
    size = events * len(BODY)
    alone = peer(folder / "peer.sqlite3", size)
    found = {}
    for lanes in LANES:
        seconds = asyncio.run(kept(lanes, events))
        found[f"{lanes} lanes" if lanes > 1 else "a lane"] = {
            "reads_a_second": events / seconds,
            "mb_a_second": size / 1e6 / seconds,
            "of_sqlite": seconds / alone,
        }
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "SECRET_KEY": "bench",
            "DJANGO_SETTINGS_MODULE": "playground.settings",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        print(json.dumps(measured(Path(folder), EVENTS)))


if __name__ == "__main__":
    main()
