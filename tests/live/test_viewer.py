"""A viewer gets every step once and in order, whenever it joins, whatever is dropped and however long it sleeps."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.live.viewer import HELD, PENDING, WINDOW, Viewer
from tests.support.lanes import Browser


def step(number: int, size: int = 0) -> str:
    return json.dumps({"step": number, "pad": "x" * size})


class Play:
    """A lane that streams, a recording that has all of it, a channel layer that drops, and one viewer."""

    def __init__(self, have: int = -1, size: int = 0) -> None:
        self.viewer = Viewer([0], {0: have} if have >= 0 else {})
        self.browser = Browser()
        self.size = size
        self.steps: list[str] = []
        self.over = False
        self.now = 0.0
        self.cursor = -1

    def produce(self, count: int, delivered: bool, over: bool = False) -> None:
        first = len(self.steps)
        self.steps += [step(first + index, self.size) for index in range(count)]
        self.over = over
        if delivered:
            self.viewer.take(0, first, self.steps[first:], over, self.now)
        self.flush()

    def catch_up(self, count: int) -> None:
        if not (self.viewer.catching_up() and self.viewer.room):
            return
        position = self.viewer.position(0)
        assert self.cursor <= position, "a cursor never goes back"
        found = self.steps[position + 1 : position + 1 + count]
        if found:
            self.cursor = position + len(found)
            self.viewer.kept(0, found, self.over and self.cursor == len(self.steps) - 1)
        else:
            self.viewer.level(0, self.now)
        self.flush()

    def ack(self, count: int) -> None:
        frames = self.browser.frames
        if frames:
            self.viewer.acknowledged(frames[max(0, len(frames) - 1 - count)])
        self.flush()

    def wait(self) -> None:
        self.now += 0.016
        self.flush()

    def flush(self) -> None:
        for text in self.viewer.ready(self.now):
            self.browser.take(text)

    def finish(self) -> None:
        self.produce(1, delivered=False, over=True)
        self.viewer.exists(0, len(self.steps) - 1)
        for _ in range(4 * len(self.steps) + 40):
            self.wait()
            self.ack(0)
            self.catch_up(7)


actions = st.lists(
    st.one_of(
        st.tuples(st.just("produce"), st.integers(1, 9), st.booleans()),
        st.tuples(st.just("catch_up"), st.integers(1, 5)),
        st.tuples(st.just("ack"), st.integers(0, 3)),
        st.tuples(st.just("wait")),
    ),
    max_size=80,
)


@settings(max_examples=300, deadline=None)
@given(actions, st.integers(0, 30), st.sampled_from([0, 9_000, 61_000]), st.integers(-1, 40))
def test_no_step_is_missed_or_doubled(play: Sequence[tuple[object, ...]], before: int, size: int, have: int) -> None:
    scene = Play(min(have, before - 1), size)
    if before:
        scene.steps = [step(number, size) for number in range(before)]
    for name, *arguments in play:
        getattr(scene, str(name))(*arguments)
        assert len(scene.viewer._on_the_way) <= WINDOW
        lane = scene.viewer._lanes[0]
        assert lane.pending_size <= PENDING + 9 * (size + 100)
        assert lane.held_size <= HELD
    scene.finish()
    assert scene.browser.numbers() == list(range(min(have, before - 1) + 1, len(scene.steps)))
    assert scene.viewer.is_over(0)
    assert scene.browser.frames == list(range(1, len(scene.browser.frames) + 1))


def following(size: int = 10) -> Play:
    scene = Play(size=size)
    scene.catch_up(1)
    assert scene.viewer.following() == [0]
    return scene


def test_a_step_goes_at_once_while_the_viewer_keeps_up() -> None:
    scene = following()
    for number in range(5):
        scene.produce(1, delivered=True)
        assert scene.browser.numbers()[-1] == number
        scene.ack(0)
    assert scene.viewer.deadline() is None


def test_steps_are_collected_for_a_display_frame_while_acknowledgements_are_out() -> None:
    scene = following()
    for _ in range(2):
        scene.produce(1, delivered=True)
    scene.produce(3, delivered=True)
    scene.produce(3, delivered=True)
    assert len(scene.browser.frames) == 2
    assert scene.viewer.deadline() == pytest.approx(0.016)
    scene.wait()
    assert [len(message["steps"]) for message in scene.browser.messages] == [1, 1, 6]


def test_64_kb_go_before_the_display_frame_is_over() -> None:
    scene = following(size=20_000)
    for _ in range(7):
        scene.produce(1, delivered=True)
    assert [len(message["steps"]) for message in scene.browser.messages] == [1, 1, 4]


def test_a_sleeping_tab_costs_a_bounded_memory_and_is_told_once() -> None:
    scene = following(size=5_000)
    for _ in range(600):
        scene.produce(10, delivered=True)
        scene.now += 0.02
    assert len(scene.browser.frames) == WINDOW
    lane = scene.viewer._lanes[0]
    assert (len(lane.pending), len(lane.held)) == (0, 0)
    notices = [message for message in scene.browser.messages if message["type"] == "behind"]
    assert len(notices) == 1
    assert notices[0]["lane"] == 0
    scene.finish()
    assert scene.browser.numbers() == list(range(len(scene.steps)))


def test_an_event_of_more_than_a_megabyte_comes_in_pieces_under_one_number() -> None:
    scene = following()
    scene.size = 3_000_000
    scene.produce(1, delivered=True)
    scene.size = 10
    scene.produce(1, delivered=True)
    assert scene.browser.frames == [1, 2]
    assert len(scene.browser.steps[0][0]["pad"]) == 3_000_000


@pytest.mark.parametrize("character", ["x", "é", "語", "🦊", '"', "\\"])
def test_no_message_is_larger_than_256_kb_in_any_script(character: str) -> None:
    viewer = Viewer([0], {})
    viewer.level(0, 0)
    browser = Browser()
    texts = [json.dumps({"step": number, "pad": character * 50_000}, ensure_ascii=False) for number in range(9)]
    viewer.take(0, 0, texts, False, 0)
    for text in viewer.ready(1):
        browser.take(text)
    for text in viewer.message({"type": "session", "pad": character * 400_000}):
        browser.take(text)
    assert browser.numbers() == list(range(9))
    assert browser.messages[-1]["pad"] == character * 400_000


def test_no_lane_starves_while_another_fills_the_window() -> None:
    viewer = Viewer([0, 1], {})
    viewer.level(0, 0)
    viewer.level(1, 0)
    browser = Browser()
    numbers = [0, 0]
    now = 0.0
    for _ in range(200):
        now += 0.02
        for lane, count in ((0, 40), (1, 1)):
            viewer.take(lane, numbers[lane], [step(numbers[lane] + index, 3000) for index in range(count)], False, now)
            numbers[lane] += count
        for text in viewer.ready(now):
            browser.take(text)
        if browser.frames:
            viewer.acknowledged(browser.frames[0] if len(browser.frames) < WINDOW else browser.frames[-WINDOW + 1])
    assert len(browser.numbers(1)) > 150


def test_what_is_not_understood_of_acknowledgements_does_no_harm() -> None:
    scene = following()
    scene.produce(1, delivered=True)
    for frame in (0, -5, 99, 1, 1):
        scene.viewer.acknowledged(frame)
    scene.produce(1, delivered=True)
    assert scene.browser.numbers() == [0, 1]
