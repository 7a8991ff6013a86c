"""Steps of a lane are made once for all who read them from the recording, and memory for them is bounded."""

from __future__ import annotations

import asyncio
import gc
from contextlib import AsyncExitStack
from typing import Any, cast

import pytest

from playground import runs
from playground.pipeline import Pipeline
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs import lane_steps
from playground.runs.following import LaneCursor
from playground.runs.hall import Hall
from playground.runs.lane_steps import LaneSteps, StepsAtHand
from tests.runs.test_watching import ended
from tests.support.lanes import Browser
from tests.support.raw_server import serving
from tests.support.sessions import Upstream, request, watching

WITHOUT = LeftOut(frozenset({"headers"}))


class Script:
    """A cursor that gives blocks of steps; None stands for none yet, an exception is raised."""

    def __init__(self, *blocks: list[str] | Exception | None) -> None:
        self.blocks = list(blocks)
        self.asked: list[int] = []

    @property
    def over(self) -> bool:
        return not self.blocks

    async def advance(self, after: int) -> list[str] | None:
        self.asked.append(after)
        await asyncio.sleep(0)
        block = self.blocks.pop(0)
        if isinstance(block, Exception):
            raise block
        return block

    def last_word(self, number: int) -> str:
        return f"over as {number}"


def lane(at_hand: StepsAtHand, script: Script, number: int = 0, without: LeftOut = NOTHING) -> LaneSteps:
    return at_hand.of("session", number, without, lambda: cast(LaneCursor, script))


async def all_of(steps: LaneSteps, position: int = -1) -> list[str]:
    found: list[str] = []
    over = False
    while not over:
        more, over = await steps.after(position + len(found))
        assert more is not None
        found += more
    return found


async def test_many_viewers_make_one_way_through_the_recording() -> None:
    script = Script(["0", "1", "2"], ["3"], ["4", "5"])
    at_hand = StepsAtHand()
    steps = lane(at_hand, script)
    assert lane(at_hand, Script()) is steps
    found = await asyncio.gather(*(all_of(steps) for _ in range(5)))
    assert found == [["0", "1", "2", "3", "4", "5"]] * 5
    assert script.asked == [-1, 2, 3]


@pytest.mark.parametrize("position", range(-1, 6))
async def test_whoever_comes_late_gets_what_it_lacks(position: int) -> None:
    steps = lane(StepsAtHand(), Script(["0", "1", "2"], ["3"], ["4", "5"]))
    if position < 3:
        await all_of(steps)
    assert await all_of(steps, position) == [str(number) for number in range(position + 1, 6)]


async def test_whoever_saw_more_than_was_kept_gets_the_end_under_the_next_number() -> None:
    steps = lane(StepsAtHand(), Script(["0", "1"]))
    await all_of(steps)
    assert await steps.after(7) == (["over as 8"], True)


async def test_nothing_yet_is_told_from_the_end() -> None:
    steps = lane(StepsAtHand(), Script(["0"], None, ["1"]))
    assert await steps.after(-1) == (["0"], False)
    assert await steps.after(0) == (None, False)
    assert await steps.after(0) == (["1"], True)


async def test_viewers_who_see_different_things_share_nothing() -> None:
    at_hand = StepsAtHand()
    assert lane(at_hand, Script(["whole"])) is not lane(at_hand, Script(["less"]), without=WITHOUT)
    assert await all_of(lane(at_hand, Script(), without=WITHOUT)) == ["less"]


async def test_what_was_watched_longest_ago_goes_first_and_what_is_watched_stays() -> None:
    at_hand = StepsAtHand(most=1000)
    watched = lane(at_hand, Script(["x" * 300]), 0)
    await all_of(watched)
    for number in (1, 2, 3):
        await all_of(lane(at_hand, Script(["x" * 300]), number))
    gc.collect()
    assert at_hand.size <= 1000
    assert lane(at_hand, Script(["new"]), 0) is watched
    assert await all_of(lane(at_hand, Script(["new"]), 1)) == ["new"]
    assert await all_of(lane(at_hand, Script(["new"]), 3)) != ["new"]


async def test_a_lane_with_no_room_keeps_its_newest_and_says_who_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_steps, "NEWEST", 500)
    at_hand = StepsAtHand(most=1000)
    steps = lane(at_hand, Script(*[["x" * 100] for _ in range(50)]))
    position = -1
    over = False
    while not over:
        more, over = await steps.after(position)
        position += len(more or [])
        assert at_hand.size <= 1000
    assert position == 49
    assert not steps.has(-1)
    assert steps.has(49)
    assert len(await all_of(steps, 47)) == 2


async def test_after_an_error_the_next_one_begins_anew() -> None:
    at_hand = StepsAtHand()
    steps = lane(at_hand, Script(["0"], ValueError("damaged"), ["1"]))
    assert await steps.after(-1) == (["0"], False)
    with pytest.raises(ValueError, match="damaged"):
        await steps.after(0)
    again = lane(at_hand, Script(["0"], ["1"]))
    assert again is not steps
    assert await all_of(again) == ["0", "1"]
    assert await steps.after(0) == (["1"], True)


async def test_steps_are_made_ahead_up_to_a_size() -> None:
    script = Script(*[["x" * 100] for _ in range(9)])
    await lane(StepsAtHand(), script).ahead(500)
    assert len(script.asked) == 4
    await lane(StepsAtHand(), ending := Script(["0"], None, ["1"])).ahead(500)
    assert len(ending.asked) == 2


class Counted:
    """How often any pipeline was fed."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.times = 0
        feed = Pipeline.feed

        def counting(pipeline: Pipeline, read: Any) -> Any:
            self.times += 1
            return feed(pipeline, read)

        patch.setattr(Pipeline, "feed", counting)


async def test_a_session_that_is_opened_again_is_not_read_again(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(Upstream(30)) as port:
        session = await runs.start(request(port))
        await ended(hall)
    counted = Counted(monkeypatch)
    seen = []
    for _ in range(3):
        async with watching(session) as socket:
            await socket.read_to_end()
            seen.append(socket.browser.steps[0])
    assert seen[0] == seen[1] == seen[2]
    assert counted.times == len(seen[0]) - 2


class Seat:
    """A viewer without a socket."""

    def __init__(self) -> None:
        self.browser = Browser()
        self.frames: asyncio.Queue[int] = asyncio.Queue()

    async def send(self, text: str) -> None:
        message = self.browser.take(text)
        if message["type"] == "steps":
            self.frames.put_nowait(message["frame"])

    async def look(self, watch: runs.Watch) -> None:
        """Acknowledge what comes until the lane is over."""
        while not self.browser.is_over(0):
            await watch.ack(await self.frames.get())


async def test_twenty_viewers_of_a_veiled_stream_cost_one_reading(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    upstream = Upstream(60, before=30)
    seats = [Seat() for _ in range(20)]
    async with serving(upstream) as port:
        session = await runs.start(request(port))
        await upstream.half.wait()
        counted = Counted(monkeypatch)
        async with AsyncExitStack() as stack:
            watches = [await runs.preview(session, {}, seat.send, WITHOUT) for seat in seats]
            for watch in watches:
                assert watch is not None
                stack.push_async_callback(watch.close)
            upstream.gate.set()
            looks = [seat.look(watch) for seat, watch in zip(seats, watches, strict=True) if watch]
            await asyncio.wait_for(asyncio.gather(*looks), 20)
        await ended(hall)
    steps = seats[0].browser.steps[0]
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert all(seat.browser.steps[0] == steps for seat in seats)
    # The stream itself is read once more.
    assert counted.times <= 2 * len(steps)


async def test_a_page_that_is_expected_finds_its_steps_made(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(Upstream(30)) as port:
        session = await runs.start(request(port))
        await ended(hall)
    counted = Counted(monkeypatch)
    await hall._expect(session, NOTHING)
    made = counted.times
    assert made > 0
    async with watching(session) as socket:
        await socket.read_to_end()
    assert counted.times == made
