"""The scenarios: what a scripted model says, and what is odd about how it arrives. One entry each.

The page shows `name` as a chip and `look_for` beside it. A script says its lines through a Speaker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playground.gateway import faults, prose, replies
from playground.gateway.asking import Ask
from playground.gateway.refused import Refused
from playground.gateway.speaker import Beat, Speaker

Script = Callable[[Speaker, Ask], Iterator[Beat]]

FLOOD_EVENTS = 100_000
_FLOOD_BATCH = 64
_LONG_TOKENS = 3_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """`refusal`: an HTTP error (word, message) instead of an answer. `full_speed`: whatever pace was asked for."""

    name: str
    look_for: str
    script: Script
    changes: tuple[faults.Change, ...] = ()
    faults: tuple[faults.Fault, ...] = ()
    refusal: tuple[str, str] | None = None
    full_speed: bool = False


def _text(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.HOW_A_STREAM_READS)


def _reasoning(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.reason(prose.reasoning(ask.prompt))
    yield from say.text(prose.AFTER_REASONING)


def _tools(say: Speaker, ask: Ask) -> Iterator[Beat]:
    if ask.results:
        yield from replies.after_results(say, ask)
        return
    yield from say.text("Two questions that do not wait for each other, so I ask both at once.")
    for call in replies.two_calls(ask):
        yield from say.call(call.name, call.arguments)


def _web_search(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.search(prose.SEARCH_QUERY, [dict(source) for source in prose.SOURCES])
    yield from say.text(prose.SEARCHED)
    for number, cited in prose.CITED:
        start = prose.SEARCHED.index(cited)
        yield from say.cite(prose.SOURCES[number], start, start + len(cited), cited)


def _unicode(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.MANY_SCRIPTS)


def _long(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.long(_LONG_TOKENS))


def _flood(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.texts(prose.flood(FLOOD_EVENTS, _FLOOD_BATCH))


def _error_mid(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.BEFORE_ERROR)
    yield from say.fail("server_error", "provider_unavailable", "The model's server hung up in mid-sentence.")


def _error_only(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.fail(
        "overloaded_error", "overloaded", "The model took no new work after the answer's status was sent."
    )


def _cut(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.UNTIL_CUT)


def _keep_alive(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.KEPT_ALIVE)


def _free_tier(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.extra("free_tier", {"plan": "free", "limit": 50, "remaining": 37})
    yield from say.text(prose.ON_THE_HOUSE)


PLAIN = Scenario("", "", replies.answer)

SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        Scenario("text", "Start, fragments, end: how little an answer needs.", _text),
        Scenario("reasoning", "The model thinks first; where its thoughts stand, and what proves them.", _reasoning),
        Scenario("tools", "Two calls in one answer, their arguments in pieces that are no JSON yet.", _tools),
        Scenario("web-search", "A search the server runs itself, then sentences with citations.", _web_search),
        Scenario(
            "unicode", "Characters cut between two reads; none may turn into \ufffd.", _unicode, faults=(faults.halves,)
        ),
        Scenario("long", "Thousands of events: does everything stay quick?", _long),
        Scenario("error-mid", "Status 200, half an answer, then an error inside the stream.", _error_mid),
        Scenario("error-only", "Status 200 and nothing but an error: no text, no usage, no bill.", _error_only),
        Scenario(
            "overloaded",
            "An HTTP error before any stream: the status says it, and the body is JSON.",
            _text,
            refusal=("overloaded", "The model is overloaded at the moment. Try again in a second."),
        ),
        Scenario("cut", "The connection drops inside an event; what was whole stays.", _cut, faults=(faults.cut,)),
        Scenario(
            "keep-alive", "Signs of life between the events: comments, pings.", _keep_alive, faults=(faults.keep_alive,)
        ),
        Scenario("free-tier", "An extra object that belongs to no vendor's format.", _free_tier),
        Scenario("flood", f"{FLOOD_EVENTS:,} events as fast as they go.", _flood, full_speed=True),
    )
}


def scenario_of(ask: Ask) -> Scenario:
    """What the model's name asks for; without a scenario the model answers the prompt."""
    if not ask.scenario:
        return PLAIN
    if ask.scenario not in SCENARIOS:
        there = ", ".join(SCENARIOS)
        raise Refused("model", f"{ask.model.name} has no scenario `{ask.scenario}`. There are: {there}.", "model")
    return SCENARIOS[ask.scenario]
