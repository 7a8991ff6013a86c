"""A lane's steps as JSON text from any moment on, whoever runs it: kept pages first, then the owner's unkept tail.

Called by watching.py, one LaneCursor for each lane of a viewer that must catch up. It goes forward only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Protocol

from channels.db import database_sync_to_async

from playground.reads import End, Read
from playground.recordings import library
from playground.recordings.recorder import Tail
from playground.recordings.replay import Cursor, pages
from playground.recordings.veil import NOTHING, LeftOut

SLICE = 56_000
"""Characters of steps in one go while lanes stream here: about two milliseconds of this server's time."""

LARGE_SLICE = 230_000
"""The same while none does: one frame of ASCII. Sixteen of them are on their way while the page draws one."""

SKIP = 200
"""Reads in one go on the way to where the viewer stands."""


class Owners(Protocol):
    """Who may have a lane's tail: it and the number of the lane's last step, None when it is not theirs."""

    @property
    def busy(self) -> bool:
        """Lanes stream in this server."""

    def recent(self, session: str, lane: int, after: int, size: int) -> tuple[list[str], bool] | None:
        """Steps at hand behind number `after` and whether the lane's end is among them; None when they are not."""

    def tail(self, session: str, lane: int, after: int) -> tuple[Tail, int] | None: ...

    async def tail_elsewhere(self, session: str, lane: int, after: int) -> tuple[Tail, int] | None: ...

    async def stop(self, session: str, lane: int | None) -> bool: ...


class LaneCursor:
    """`advance` is to be called again and again; `over` says that the lane's end was given."""

    def __init__(self, session: str, number: int, owners: Owners, without: LeftOut = NOTHING) -> None:
        self._session = session
        self._number = number
        self._owners = owners
        self._lane = 0
        self._cursor: Cursor | None = None
        self._head: str | None = None
        self._waiting: deque[Read] = deque()
        self._end: End | None = None
        self._notes: Sequence[str] = ()
        self._without = without

    @property
    def over(self) -> bool:
        return self._cursor is not None and self._cursor.over

    async def advance(self, after: int) -> list[str] | None:
        """The next steps behind number `after`; [] while it is on the way there; None when there are none yet."""
        if not self._waiting and self._end is None and not self.over and not await self._load():
            return None
        if self._cursor is None or self.over:
            return None
        return list(self._taken(self._cursor, after))

    def last_word(self, number: int) -> str:
        """The lane's end under another number, for a viewer that has more steps than the recording."""
        assert self._cursor is not None
        return self._cursor.last_word(number)

    def _taken(self, cursor: Cursor, after: int) -> Iterator[str]:
        if self._head is not None:
            if after < 0:
                yield self._head
            self._head = None
        size = skipped = 0
        most = SLICE if self._owners.busy else LARGE_SLICE
        while self._waiting and size < most and skipped < SKIP:
            step = cursor.read(self._waiting.popleft())
            if step.number > after:
                text = cursor.encode(step)
                size += len(text)
                yield text
            else:
                skipped += 1
        if not self._waiting and self._end is not None:
            step = cursor.end(self._end, self._notes)
            if step.number > after:
                yield cursor.encode(step)

    async def _load(self) -> bool:
        """Look for what comes next. False when there is nothing new; True also when it is worth looking again."""
        position = max(self.position, 0)
        local = self._owners.tail(self._session, self._number, position)
        if local is not None and self.position >= 0 and _follows(*local, position):
            return self._take_tail(*local)
        # On the way through it only reads are asked for, as long as there are some.
        more = await database_sync_to_async(pages)(self._lane, position) if self._lane and position else []
        if more:
            self._waiting.extend(more)
            return True
        kept = await database_sync_to_async(library.kept)(self._session, self._number, position)
        self._lane = kept.lane
        if self._cursor is None:
            self._cursor = Cursor(kept.format, self._without)
        if kept.head is not None and self.position < 0:
            self._head = self._cursor.encode(self._cursor.head(kept.head))
        if kept.reads or kept.end is not None:
            self._waiting.extend(kept.reads)
            self._end = kept.end if not kept.reads else None
            self._notes = kept.notes
            return True
        found = self._owners.tail(self._session, self._number, position)
        if found is None:
            found = await self._owners.tail_elsewhere(self._session, self._number, position)
        if found is None:
            return self._head is not None
        if found[0].head is not None and self.position < 0:
            self._head = self._cursor.encode(self._cursor.head(found[0].head))
        if self.position >= 0 and _follows(*found, position):
            return self._take_tail(*found) or self._head is not None
        return self.position >= 0

    def _take_tail(self, tail: Tail, last: int) -> bool:
        self._waiting.extend(tail.reads)
        self._end = tail.end
        self._notes = tail.notes
        return bool(tail.reads or tail.end)

    @property
    def position(self) -> int:
        """Number of the last step that was passed, -1 before the first."""
        return -1 if self._cursor is None else self._cursor.position


def _follows(tail: Tail, last: int, position: int) -> bool:
    """Whether the tail begins right behind that read: what was written in between stands in the tables by now."""
    if tail.reads:
        return tail.reads[0].number == position + 1
    return position == last - (tail.end is not None)
