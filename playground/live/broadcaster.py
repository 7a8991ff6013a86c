"""Steps in, group messages with many steps out. runs opens a LaneBroadcast for every lane as a sink of the relay.

A step goes at once while few come; otherwise steps are collected for a display frame or 64 kB. Nothing here waits for
a viewer, and what the channel layer does not take is dropped: viewers see the gap and read the recording.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from itertools import islice
from typing import Any, Final, Protocol

from playground.live import groups
from playground.messages import encode_step
from playground.pipeline import Step
from playground.reads import Read

logger = logging.getLogger(__name__)

FRAME_TIME: Final = 0.016
"""Seconds: one display frame."""

FRAME_SIZE: Final = 64_000
"""Characters of steps in one group message; a larger step goes alone."""

AT_ONCE: Final = 4
"""Steps of one lane in a display frame that go at once. The next ones are collected until the frame is over."""

AT_ONCE_ALL: Final = 40
"""The same for all lanes together: a group message costs some 0.2 ms, this keeps half of a core for the rest."""

RECENT: Final = 32_000_000
"""Characters of the latest steps that all lanes together keep at hand: who is only a little behind reads them here."""

UNSENT: Final = 1_000_000
"""Characters that may wait for a slow channel layer; what is above is dropped."""


class Layer(Protocol):
    async def group_send(self, group: str, message: dict[str, Any]) -> None: ...


class Timer(Protocol):
    def cancel(self) -> None: ...


class Verdict(Protocol):
    """What of a pipeline travels with the last step."""

    @property
    def word(self) -> str: ...

    @property
    def complete(self) -> bool: ...


class Broadcaster:
    """All lanes' way to the channel layer.

    `spawn` keeps a coroutine as a task; `clock` (seconds) and `call_later` are those of the event loop.
    """

    def __init__(
        self,
        layer: Layer,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        clock: Callable[[], float],
        call_later: Callable[[float, Callable[[], None]], Timer],
    ) -> None:
        self.layer = layer
        # A layer in this process takes a message without a task and a turn of the event loop.
        self.now: Callable[[str, dict[str, Any]], None] | None = getattr(layer, "group_send_now", None)
        self.spawn = spawn
        self.clock = clock
        self.call_later = call_later
        self.lanes = 0
        self._frame = 0.0
        self._count = 0

    def lane(self, session: str, number: int) -> LaneBroadcast:
        """The sink of one lane; `lanes` is counted down again with its last step."""
        self.lanes += 1
        return LaneBroadcast(self, session, number)

    def at_once(self, now: float) -> bool:
        """Whether one more group message may go at once in this display frame."""
        if now - self._frame > FRAME_TIME:
            self._frame = now
            self._count = 0
        self._count += 1
        return self._count <= AT_ONCE_ALL


class LaneBroadcast:
    """The sink of one lane. `verdict` must be set before the first step."""

    verdict: Verdict

    def __init__(self, broadcaster: Broadcaster, session: str, number: int) -> None:
        self._all = broadcaster
        self._group = groups.viewers(session)
        self._number = number
        self._recent: deque[str] = deque()
        self._recent_size = 0
        self._last = -1
        self._steps: list[str] = []
        self._first = 0
        self._size = 0
        self._frame = 0.0
        self._count = 0
        self._timer: Timer | None = None
        self._sending = False
        self._over = False

    def take(self, step: Step, read: Read | None) -> None:
        if step.end is None:
            text = encode_step(step, word="", complete=False)
        else:
            text = encode_step(step, word=self.verdict.word, complete=self.verdict.complete)
            self._over = True
            self._all.lanes -= 1
        self._keep_at_hand(step.number, text)
        steps = self._steps
        if not steps:
            self._first = step.number
        steps.append(text)
        self._size += len(text)
        if self._over or self._size >= FRAME_SIZE or (self._timer is None and not self._sending):
            self._decide()

    def recent(self, after: int, size: int) -> tuple[list[str], bool] | None:
        """Steps behind number `after`, about so many characters of them, and whether the lane's end is the last.

        None when they are no longer at hand.
        """
        skip = after + 1 - (self._last + 1 - len(self._recent))
        if skip < 0 or after > self._last:
            return None
        steps = []
        for step in islice(self._recent, skip, None):
            steps.append(step)
            size -= len(step)
            if size <= 0:
                break
        return steps, self._over and after + len(steps) == self._last

    def _keep_at_hand(self, number: int, text: str) -> None:
        self._last = number
        self._recent.append(text)
        self._recent_size += len(text)
        while self._recent_size > RECENT // max(1, self._all.lanes):
            self._recent_size -= len(self._recent.popleft())

    def _decide(self) -> None:
        """Send now, or when the display frame is over."""
        now = self._all.clock()
        if now - self._frame > FRAME_TIME:
            self._frame = now
            self._count = 0
        self._count += 1
        if self._over or self._size >= FRAME_SIZE or (self._count <= AT_ONCE and self._all.at_once(now)):
            self._send()
        else:
            self._timer = self._all.call_later(max(0.0, self._frame + FRAME_TIME - now), self._send)

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._all.now is not None:
            first, steps, self._steps, self._size = self._first, self._steps, [], 0
            for message in self._messages(first, steps, self._over):
                self._all.now(self._group, message)
        elif not self._sending:
            self._sending = True
            self._all.spawn(self._to_layer())
        elif self._size > UNSENT and not self._over:
            self._steps = []
            self._size = 0

    async def _to_layer(self) -> None:
        first, steps, over = self._first, self._steps, self._over
        self._steps = []
        self._size = 0
        try:
            await self._to_group(first, steps, over)
        finally:
            self._sending = False
            if self._steps and self._timer is None:
                self._decide()

    async def _to_group(self, first: int, steps: list[str], over: bool) -> None:
        for message in self._messages(first, steps, over):
            try:
                await self._all.layer.group_send(self._group, message)
            except Exception as error:
                logger.warning("the channel layer did not take steps, viewers will read the recording: %s", error)

    def _messages(self, first: int, steps: list[str], over: bool) -> Iterator[dict[str, Any]]:
        """The steps in messages of at most FRAME_SIZE, but for a step that is larger."""
        start = size = 0
        for index, step in enumerate(steps):
            size += len(step)
            if size >= FRAME_SIZE or index == len(steps) - 1:
                yield {
                    "type": "live.steps",
                    "lane": self._number,
                    "first": first + start,
                    "steps": steps[start : index + 1],
                    "over": over and index == len(steps) - 1,
                }
                start, size = index + 1, 0
