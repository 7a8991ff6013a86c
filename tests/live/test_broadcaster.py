"""Steps are sent at once while they are few, in frames when they are many, and never waited for."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from playground.live import groups
from playground.live.broadcaster import AT_ONCE, AT_ONCE_ALL, FRAME_SIZE, UNSENT, Broadcaster, LaneBroadcast
from tests.support.lanes import encoded, head_of, reads_of, walk


class Timer:
    def __init__(self, at: float, then: Callable[[], None]) -> None:
        self.at, self.then = at, then

    def cancel(self) -> None:
        self.then = lambda: None


class Scene:
    """A channel layer, tasks that run when asked, a clock that is set."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.groups: list[str] = []
        self.tasks: list[Coroutine[Any, Any, None]] = []
        self.timers: list[Timer] = []
        self.now = 100.0
        self.broken = False
        self.all = Broadcaster(self, self.tasks.append, lambda: self.now, self._call_later)
        self.pipeline, self.steps = walk("chat", head_of("chat-no-done"), reads_of([b'data: {"a":1}\n\n'] * 300))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if self.broken:
            raise ConnectionError("no Redis")
        self.groups.append(group)
        self.messages.append(message)

    def _call_later(self, delay: float, then: Callable[[], None]) -> Timer:
        timer = Timer(self.now + delay, then)
        self.timers.append(timer)
        return timer

    def lane(self, session: str = "abc") -> LaneBroadcast:
        lane = self.all.lane(session, 0)
        lane.verdict = self.pipeline
        return lane

    async def run(self) -> None:
        while self.tasks:
            await self.tasks.pop(0)

    async def wait(self, seconds: float) -> None:
        self.now += seconds
        due, self.timers = [timer for timer in self.timers if timer.at <= self.now], []
        for timer in due:
            timer.then()
        await self.run()

    @property
    def sizes(self) -> list[int]:
        return [len(message["steps"]) for message in self.messages]


async def test_few_steps_go_at_once_each() -> None:
    scene = Scene()
    lane = scene.lane()
    for step, read in scene.steps[:10]:
        lane.take(step, read)
        await scene.run()
        scene.now += 0.01
    assert scene.sizes == [1] * 10
    assert [message["first"] for message in scene.messages] == list(range(10))
    assert set(scene.groups) == {groups.viewers("abc")}


async def test_many_steps_are_collected_for_a_display_frame() -> None:
    scene = Scene()
    lane = scene.lane()
    for step, read in scene.steps[:200]:
        lane.take(step, read)
        await scene.run()
        scene.now += 0.00004
    await scene.wait(0.016)
    assert scene.sizes == [1] * AT_ONCE + [200 - AT_ONCE]


async def test_what_was_sent_is_what_the_pipeline_said_and_the_last_says_that_it_is_the_last() -> None:
    scene = Scene()
    lane = scene.lane()
    for step, read in scene.steps:
        lane.take(step, read)
    await scene.run()
    await scene.wait(0.02)
    sent = [text for message in scene.messages for text in message["steps"]]
    assert sent == encoded(scene.pipeline, scene.steps)
    assert [message["over"] for message in scene.messages] == [False] * (len(scene.messages) - 1) + [True]


async def test_a_frame_has_at_most_64_kb_but_for_one_large_step() -> None:
    scene = Scene()
    lane = scene.lane()
    _, steps = walk(
        "chat", head_of("chat-no-done"), reads_of([b": " + b"x" * 20_000 + b"\n"] * 12 + [b":" * 200_000 + b"\n"])
    )
    for step, read in steps[:-1]:
        lane.take(step, read)
    await scene.run()
    await scene.wait(0.02)
    for message in scene.messages:
        assert len(message["steps"]) == 1 or sum(map(len, message["steps"])) < FRAME_SIZE + 21_000


async def test_all_lanes_together_send_so_many_at_once_and_no_more() -> None:
    scene = Scene()
    lanes = [scene.lane(str(number)) for number in range(30)]
    for step, read in scene.steps[:4]:
        for lane in lanes:
            lane.take(step, read)
        await scene.run()
    assert len(scene.messages) == AT_ONCE_ALL
    await scene.wait(0.016)
    assert sum(scene.sizes) == 30 * 4


async def test_a_channel_layer_that_fails_or_hangs_slows_nothing(caplog: pytest.LogCaptureFixture) -> None:
    scene = Scene()
    lane = scene.lane()
    scene.broken = True
    lane.take(*scene.steps[0])
    await scene.run()
    assert "no Redis" in caplog.text
    scene.broken = False
    _, steps = walk("chat", head_of("chat-no-done"), reads_of([b": " + b"x" * 20_000 + b"\n"] * 400))
    for step, read in steps[1:]:
        lane.take(step, read)
        assert lane._size < UNSENT + 30_000
    await scene.run()
    await scene.wait(0.02)
    assert scene.messages[-1]["over"]


async def test_a_layer_in_this_process_takes_messages_without_a_task() -> None:
    scene = Scene()
    lane = scene.lane()
    scene.all.now = lambda group, message: scene.messages.append(message)
    for step, read in scene.steps[:100]:
        lane.take(step, read)
    assert scene.tasks == []
    await scene.wait(0.016)
    assert scene.sizes == [1] * AT_ONCE + [100 - AT_ONCE]


async def test_the_latest_steps_are_at_hand_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    lane = scene.lane()
    assert lane.recent(-1, 1000) == ([], False)
    for step, read in scene.steps[:-1]:
        lane.take(step, read)
    texts = encoded(scene.pipeline, scene.steps)
    assert lane.recent(-1, 10**9) == (texts[:-1], False)
    assert lane.recent(99, 1) == ([texts[100]], False)
    assert lane.recent(300, 1000) == ([], False)
    assert lane.recent(301, 1000) is None
    lane.take(*scene.steps[-1])
    assert lane.recent(299, 10**9) == (texts[300:], True)
    assert lane.recent(299, 1) == (texts[300:301], False)
    monkeypatch.setattr("playground.live.broadcaster.RECENT", 1000)
    small = scene.lane()
    for step, read in scene.steps[:-1]:
        small.take(step, read)
    assert small.recent(-1, 1000) is None
    assert small.recent(299, 1000) == ([texts[300]], False)
    await scene.run()
