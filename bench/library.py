"""python -m bench.library: the library of 10,000 sessions, in this process on SQLite: what a page of it takes.

Each look is what a door asks of recordings/shelf.py; the newest page of a library a hundredth as large is the peer.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WANTED_MS = 100
SESSIONS = 10_000
TIMES = 7


def milliseconds(look: Callable[[], Any]) -> float:
    """The median of some; the first, which opens what is opened once, is not among them."""
    look()
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        look()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def measured(sessions: int) -> dict[str, float]:
    """Milliseconds by look. Django is set up, the tables are empty."""
    from django.db import connection

    from playground.recordings import shelf
    from playground.recordings.finding import Wanted
    from tests.support.many_sessions import fill

    small = max(sessions // 100, 1)
    fill(small)
    found = {"newest page of a hundredth": milliseconds(lambda: shelf.page(Wanted()))}
    fill(sessions - small, seed=2)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    second = Wanted(cursor=shelf.page(Wanted())["next"] or "")
    looks = {
        "newest page": Wanted(),
        "second page": second,
        "by events": Wanted(sort="events"),
        "two words, all match": Wanted(q="harbour tide"),
        "a word, none match": Wanted(q="nowhere-at-all"),
        "format, word and tag": Wanted(format="messages", word="ended", tag="bug"),
    }
    for name, wanted in looks.items():
        found[name] = milliseconds(lambda wanted=wanted: shelf.page(wanted))  # type: ignore[misc]
    found["counts of all filters"] = milliseconds(lambda: shelf.counts(Wanted()))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    options = parser.parse_args()
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
        found = measured(options.sessions)
    if options.json:
        print(json.dumps(found))
        return
    for name, taken in found.items():
        print(f"{name}: {taken:.1f} ms, {taken / WANTED_MS:.2f} of what is wanted")


if __name__ == "__main__":
    main()
