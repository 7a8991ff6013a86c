"""A look at a lane from outside its stream: a stretch of its body, what it said until now; kept or still streaming.

Called by __init__.py.
"""

from __future__ import annotations

from channels.db import database_sync_to_async

from playground.reads import Read
from playground.recordings import library
from playground.recordings.converted import Conversion
from playground.recordings.models import Lane
from playground.recordings.replay import Cursor
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs.following import Owners


async def body(
    owners: Owners, session: str, number: int, start: int, end: int, without: LeftOut = NOTHING
) -> bytes | None:
    """Bytes `start` to `end` of the decoded body, None when there is no such lane."""
    lane = await _lane(session, number)
    if lane is None:
        return None
    tail = await _tail(owners, lane)
    return await database_sync_to_async(library.body, thread_sensitive=False)(lane, start, end, tail, without)


async def transcript(owners: Owners, session: str, number: int, without: LeftOut = NOTHING) -> Cursor | None:
    """A cursor at the lane's last step, None when there is no such lane."""
    lane = await _lane(session, number)
    if lane is None:
        return None
    tail = await _tail(owners, lane)
    return await database_sync_to_async(library.transcript, thread_sensitive=False)(lane, tail, without)


async def converted(
    owners: Owners, session: str, number: int, format: str, without: LeftOut = NOTHING
) -> Conversion | None:
    """The lane as another format, None when there is no such lane."""
    lane = await _lane(session, number)
    return None if lane is None else Conversion(lane, format, await _tail(owners, lane), without)


async def _lane(session: str, number: int) -> Lane | None:
    return await database_sync_to_async(library.lane)(session, number)


async def _tail(owners: Owners, lane: Lane) -> list[Read]:
    """Reads that may not be kept yet. Taken before the tables are read: what is written in between is there twice."""
    if lane.how:
        return []
    after = await database_sync_to_async(library.last_read)(lane.pk)
    reads: list[Read] = []
    while True:
        found = owners.tail(lane.session_id, lane.number, after)
        if found is None:
            found = await owners.tail_elsewhere(lane.session_id, lane.number, after)
        if found is None or not found[0].reads:
            return reads
        reads += found[0].reads
        after = reads[-1].number
        if after >= found[1]:
            return reads
