"""The pace header: its defaults, its jitter, and what it does to a real answer."""

from __future__ import annotations

import time

import pytest

from playground.gateway import pace
from playground.gateway.refused import Refused
from tests.support.daphne import Daphne
from tests.support.http import exchange
from tests.support.requests import PATHS, body


def gaps(header: str, count: int = 2_000) -> list[float]:
    speed = pace.read(header)
    return [speed.gap(1) for _ in range(count)]


def test_without_a_header_a_model_says_sixty_tokens_a_second_after_a_fifth_of_a_second() -> None:
    first, *others = gaps("")
    assert first == 0.2
    assert 0.95 / 60 < sum(others) / len(others) < 1.05 / 60


def test_gaps_are_uneven_like_those_of_a_real_model() -> None:
    _, *others = gaps("tps=60")
    assert min(others) < 0.3 / 60
    assert max(others) > 2.5 / 60


def test_the_same_seed_gives_the_same_gaps_and_another_gives_others() -> None:
    assert gaps("seed=7") == gaps("seed=7") != gaps("seed=8")


def test_tps_0_is_full_speed_after_the_first_token() -> None:
    first, *others = gaps("tps=0, first=30ms")
    assert first == 0.03
    assert set(others) == {0.0}


@pytest.mark.parametrize(
    ("header", "tps", "first"),
    [
        (" tps=5 ,first=2s,, ", 5, 2.0),
        ("first=1.5s", 60, 1.5),
        ("tps=0.5", 0.5, 0.2),
        ("first=0", 60, 0.0),
        ("seed=0", 60, 0.2),
    ],
)
def test_spaces_units_and_fractions_are_understood(header: str, tps: float, first: float) -> None:
    speed = pace.read(header)
    assert (speed.tps, speed.first) == (tps, first)


@pytest.mark.parametrize(
    "header",
    ["first=200", "first=-1s", "first=1 s", "first=601s", "tps=1e9", "tps=0.001", "tps=", "seed=1.5", "=", "x"],
)
def test_anything_else_is_refused_with_what_would_be_right(header: str) -> None:
    with pytest.raises(Refused, match="tps=60, first=200ms, seed=1") as refused:
        pace.read(header)
    assert refused.value.param == pace.HEADER


@pytest.mark.parametrize("format", PATHS)
async def test_an_answer_takes_the_time_that_its_pace_says(daphne: Daphne, format: str) -> None:
    """Some 45 tokens at 100 a second, after 0.3 seconds."""
    began = time.monotonic()
    headers = {"X-Gateway-Pace": "tps=100, first=300ms"}
    async with exchange(daphne, PATHS[format], body(format, "error-mid"), headers=headers) as one:
        at_head = time.monotonic()
        chunks = [chunk async for chunk in one.chunks()]
        took = time.monotonic() - at_head
    assert at_head - began < 0.3 + took
    assert took > 0.6
    assert len(chunks) > 25


async def test_a_whole_answer_comes_when_its_last_token_is_there(daphne: Daphne) -> None:
    headers = {"X-Gateway-Pace": "tps=0, first=400ms"}
    began = time.monotonic()
    async with exchange(daphne, PATHS["chat"], body("chat", "text", stream=False), headers=headers) as one:
        await one.body()
    assert time.monotonic() - began > 0.4


async def test_at_full_speed_events_share_their_writes(daphne: Daphne) -> None:
    async with exchange(daphne, PATHS["chat"], body("chat", "flood")) as one:
        chunks = [chunk async for chunk in one.chunks()]
    assert sum(chunk.count(b"data: ") for chunk in chunks) > 100_000
    assert len(chunks) < 2_000
    assert max(map(len, chunks)) < 64 * 1024


async def test_a_flood_takes_no_notice_of_the_pace(daphne: Daphne) -> None:
    """At one token a second it would take a day."""
    async with exchange(daphne, PATHS["chat"], body("chat", "flood"), headers={"X-Gateway-Pace": "tps=1"}) as one:
        assert (await one.body()).endswith(b"data: [DONE]\n\n")
