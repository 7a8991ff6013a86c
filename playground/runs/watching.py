"""One viewer of a session, from its first message to its last: the window, its timer and its catching up.

Made by runs.watch for a door, which passes on what its socket and its channel bring. The session is subscribed to
before the first page is read, so nothing falls in between. Who may not see all of it gets no step of the broadcaster:
what that sends only says that there is something new, to be read without what is left out. A database that does not
answer is asked again; a link that cannot be checked for long shows nothing any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError

from playground.live import groups
from playground.live.viewer import Viewer
from playground.messages import encode
from playground.recordings import library, sharing, writers
from playground.recordings.library import NoLane, SessionView
from playground.recordings.replay import Gap
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs.control import messages
from playground.runs.first_message import session_message
from playground.runs.following import SLICE, LaneCursor, Owners
from playground.runs.lane_steps import LaneSteps, StepsAtHand
from playground.runs.tasks import Tasks

logger = logging.getLogger(__name__)

LOOK: Final = 5.0
"""Seconds after which a silent lane is looked at: the channel layer may have dropped its last message."""

AGAIN: Final = 0.25
"""Seconds between looks at a lane that has more than can be found."""

UNCHECKED: Final = 60.0
"""Seconds for which a link is believed that cannot be checked."""

MOST: Final = 0.005
"""Seconds of pause at most after a slice."""

LINK_OVER: Final = "share.over"
"""A group message: look whether the link still shows something."""

Send = Callable[[str], Awaitable[None]]
Cut = Callable[[Exception], Awaitable[None]]
"""Told why the viewer sees nothing more: Gone or Lost."""

Found = TypeVar("Found")


class Lost(Exception):
    """The session is not there any more; the message is a sentence for whoever watches it."""

    def __init__(self) -> None:
        super().__init__("This session was erased; what you see is all that is left of it.")


class Watch:
    """`open()` first, `close()` last; `ack` and `stop` are what the browser says.

    With a `link` the viewer stays as long as that shows something; `cut` is told, once, why nothing more is sent.
    `shared`: it sees the session as over a link, not as who can change it.
    """

    def __init__(
        self,
        session: SessionView,
        have: Mapping[int, int],
        send: Send,
        owners: Owners,
        at_hand: StepsAtHand,
        tasks: Tasks,
        layer: Any,
        without: LeftOut = NOTHING,
        link: str = "",
        cut: Cut | None = None,
        shared: bool = False,
    ) -> None:
        self._without = without
        self._link = link
        self._cut = cut
        self._shared = shared or bool(link)
        self._closed = False
        self._damaged: set[int] = set()
        self._layer = layer
        self._channel = ""
        self._session = session
        self._send = send
        self._owners = owners
        self._at_hand = at_hand
        self._tasks = tasks
        self._loop = asyncio.get_running_loop()
        lanes = [lane.number for lane in session.lanes]
        self._viewer = Viewer(lanes, {lane: last for lane, last in have.items() if lane in lanes and last >= 0})
        self._steps: dict[int, LaneSteps] = {}
        self._cursors: dict[int, LaneCursor] = {}
        self._sending = asyncio.Lock()
        self._moved = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._work: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Subscribe, and say what the session is. Raises Gone."""
        self._channel = await self._layer.new_channel()
        for group in self._groups:
            await self._layer.group_add(group, self._channel)
        if self._link:
            # It may have been revoked since it was looked up, before this channel could be told.
            await database_sync_to_async(sharing.check)(self._link)
        for text in self._viewer.message(session_message(self._session, self._without, self._shared)):
            await self._send(text)
        self._work = [self._tasks.spawn(work) for work in (self._listen(), self._catch_up(), self._look_after())]

    async def ack(self, frame: int) -> None:
        if self._viewer.acknowledged(frame):
            await self._flush()

    async def stop(self, lane: int | None) -> None:
        """Stop a lane, or all. Not waited for: the session may run in another server."""
        self._tasks.spawn(self._owners.stop(self._session.id, lane))

    async def close(self) -> None:
        self._still()
        for group in self._groups:
            await self._layer.group_discard(group, self._channel)

    @property
    def _groups(self) -> list[str]:
        return [groups.viewers(self._session.id), *([groups.share(self._link)] if self._link else [])]

    def _still(self) -> None:
        """Nothing is sent from now on."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for task in self._work:
            if task is not asyncio.current_task():
                task.cancel()

    async def _end(self, why: Exception) -> None:
        """Let the viewer go."""
        cut, self._cut = self._cut, None
        self._still()
        if cut is not None:
            await cut(why)

    async def _patiently(self, work: Callable[[], Awaitable[Found]]) -> Found:
        """The work, again after ever longer pauses as long as the database does not answer."""
        pause = AGAIN
        while True:
            try:
                return await work()
            except (OperationalError, InterfaceError) as error:
                logger.warning("the database does not answer a viewer: %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LOOK)

    async def _listen(self) -> None:
        """What the broadcaster sends to the session's group, and that the link shows nothing any more."""
        async for message in messages(self._layer, self._channel):
            if message["type"] == LINK_OVER:
                await self._check_link()
            elif self._without:
                self._viewer.exists(message["lane"], message["first"] + len(message["steps"]) - 1)
                self._moved.set()
            else:
                steps = message["steps"]
                self._viewer.take(message["lane"], message["first"], steps, message["over"], self._loop.time())
                await self._flush()
            if self._closed:
                return

    async def _check_link(self) -> None:
        """Let the viewer go when the link shows nothing any more, or when that cannot be said."""
        try:
            async with asyncio.timeout(UNCHECKED):
                await self._patiently(lambda: database_sync_to_async(sharing.check)(self._link))
        except sharing.Gone as gone:
            await self._end(gone)
        except TimeoutError:
            await self._end(sharing.Gone("unchecked"))

    async def _flush(self) -> None:
        async with self._sending:
            for text in [] if self._closed else self._viewer.ready(self._loop.time()):
                await self._send(text)
        if self._viewer.catching_up():
            self._moved.set()
        deadline = self._viewer.deadline()
        if deadline is not None and self._timer is None and not self._closed:
            self._timer = self._loop.call_at(deadline, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._tasks.spawn(self._flush())

    async def _catch_up(self) -> None:
        """A slice for each lane that needs the recording, in turn, as long as there is room."""
        viewer = self._viewer
        while True:
            lanes = [lane for lane in viewer.catching_up() if lane not in self._damaged] if viewer.room else []
            if not lanes:
                self._moved.clear()
                await self._moved.wait()
                continue
            for lane in lanes:
                if viewer.room:
                    began = self._loop.time()
                    found = await self._patiently(partial(self._whole_slice, lane))
                    if self._closed:
                        return
                    # Whoever streams in this server gets as much of its time as catching up takes.
                    pause = min(self._loop.time() - began, MOST) if self._owners.busy else 0
                    await asyncio.sleep(pause if found else AGAIN)

    async def _whole_slice(self, lane: int) -> bool:
        """A slice, when the lane is there and whole; else the viewer is told."""
        try:
            return await self._slice(lane)
        except NoLane:
            await self._end(Lost())
        except Gap as gap:
            self._damaged.add(lane)
            message = f"Lane {lane + 1} is damaged: read {gap.after + 1} is missing. What stands before it is here."
            await self._send(encode({"type": "error", "code": "damaged", "message": message}))
        return True

    async def _slice(self, lane: int) -> bool:
        viewer = self._viewer
        position = viewer.position(lane)
        at_hand = None if self._without else self._owners.recent(self._session.id, lane, position, SLICE)
        if at_hand is not None:
            if at_hand[0]:
                viewer.kept(lane, *at_hand)
            joined = bool(at_hand[0]) or viewer.level(lane, self._loop.time())
            await self._flush()
            return joined
        steps, over = await self._kept(lane, position)
        if steps is None:
            joined = viewer.level(lane, self._loop.time())
        else:
            viewer.kept(lane, steps, over)
            joined = True
        await self._flush()
        return joined

    async def _kept(self, lane: int, position: int) -> tuple[list[str] | None, bool]:
        """Steps of the recording behind `position`, None when there are none yet, and whether the end is among them."""
        shared = self._steps.get(lane)
        if shared is None:
            shared = self._steps[lane] = self._at_hand.of(
                self._session.id, lane, self._without, partial(self._cursor, lane)
            )
        if shared.has(position):
            self._cursors.pop(lane, None)
            return await shared.after(position)
        cursor = self._cursors.get(lane)
        if cursor is None or cursor.position > position:
            cursor = self._cursors[lane] = self._cursor(lane)
        steps = await cursor.advance(position)
        if cursor.over and cursor.position < position:
            # A server died after it had shown more than it had kept.
            steps = [cursor.last_word(position + 1)]
        return steps, cursor.over

    def _cursor(self, lane: int) -> LaneCursor:
        return LaneCursor(self._session.id, lane, self._owners, self._without)

    async def _look_after(self) -> None:
        """See that no lane is waited for that will never come."""
        while True:
            await asyncio.sleep(LOOK)
            if self._link:
                await self._check_link()
            for lane in [] if self._closed else self._viewer.following():
                await self._patiently(partial(self._look, lane))
                self._moved.set()
            if self._closed:
                return

    async def _look(self, lane: int) -> None:
        """Ask the lane's owner for its last step; without an owner the tables have its end."""
        position = self._viewer.position(lane)
        found = self._owners.tail(self._session.id, lane, position)
        if found is None:
            found = await self._owners.tail_elsewhere(self._session.id, lane, position)
        if found is not None:
            self._viewer.exists(lane, found[1])
            return
        await database_sync_to_async(writers.settle)(self._session.id)
        if await database_sync_to_async(library.is_over)(self._session.id, lane):
            self._viewer.lose(lane)
