"""The scripts: what a scripted model says in each scenario, line by line through a Speaker. Named by scenarios.py."""

from __future__ import annotations

from collections.abc import Iterator

from playground.gateway import prose, replies
from playground.gateway.asking import Ask
from playground.gateway.speaker import Beat, Speaker

FLOOD_EVENTS = 100_000
_FLOOD_BATCH = 64
_LONG_TOKENS = 3_000


def text(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.HOW_A_STREAM_READS)


def reasoning(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.reason(prose.reasoning(ask.prompt))
    yield from say.text(prose.AFTER_REASONING)


def tools(say: Speaker, ask: Ask) -> Iterator[Beat]:
    if ask.results:
        yield from replies.after_results(say, ask)
        return
    yield from say.text("Two questions that do not wait for each other, so I ask both at once.")
    for call in replies.two_calls(ask):
        yield from say.call(call.name, call.arguments)


def web_search(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.search(prose.SEARCH_QUERY, [dict(source) for source in prose.SOURCES])
    yield from say.text(prose.SEARCHED)
    for number, cited in prose.CITED:
        start = prose.SEARCHED.index(cited)
        yield from say.cite(prose.SOURCES[number], start, start + len(cited), cited)


def unicode(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.MANY_SCRIPTS)


def long(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.long(_LONG_TOKENS))


def flood(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.texts(prose.flood(FLOOD_EVENTS, _FLOOD_BATCH))


def error_mid(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.BEFORE_ERROR)
    yield from say.fail("server_error", "provider_unavailable", "The model's server hung up in mid-sentence.")


def error_only(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.fail(
        "overloaded_error", "overloaded", "The model took no new work after the answer's status was sent."
    )


def cut(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.UNTIL_CUT)


def keep_alive(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.KEPT_ALIVE)


def free_tier(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.extra("free_tier", {"plan": "free", "limit": 50, "remaining": 37})
    yield from say.text(prose.ON_THE_HOUSE)


def agent(say: Speaker, ask: Ask) -> Iterator[Beat]:
    """One call a turn, each with a word on why; when all have their results, the answer."""
    plan = replies.plan(ask)
    done = len(ask.called)
    if done >= len(plan):
        yield from replies.after_results(say, ask)
        return
    yield from say.text(prose.AGENT_STEPS[min(done, len(prose.AGENT_STEPS) - 1)])
    yield from say.call(plan[done].name, plan[done].arguments)


def refusal(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.refuse(prose.REFUSED)


def length(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.TOO_LONG)
    say.finish = "length"


def slow_start(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.SLOW_START)


def stall(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.STALLED)


def burst(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.BURST)


def no_end(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.NO_END)


def no_finish(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.NO_FINISH)


def bad_json(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.BAD_JSON)


def whole(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.WHOLE)


def crlf(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.OTHER_LINE_ENDS)


def usage_everywhere(say: Speaker, ask: Ask) -> Iterator[Beat]:
    yield from say.text(prose.COUNTED_ALONG)
