"""The hall: start, find, stop and watch runs. Doors call these functions and nothing below them.

One Hall a process, opened with the first call (or by `open_hall()` when the server starts); `shutdown()` ends it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from channels.db import database_sync_to_async
from django.db import DatabaseError

from playground.recordings import library, sharing
from playground.recordings.converted import Conversion
from playground.recordings.replay import Cursor
from playground.recordings.sharing import Gone, Shared
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs import looking
from playground.runs.hall import Hall
from playground.runs.requests import GATEWAY, LaneRequest, Refused, SessionRequest
from playground.runs.tasks import Tasks
from playground.runs.watching import Cut, Lost, Send, Watch

__all__ = [
    "GATEWAY",
    "Gone",
    "LaneRequest",
    "Lost",
    "Refused",
    "SessionRequest",
    "Shared",
    "Watch",
    "body",
    "converted",
    "deleted",
    "exists",
    "expect",
    "healthy",
    "models",
    "open_hall",
    "preview",
    "revoke",
    "shared",
    "shutdown",
    "start",
    "stop",
    "transcript",
    "usage",
    "watch",
    "watch_shared",
]

SHUTDOWN = 2.0
"""Seconds that ending all runs and writing the rest may take."""

_tasks = Tasks()
_halls: dict[asyncio.AbstractEventLoop, asyncio.Task[Hall]] = {}


async def open_hall() -> Hall:
    """The hall of this event loop, opened once: lanes of servers that are gone get their end."""
    loop = asyncio.get_running_loop()
    if loop not in _halls:
        _halls[loop] = _tasks.spawn(_opened())
    try:
        return await asyncio.shield(_halls[loop])
    except Exception:
        _halls.pop(loop, None)
        raise


async def _opened() -> Hall:
    hall = Hall()
    await hall.open()
    return hall


async def start(request: SessionRequest) -> str:
    """Start the lanes of a session; its id. Raises Refused."""
    return await (await open_hall()).start(request)


async def stop(session: str, lane: int | None = None) -> bool:
    """Stop a lane, or all; False when none of them streams (any more)."""
    return await (await open_hall()).stop(session, lane)


async def watch(session: str, have: Mapping[int, int], send: Send, cut: Cut | None = None) -> Watch | None:
    """Begin to send a session to a viewer, None when there is no such session. `have`: by lane, the last step it has.

    `cut` is told when it is lost while it is watched. Whoever calls this must `close()` the viewer.
    """
    return await _watching(await (await open_hall()).watch(session, have, send, cut=cut))


async def preview(
    session: str, have: Mapping[int, int], send: Send, without: LeftOut, cut: Cut | None = None
) -> Watch | None:
    """The same as a link would show it that leaves this out."""
    return await _watching(await (await open_hall()).watch(session, have, send, without, cut=cut, shared=True))


def expect(session: str, without: LeftOut = NOTHING) -> None:
    """A page is on its way that will watch the session: what of it is over may be made ready."""
    opened = _halls.get(asyncio.get_running_loop())
    if opened is not None and opened.done() and not opened.cancelled() and opened.exception() is None:
        opened.result().expect(session, without)


async def watch_shared(token: str, have: Mapping[int, int], send: Send, cut: Cut) -> Watch | None:
    """The same over a link, until it is over: then `cut` is told why. Raises Gone."""
    link = await shared(token)
    return await _watching(await (await open_hall()).watch(link.session, have, send, link.without, link.id, cut))


async def _watching(watch: Watch | None) -> Watch | None:
    if watch is not None:
        try:
            await watch.open()
        except BaseException:
            await watch.close()
            raise
    return watch


async def shared(token: str) -> Shared:
    """The link of that token. Raises Gone."""
    return await database_sync_to_async(sharing.find)(token)


async def revoke(session: str, link: str) -> Shared | None:
    """The link shows nothing from now on, and who watches on it is cut off; None when there is no such link."""
    revoked = await database_sync_to_async(sharing.revoke)(session, link)
    if revoked is not None:
        await (await open_hall()).link_over(link)
    return revoked


async def exists(session: str) -> bool:
    return await database_sync_to_async(library.exists)(session)


async def deleted(session: str) -> bool:
    """It was deleted and can be brought back."""
    return await database_sync_to_async(library.deleted)(session)


async def body(session: str, lane: int, start: int, end: int, without: LeftOut = NOTHING) -> bytes | None:
    """Bytes `start` to `end` of a lane's decoded body as far as it came, None when there is no such lane."""
    return await looking.body(await open_hall(), session, lane, start, end, without)


async def transcript(session: str, lane: int, without: LeftOut = NOTHING) -> Cursor | None:
    """A cursor at a lane's last step: its pipeline has what was said until now. None when there is no such lane."""
    return await looking.transcript(await open_hall(), session, lane, without)


async def converted(session: str, lane: int, format: str, without: LeftOut = NOTHING) -> Conversion | None:
    """A lane as far as it came, as events of another format; its functions block. None when there is no such lane."""
    return await looking.converted(await open_hall(), session, lane, format, without)


async def models(target: str, base_url: str, key: str) -> dict[str, Any]:
    """{"models": [{"id", "format"?}], "scenarios"?: [...]} as the target tells them. Raises Refused."""
    return await (await open_hall()).models(target, base_url, key)


async def usage(lane: LaneRequest, request_id: str) -> dict[str, Any]:
    """{"ledger": bool, "charge": {...} or None}: what a request came to, by its target's ledger. Raises Refused.

    Of `lane` only what says where it went and with which key is looked at.
    """
    return await (await open_hall()).usage(lane, request_id)


async def healthy() -> bool:
    """The database answers."""
    try:
        await exists("")
    except DatabaseError:
        return False
    return True


async def shutdown(within: float = SHUTDOWN) -> None:
    """End all runs of this event loop as interrupted and keep what came, within that many seconds."""
    opened = _halls.pop(asyncio.get_running_loop(), None)
    if opened is not None:
        await (await opened).close(within)
