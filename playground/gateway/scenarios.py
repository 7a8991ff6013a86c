"""The scenarios: what a scripted model says, and what is odd about how it arrives. One entry each.

The page shows `name` as a chip and `look_for` beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playground.gateway import changes, faults, prose, replies, scripts
from playground.gateway.asking import Ask
from playground.gateway.refused import Refused
from playground.gateway.speaker import Beat, Speaker

Script = Callable[[Speaker, Ask], Iterator[Beat]]


@dataclass(frozen=True, slots=True)
class Scenario:
    """`changes` and `faults` are of streams, `on_whole` is what happens to the JSON text of a whole answer.

    `refusal`: an HTTP error (word, message) instead of an answer. `page`: HTML, with status 200, instead of one.
    `max_tokens`: fewer would cut the script short; a page that asks for the scenario raises its limit to it.
    `never_streamed`: one JSON answer, whatever was asked for. `full_speed`: whatever pace was asked for.
    """

    name: str
    look_for: str
    script: Script
    changes: tuple[faults.Change, ...] = ()
    faults: tuple[faults.Fault, ...] = ()
    on_whole: Callable[[bytes], bytes] = bytes
    refusal: tuple[str, str] | None = None
    page: str = ""
    never_streamed: bool = False
    full_speed: bool = False
    max_tokens: int = 0


PLAIN = Scenario("", "", replies.answer)

SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        Scenario("text", "Start, fragments, end: how little an answer needs.", scripts.text),
        Scenario(
            "reasoning", "The model thinks first; where its thoughts stand, and what proves them.", scripts.reasoning
        ),
        Scenario("tools", "Two calls in one answer, their arguments in pieces that are no JSON yet.", scripts.tools),
        Scenario("agent", "One call a turn: answer it, and the loop goes on until nothing is missing.", scripts.agent),
        Scenario("web-search", "A search the server runs itself, then sentences with citations.", scripts.web_search),
        Scenario("refusal", "The model declines: a field, a part, or only a stop reason says so.", scripts.refusal),
        Scenario("length", "The limit ends the answer in mid-sentence; the finish is not a stop.", scripts.length),
        Scenario("long", "Thousands of events: does everything stay quick?", scripts.long, max_tokens=8_192),
        Scenario(
            "unicode",
            "Characters cut between two reads; none may turn into \ufffd.",
            scripts.unicode,
            faults=(faults.halves,),
        ),
        Scenario(
            "slow-start", "Seconds before the first byte, then all is well.", scripts.slow_start, faults=(faults.late,)
        ),
        Scenario("stall", "One long silence in the middle of a sentence.", scripts.stall, faults=(faults.stall,)),
        Scenario(
            "burst", "All events in one read, as a buffering proxy makes them.", scripts.burst, faults=(faults.burst,)
        ),
        Scenario("free-tier", "An extra object that belongs to no vendor's format.", scripts.free_tier),
        Scenario("error-only", "Status 200 and nothing but an error: no text, no usage, no bill.", scripts.error_only),
        Scenario("error-mid", "Status 200, half an answer, then an error inside the stream.", scripts.error_mid),
        Scenario(
            "overloaded",
            "An HTTP error before any stream: the status says it, and the body is JSON.",
            scripts.text,
            refusal=("overloaded", "The model is overloaded at the moment. Try again in a second."),
        ),
        Scenario(
            "cut", "The connection drops inside an event; what was whole stays.", scripts.cut, faults=(faults.cut,)
        ),
        Scenario(
            "no-end",
            "A finish came, the mark of the end did not: is the answer whole?",
            scripts.no_end,
            changes=(changes.no_end,),
        ),
        Scenario(
            "no-finish",
            "The end came, but nobody says why: no finish reason.",
            scripts.no_finish,
            changes=(changes.no_finish,),
        ),
        Scenario(
            "bad-json",
            "One event whose JSON stops half way; those around it are fine.",
            scripts.bad_json,
            changes=(changes.bad_json,),
            on_whole=faults.two_thirds,
        ),
        Scenario("html", "A proxy's error page with status 200: no JSON, no events.", scripts.text, page=prose.PAGE),
        Scenario("whole", "One JSON answer although a stream was asked for.", scripts.whole, never_streamed=True),
        Scenario(
            "crlf",
            "Lines that end with CRLF, sometimes cut in between.",
            scripts.crlf,
            faults=(faults.other_line_ends,),
        ),
        Scenario(
            "keep-alive",
            "Signs of life between the events: comments, pings.",
            scripts.keep_alive,
            faults=(faults.keep_alive,),
        ),
        Scenario(
            "usage-everywhere",
            "Running totals all along: the last one counts, their sum does not.",
            scripts.usage_everywhere,
            changes=(changes.usage_everywhere,),
        ),
        Scenario(
            "odd-tools",
            "Tool calls without an index, their ids repeated: which fragment belongs where?",
            scripts.tools,
            changes=(changes.odd_tools,),
        ),
        Scenario(
            "flood",
            f"{scripts.FLOOD_EVENTS:,} events as fast as they go.",
            scripts.flood,
            full_speed=True,
            max_tokens=scripts.FLOOD_EVENTS + 1_000,
        ),
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
