"""One viewer's window: group messages, kept steps and acknowledgements in, frames for its socket out.

Knows no socket, no task and no clock: runs/watching.py moves it. Memory is bounded however long a viewer sleeps: a lane
whose frames find no room is no longer followed, only the number of its last step is kept, and the steps are read from
the recording when there is room again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from playground.messages import encode, encode_frame

WINDOW: Final = 16
"""Frames that may be on their way without an acknowledgement."""

KEEPS_UP: Final = 2
"""With fewer frames on their way a step goes at once."""

COLLECT_TIME: Final = 0.016
COLLECT_SIZE: Final = 64_000

FRAME_BYTES: Final = 256 * 1024
"""No message is larger: daphne closes the socket at 1 MiB."""

FRAME_SIZE: Final = 60_000
"""Characters in a frame of several steps, or in a piece: at most four bytes each, twice as many when escaped."""

ASCII_FRAME_SIZE: Final = 240_000
"""Characters in a frame of several steps that are all ASCII."""

PENDING: Final = 500_000
"""Characters that wait for room before the lane is no longer followed."""

HELD: Final = 1_000_000
"""Characters of live steps that are held while a lane catches up."""


class _Lane:
    """`position`: the last step sent or pending. `known`: the last one that exists. `ends`: the number of its end."""

    __slots__ = (
        "ends",
        "following",
        "held",
        "held_size",
        "known",
        "pending",
        "pending_size",
        "position",
        "since",
        "told",
    )

    def __init__(self, position: int) -> None:
        self.position = position
        self.known = position
        self.ends: int | None = None
        self.following = False
        self.pending: deque[str] = deque()
        self.pending_size = 0
        self.since = 0.0
        self.held: deque[tuple[int, Sequence[str]]] = deque()
        self.held_size = 0
        self.told = False

    @property
    def over(self) -> bool:
        return self.ends is not None and self.position >= self.ends

    def drop_held(self) -> None:
        self.held.clear()
        self.held_size = 0


class Viewer:
    """The state of one socket. `have`: by lane, the last step that the browser has from an earlier socket."""

    def __init__(self, lanes: Iterable[int], have: Mapping[int, int]) -> None:
        self._lanes = {number: _Lane(have.get(number, -1)) for number in lanes}
        self._turns = deque(self._lanes)
        self._on_the_way: deque[int] = deque()
        self._frame = 0
        self._notices: list[str] = []

    # What comes in

    def take(self, lane: int, first: int, steps: Sequence[str], over: bool, now: float) -> None:
        """A group message: steps that follow one another from number `first`; `over`: the last is the lane's end."""
        view = self._lanes[lane]
        last = first + len(steps) - 1
        view.known = max(view.known, last)
        if over:
            view.ends = last
        if view.following and first > view.position + 1:
            view.following = False
        if view.following:
            self._append(view, first, steps, now)
            if view.pending_size > PENDING and not self.room:
                self._fall_behind(lane, view)
        else:
            view.held.append((first, steps))
            view.held_size += sum(map(len, steps))
            if view.held_size > HELD or not self.room:
                view.drop_held()

    def exists(self, lane: int, last: int) -> None:
        """Step `last` is known to exist, though no message told of it: the channel layer may have dropped one."""
        view = self._lanes[lane]
        view.known = max(view.known, last)
        if view.known > view.position:
            view.following = False

    def lose(self, lane: int) -> None:
        """No more will be sent live of that lane: its end stands in the recording."""
        self._lanes[lane].following = False

    def kept(self, lane: int, steps: Sequence[str], over: bool) -> None:
        """Steps out of the recording, right behind `position(lane)`; call ready() before anything else comes in."""
        view = self._lanes[lane]
        view.position += len(steps)
        view.known = max(view.known, view.position)
        view.pending.extend(steps)
        view.pending_size += sum(map(len, steps))
        view.since = 0.0
        if over:
            view.ends = view.known = view.position

    def level(self, lane: int, now: float) -> bool:
        """The recording has no more: join what was held. Whether the lane is followed from now on."""
        view = self._lanes[lane]
        for first, steps in view.held:
            if first <= view.position + 1:
                self._append(view, first, steps, now)
        view.drop_held()
        view.following = view.position >= view.known
        view.told = view.told and not view.following
        return view.following

    def acknowledged(self, frame: int) -> bool:
        """The browser has that frame, and so all before it. Whether anything waited for that."""
        while self._on_the_way and self._on_the_way[0] <= frame:
            self._on_the_way.popleft()
        return any(view.pending or not (view.following or view.over) for view in self._lanes.values())

    # What goes out

    @property
    def room(self) -> bool:
        return len(self._on_the_way) < WINDOW

    def position(self, lane: int) -> int:
        return self._lanes[lane].position

    def is_over(self, lane: int) -> bool:
        """The lane's end was sent."""
        return self._lanes[lane].over

    def catching_up(self) -> list[int]:
        """The lanes that need the recording."""
        return [number for number, view in self._lanes.items() if not (view.following or view.over)]

    def following(self) -> list[int]:
        """The lanes that get live steps and may get more."""
        return [number for number, view in self._lanes.items() if view.following and not view.over]

    def deadline(self) -> float | None:
        """When ready() must be asked again, if nothing comes in before."""
        waiting = [view.since for view in self._lanes.values() if view.pending]
        return min(waiting) + COLLECT_TIME if waiting and self.room else None

    def message(self, message: Mapping[str, Any]) -> Iterator[str]:
        """A message that is no frame of steps; in pieces under a frame number when it is large."""
        text = encode(message)
        if _fits(text):
            yield text
        else:
            yield from self._pieces(self._next_frame(), text)

    def ready(self, now: float) -> Iterator[str]:
        """What the socket is to be sent now."""
        sent = True
        while sent:
            sent = False
            for number in list(self._turns):
                view = self._lanes[number]
                if view.pending and self.room and self._goes(view, now):
                    yield from self._send(number, view)
                    self._turns.remove(number)
                    self._turns.append(number)
                    sent = True
        notices, self._notices = self._notices, []
        yield from notices

    def _goes(self, view: _Lane, now: float) -> bool:
        return (
            len(self._on_the_way) < KEEPS_UP
            or view.pending_size >= COLLECT_SIZE
            or now >= view.since + COLLECT_TIME
            or view.over
        )

    def _append(self, view: _Lane, first: int, steps: Sequence[str], now: float) -> None:
        fresh = steps[view.position + 1 - first :] if first <= view.position else steps
        if not fresh:
            return
        if not view.pending:
            view.since = now
        view.pending.extend(fresh)
        view.pending_size += sum(map(len, fresh))
        view.position += len(fresh)

    def _fall_behind(self, number: int, view: _Lane) -> None:
        view.position -= len(view.pending)
        view.pending.clear()
        view.pending_size = 0
        view.following = False
        if not view.told:
            view.told = True
            self._notices.append(encode({"type": "behind", "lane": number, "last_step": view.known}))

    def _send(self, number: int, view: _Lane) -> Iterator[str]:
        """One frame of what is pending."""
        steps: list[str] = []
        size = 0
        limit = ASCII_FRAME_SIZE
        while view.pending:
            if limit > FRAME_SIZE and not view.pending[0].isascii():
                limit = FRAME_SIZE
            if steps and size + len(view.pending[0]) > limit:
                break
            step = view.pending.popleft()
            size += len(step)
            steps.append(step)
        view.pending_size -= size
        frame = self._next_frame()
        text = encode_frame(number, frame, steps)
        if _fits(text):
            yield text
        else:
            yield from self._pieces(frame, text)

    def _next_frame(self) -> int:
        self._frame += 1
        self._on_the_way.append(self._frame)
        return self._frame

    @staticmethod
    def _pieces(frame: int, text: str) -> Iterator[str]:
        count = -(-len(text) // FRAME_SIZE)
        for piece in range(count):
            part = text[piece * FRAME_SIZE : (piece + 1) * FRAME_SIZE]
            yield encode({"type": "piece", "frame": frame, "piece": piece, "of": count, "text": part})


def _fits(text: str) -> bool:
    return len(text) <= FRAME_SIZE + 200 or (len(text) <= FRAME_BYTES and len(text.encode()) <= FRAME_BYTES)
