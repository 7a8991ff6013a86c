"""CSV: when each row of each lane was complete. Times are whole microseconds, empty where unknown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from playground.recordings.exporting.interface import Kind, Taken
from playground.recordings.exporting.rows import rows

COLUMNS = ("lane", "row", "read", "kind", "name", "time_us", "gap_us", "start", "end", "bytes")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet reads what begins so as a formula: https://owasp.org/www-community/attacks/CSV_Injection"""


def write(taken: Taken) -> Iterator[bytes]:
    """The gap is the time since the lane's row before; the first one's since the request."""
    line = io.StringIO()
    table = csv.writer(line)
    table.writerow(COLUMNS)
    before: dict[int, int | None] = {}
    for lane, row in rows(taken):
        last = before.get(lane, 0)
        gap = row.time - last if row.time is not None and last is not None else None
        before[lane] = row.time
        name = f"'{row.name}" if row.name.startswith(FORMULA) else row.name
        table.writerow(
            (lane, row.number, row.read, row.kind, name, row.time, gap, row.start, row.end, row.end - row.start)
        )
        if line.tell() > 8000:
            yield _taken(line)
    yield _taken(line)


def _taken(line: io.StringIO) -> bytes:
    text = line.getvalue()
    line.seek(0)
    line.truncate()
    return text.encode(errors="replace")


TIMINGS = Kind(
    name="timings",
    title="Timings",
    purpose="A table of every row’s time, gap and size. For a spreadsheet or a plot.",
    suffix=".timings.csv",
    media_type="text/csv; charset=utf-8",
    write=write,
)
