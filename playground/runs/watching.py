"""One viewer of a session, from its first message to its last: the window, its timer and its catching up.

Made by runs.watch for a door, which passes on what its socket and its channel bring. The session is subscribed to
before the first page is read, so nothing falls in between. Who may not see all of it gets no step of the broadcaster:
what that sends only says that there is something new, to be read without what is left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

from channels.db import database_sync_to_async

from playground.live import groups
from playground.live.viewer import Viewer
from playground.messages import LaneMessage, SessionMessage, lane_message
from playground.recordings import library, sharing, writers
from playground.recordings.library import SessionView
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs.control import messages
from playground.runs.following import SLICE, LaneCursor, Owners
from playground.runs.lane_steps import LaneSteps, StepsAtHand
from playground.runs.tasks import Tasks

LOOK: Final = 5.0
"""Seconds after which a silent lane is looked at: the channel layer may have dropped its last message."""

AGAIN: Final = 0.25
"""Seconds between looks at a lane that has more than can be found."""

MOST: Final = 0.005
"""Seconds of pause at most after a slice."""

LINK_OVER: Final = "share.over"
"""A group message: look whether the link still shows something."""

Send = Callable[[str], Awaitable[None]]
Cut = Callable[[sharing.Gone], Awaitable[None]]


class Watch:
    """`open()` first, `close()` last; `ack` and `stop` are what the browser says.

    With a `link` the viewer stays as long as that shows something; then `cut` is told why not, once.
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
    ) -> None:
        self._without = without
        self._link = link
        self._cut = cut
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
        for text in self._viewer.message(_session_message(self._session, self._without, bool(self._link))):
            await self._send(text)
        self._work = [self._tasks.spawn(work) for work in (self._listen(), self._catch_up(), self._look_after())]

    async def ack(self, frame: int) -> None:
        if self._viewer.acknowledged(frame):
            await self._flush()

    async def stop(self, lane: int | None) -> None:
        """Stop a lane, or all. Not waited for: the session may run in another server."""
        self._tasks.spawn(self._owners.stop(self._session.id, lane))

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for task in self._work:
            task.cancel()
        for group in self._groups:
            await self._layer.group_discard(group, self._channel)

    @property
    def _groups(self) -> list[str]:
        return [groups.viewers(self._session.id), *([groups.share(self._link)] if self._link else [])]

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

    async def _check_link(self) -> None:
        """Let the viewer go when the link shows nothing any more."""
        try:
            await database_sync_to_async(sharing.check)(self._link)
        except sharing.Gone as gone:
            cut, self._cut = self._cut, None
            if self._timer is not None:
                self._timer.cancel()
            for task in self._work:
                if task is not asyncio.current_task():
                    task.cancel()
            if cut is not None:
                await cut(gone)

    async def _flush(self) -> None:
        async with self._sending:
            for text in self._viewer.ready(self._loop.time()):
                await self._send(text)
        if self._viewer.catching_up():
            self._moved.set()
        deadline = self._viewer.deadline()
        if deadline is not None and self._timer is None:
            self._timer = self._loop.call_at(deadline, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._tasks.spawn(self._flush())

    async def _catch_up(self) -> None:
        """A slice for each lane that needs the recording, in turn, as long as there is room."""
        viewer = self._viewer
        while True:
            lanes = viewer.catching_up() if viewer.room else []
            if not lanes:
                self._moved.clear()
                await self._moved.wait()
                continue
            for lane in lanes:
                if viewer.room:
                    began = self._loop.time()
                    found = await self._slice(lane)
                    # Whoever streams in this server gets as much of its time as catching up takes.
                    pause = min(self._loop.time() - began, MOST) if self._owners.busy else 0
                    await asyncio.sleep(pause if found else AGAIN)

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
            for lane in self._viewer.following():
                await self._look(lane)
                self._moved.set()

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


def _session_message(session: SessionView, without: LeftOut, over_link: bool) -> SessionMessage:
    return {
        "type": "session",
        # Who knows the id of a session can look at all of it.
        "id": "" if over_link else session.id,
        "title": session.title,
        "created": session.created,
        "tags": [] if over_link else list(session.tags),
        "left_out": without.words,
        "lanes": [_lane_message(lane) for lane in session.lanes],
    }


def _lane_message(lane: library.LaneView) -> LaneMessage:
    names = (lane.format, lane.target, lane.model)
    return lane_message(lane.number, *names, lane.head, word=lane.word, last_step=lane.last_step)
