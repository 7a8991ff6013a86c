"""Where relay, recordings and live meet: the lanes that stream in this server. One Hall a process, made by __init__.py.

A run belongs to the server, not to a tab: it ends when the upstream ends, when somebody stops it, or with the server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings

from playground.live import groups
from playground.live.broadcaster import Broadcaster, LaneBroadcast
from playground.reads import End, How
from playground.recordings import keep, library, shelf, writers
from playground.recordings.recorder import LaneRecord, Recorder, Tail
from playground.recordings.summary import summary
from playground.recordings.veil import NOTHING, LeftOut
from playground.relay.run import Run
from playground.runs.calls import Clients, PreparedLane, prepare_all
from playground.runs.control import Control
from playground.runs.following import LaneCursor
from playground.runs.lane_steps import StepsAtHand
from playground.runs.models import ask_models
from playground.runs.requests import LaneRequest, Refused, SessionRequest
from playground.runs.tasks import Tasks
from playground.runs.usage import ask_usage
from playground.runs.watching import LINK_OVER, Cut, Send, Watch

logger = logging.getLogger(__name__)

EXPECTED = 16_000_000
"""Characters of steps that are made of a lane before its viewer comes: about half a second."""

INTERRUPTED = "The server was stopped while this was streaming; what came until then is here."


@dataclass(slots=True)
class Streaming:
    """A lane that streams in this server."""

    run: Run
    record: LaneRecord
    broadcast: LaneBroadcast


class Hall:
    """All that streams here. `open()` first, `close()` last, both in the event loop that it belongs to."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.tasks = Tasks()
        self._layer: Any = get_channel_layer()
        self._clients = Clients()
        self._recorder = Recorder()
        self._broadcaster = Broadcaster(self._layer, self.tasks.spawn, loop.time, loop.call_later)
        self._control = Control(self._layer, self.tail, self._stop_here)
        self._at_hand = StepsAtHand()
        self._streaming: dict[str, dict[int, Streaming]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._writer = ""
        self._closing = False

    async def open(self) -> None:
        """Enter this server among the writers; lanes of servers that are gone get their end, what was deleted goes."""
        self._writer = await database_sync_to_async(writers.enter)()
        for lane in await database_sync_to_async(writers.settle)():
            logger.info("lane %s was interrupted", lane)
        if purged := await database_sync_to_async(shelf.purge)():
            logger.info("%d sessions that were deleted %d days ago are gone for good", purged, shelf.KEPT_DELETED.days)
        await self._control.open()
        self.tasks.spawn(self._control.run())
        self.tasks.spawn(self._recorder.run())
        self.tasks.spawn(self._beat())

    async def start(self, request: SessionRequest) -> str:
        """The id of the session; its lanes stream from now on. Raises Refused."""
        if self._closing:
            raise Refused("closing", "This server is being stopped; try again in a moment.", status=503)
        if self.count + len(request.lanes) > settings.LANES_AT_ONCE:
            raise Refused(
                "too-many-lanes",
                f"{self.count} lanes are streaming and this server allows {settings.LANES_AT_ONCE} at once; "
                "stop one or wait for an end.",
                status=429,
            )
        # In a thread: looking for secrets in ten megabytes takes a while, and other lanes stream.
        lanes = await asyncio.to_thread(prepare_all, request)
        title = request.title
        for lane in lanes:
            title = lane.mask.text(title)
        begun = await database_sync_to_async(keep.begin)(
            title, [lane.kept for lane in lanes], self._writer, request.owner
        )
        await self._control.own(begun.session)
        # All lanes stand here before the first one moves: a session is over when its last lane is.
        runs = [
            self._run(begun.session, number, key, lane)
            for number, (key, lane) in enumerate(zip(begun.lanes, lanes, strict=True))
        ]
        for number, run in enumerate(runs):
            task = self.tasks.spawn(self._stream(begun.session, number, run))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        return begun.session

    def _run(self, session: str, number: int, key: int, lane: PreparedLane) -> Run:
        broadcast = self._broadcaster.lane(session, number)
        mask = lane.mask
        run: Run

        def seal(end: End) -> keep.Seal:
            pipeline = run.pipeline
            return keep.Seal(end, pipeline.word, pipeline.complete, summary(pipeline), mask.notes)

        def failing(sentence: str) -> None:
            run.stop("interrupted", sentence)

        record = self._recorder.lane(key, seal, failing)
        run = Run(
            lane=number,
            call=lane.call,
            format=lane.kept.format or None,
            head=lane.kept.head,
            client=self._clients.client(lane.kept.target),
            timeouts=self._clients.timeouts(),
            limit=settings.LANE_BYTES,
            sinks=[broadcast, record],
            mask=mask,
            after_end_silence=settings.AFTER_END_SILENCE,
            thresholds=settings.THRESHOLDS,
        )
        broadcast.verdict = run.pipeline
        self._streaming.setdefault(session, {})[number] = Streaming(run, record, broadcast)
        return run

    async def _stream(self, session: str, number: int, run: Run) -> None:
        try:
            await run.run()
        finally:
            lanes = self._streaming[session]
            del lanes[number]
            if not lanes:
                del self._streaming[session]
                await self._control.disown(session)

    async def stop(self, session: str, lane: int | None = None) -> bool:
        """Stop one lane or all, wherever they stream; False when none of them does."""
        if self._stop_here(session, lane):
            return True
        streams = await database_sync_to_async(library.streams)(session)
        return streams and await self._control.ask_stop(session, lane)

    def _stop_here(self, session: str, lane: int | None) -> bool:
        return self._end(session, lane, "stopped", "")

    def _end(self, session: str, lane: int | None, how: How, detail: str) -> bool:
        found = False
        for number, streaming in self._streaming.get(session, {}).items():
            if lane is None or lane == number:
                streaming.run.stop(how, detail)
                found = True
        return found

    async def models(self, target: str, base_url: str, key: str) -> dict[str, Any]:
        """A target's models as the page wants them. Raises Refused."""
        return await ask_models(self._clients, target, base_url, key)

    async def usage(self, lane: LaneRequest, request_id: str) -> dict[str, Any]:
        """What a lane's request came to by its target's ledger. Raises Refused."""
        return await ask_usage(self._clients, lane, request_id)

    async def watch(
        self,
        session: str,
        have: Mapping[int, int],
        send: Send,
        without: LeftOut = NOTHING,
        link: str = "",
        cut: Cut | None = None,
        shared: bool = False,
    ) -> Watch | None:
        """A viewer of that session, None when there is no such session."""
        view = await database_sync_to_async(library.session)(session, without)
        if view is None:
            return None
        return Watch(view, have, send, self, self._at_hand, self.tasks, self._layer, without, link, cut, shared)

    def expect(self, session: str, without: LeftOut) -> None:
        """Begin to make the steps of its lanes that are over: a page that will ask for them is on its way."""
        self.tasks.spawn(self._expect(session, without))

    async def _expect(self, session: str, without: LeftOut) -> None:
        view = await database_sync_to_async(library.session)(session, without)
        for lane in view.lanes if view else []:
            if lane.last_step is not None:
                cursor = partial(LaneCursor, session, lane.number, self, without)
                await self._at_hand.of(session, lane.number, without, cursor).ahead(EXPECTED)

    async def link_over(self, link: str) -> None:
        """All who watch on that link look again whether it shows something, in whichever server they are."""
        await self._layer.group_send(groups.share(link), {"type": LINK_OVER})

    @property
    def count(self) -> int:
        """Lanes that stream in this server."""
        return sum(map(len, self._streaming.values()))

    @property
    def busy(self) -> bool:
        return bool(self._streaming)

    def recent(self, session: str, lane: int, after: int, size: int) -> tuple[list[str], bool] | None:
        """Steps at hand behind number `after`, and whether the lane's end is among them."""
        streaming = self._streaming.get(session, {}).get(lane)
        return None if streaming is None else streaming.broadcast.recent(after, size)

    def tail(self, session: str, lane: int, after: int) -> tuple[Tail, int] | None:
        """What of a lane is in memory here, and the number of its last step; None when it does not stream here."""
        streaming = self._streaming.get(session, {}).get(lane)
        return None if streaming is None else (streaming.record.tail(after), streaming.record.last)

    async def tail_elsewhere(self, session: str, lane: int, after: int) -> tuple[Tail, int] | None:
        return await self._control.ask_tail(session, lane, after)

    async def close(self, within: float) -> None:
        """End all runs as interrupted and write the rest, in that many seconds."""
        self._closing = True
        for session in list(self._streaming):
            self._end(session, None, "interrupted", INTERRUPTED)
        if self._ending:
            await asyncio.wait(list(self._ending), timeout=within * 0.4)
        await self.tasks.close(within * 0.2)
        try:
            async with asyncio.timeout(within * 0.4):
                await self._recorder.close()
                await self._clients.close()
                await database_sync_to_async(writers.leave)(self._writer)
        except TimeoutError:
            logger.warning("the database did not take the rest in time")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(writers.BEAT)
            if self.busy:
                await database_sync_to_async(writers.beat)(self._writer)
