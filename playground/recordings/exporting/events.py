"""JSON lines: an object an event, of all lanes, as they arrived."""

from collections.abc import Iterator

from playground.messages import encode
from playground.recordings.exporting.interface import Kind, Taken
from playground.recordings.exporting.rows import rows


def write(taken: Taken) -> Iterator[bytes]:
    """{"lane", "row", "read", "time": microseconds or null, "name", "data", "id"? where the event has one}."""
    for lane, row in rows(taken):
        if row.kind != "event":
            continue
        event = {"lane": lane, "row": row.number, "read": row.read, "time": row.time, "name": row.name}
        event["data"] = row.data
        if row.id is not None:
            event["id"] = row.id
        yield encode(event).encode() + b"\n"


EVENTS = Kind(
    name="events",
    title="Events",
    purpose="A line of JSON an event: row, time, name, data. For jq, scripts and notebooks.",
    suffix=".events.jsonl",
    media_type="application/jsonl",
    write=write,
)
