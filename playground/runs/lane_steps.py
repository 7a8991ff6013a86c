"""A lane's steps as text for all who read it from the recording: made once, and kept for who opens it next.

A viewer (watching.py) holds the LaneSteps of StepsAtHand.of as long as it watches, and asks again and again for what
comes behind where it stands.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from playground.recordings.veil import LeftOut
from playground.runs.following import LaneCursor

AT_HAND: Final = 128 * 1024 * 1024
"""Characters of steps that all lanes may have here: two or three lanes of 100,000 events."""

NEWEST: Final = 1024 * 1024
"""Characters of its newest steps that a lane keeps for its viewers when there is no room."""

OF_A_STEP: Final = 64
"""What a step takes besides its text."""

Key = tuple[str, int, LeftOut]


class LaneSteps:
    """One lane, with one cursor through it. `size` is what its steps take."""

    def __init__(self, cursor: LaneCursor, grown: Callable[[], None], broken: Callable[[], None]) -> None:
        self._cursor = cursor
        self._grown = grown
        self._broken = broken
        self._blocks: list[list[str]] = []
        self._firsts: list[int] = []
        self._next = 0
        self._advancing = asyncio.Lock()
        self.size = 0

    def has(self, position: int) -> bool:
        """Whether the step behind `position` is here, or yet to come."""
        return position + 1 >= (self._firsts[0] if self._firsts else self._next)

    async def after(self, position: int) -> tuple[list[str] | None, bool]:
        """Some steps behind `position`, and whether the lane's end is among them; None when there are none yet.

        Raises what its cursor raises: then it is of no use any more.
        """
        async with self._advancing:
            if position + 1 < self._next:
                index = bisect_right(self._firsts, position + 1) - 1
                steps = self._blocks[index][position + 1 - self._firsts[index] :]
                return steps, self._cursor.over and position + 1 + len(steps) == self._next
            if self._cursor.over:
                # A server died after it had shown more than it had kept.
                return ([self._cursor.last_word(position + 1)] if position >= self._next else []), True
            found = await self._advance()
            if not found:
                return found, False
            return found[max(0, position + 1 - self._firsts[-1]) :], self._cursor.over and position + 1 < self._next

    async def _advance(self) -> list[str] | None:
        try:
            found = await self._cursor.advance(self._next - 1)
        except Exception:
            self._broken()
            raise
        if found:
            self._firsts.append(self._next)
            self._blocks.append(found)
            self._next += len(found)
            self.size += _size(found)
            self._grown()
        return found

    async def ahead(self, size: int) -> None:
        """Make steps until they take so much, or the recording has no more."""
        while self.size < size and not self._cursor.over:
            async with self._advancing:
                if not await self._advance():
                    return
            await asyncio.sleep(0)

    def trim(self, size: int) -> None:
        """Let go of the oldest steps until the rest takes no more than that; the newest stay."""
        gone = 0
        while self.size > size and gone < len(self._blocks) - 1:
            self.size -= _size(self._blocks[gone])
            gone += 1
        del self._blocks[:gone], self._firsts[:gone]


class StepsAtHand:
    """The lanes that are watched, and those that were: of these the one that was watched least recently goes first."""

    def __init__(self, most: int = AT_HAND) -> None:
        self._most = most
        self._watched: WeakValueDictionary[Key, LaneSteps] = WeakValueDictionary()
        self._recent: OrderedDict[Key, LaneSteps] = OrderedDict()

    def of(self, session: str, lane: int, without: LeftOut, cursor: Callable[[], LaneCursor]) -> LaneSteps:
        """The lane as whoever may not see what is left out sees it; `cursor` makes one that is new."""
        key = (session, lane, without)
        found = self._watched.get(key)
        if found is None:
            grown, broken = partial(self._make_room, key), partial(self._forget, key)
            found = self._watched[key] = LaneSteps(cursor(), grown, broken)
        self._recent[key] = found
        self._recent.move_to_end(key)
        return found

    @property
    def size(self) -> int:
        return sum(steps.size for steps in self._watched.values())

    def _make_room(self, grown: Key) -> None:
        """Let go of lanes that were watched longest ago; a lane for which that is not enough keeps its newest steps."""
        while self.size > self._most and len(self._recent) > 1:
            self._recent.popitem(last=False)
        if self.size > self._most and grown in self._watched:
            self._watched[grown].trim(NEWEST)

    def _forget(self, key: Key) -> None:
        """Who asks next begins anew: something went wrong on the way."""
        self._watched.pop(key, None)
        self._recent.pop(key, None)


def _size(steps: list[str]) -> int:
    return sum(map(len, steps)) + OF_A_STEP * len(steps)
