"""Ordinary events skip the rules; going through all of them must find the same."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.lint.halves import ESCAPE
from playground.pipeline import Pipeline
from playground.reads import End, Read
from tests.support import streams
from tests.support.linted import HEAD
from tests.support.mutated import ODD, events, mutated

LONG = 20_000
FORMATS = ["chat", "messages", "responses"]


def everything(body, format, *, ordinary):
    """All that is found, the whole of it. `ordinary`: with the short way for ordinary events, or without."""
    pipeline = Pipeline(format)
    judge = pipeline._lint.judge
    if not ordinary:

        def event(row, updates):
            if ESCAPE.search(row.data):
                judge._halves.look(row, updates)
            judge.rules(row, updates)

        judge.event = event
    pipeline.head(HEAD)
    pipeline.feed(Read(1, None, body))
    pipeline.end(End("closed"))
    return [(one.rule.id, one.count, list(one.rows), one.examples) for one in pipeline.findings]


def wire(chosen):
    lines = [f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n" for name, data in chosen]
    return "".join(lines).encode("utf-8", "replace")


@pytest.mark.parametrize("case", streams.CASES)
def test_ordinary_events_of_golden_streams_break_no_rule(case):
    body, format = streams.body(case), streams.expected(case)["format"]
    assert everything(body, format, ordinary=True) == everything(body, format, ordinary=False)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_ordinary_events_of_mutated_streams_break_no_rule(format, data):
    pool = events(format)
    chosen = data.draw(st.lists(st.tuples(mutated(pool), st.integers(1, 3)), max_size=25))
    body = wire([event for event, times in chosen for _ in range(times)])
    assert everything(body, format, ordinary=True) == everything(body, format, ordinary=False)


def sequences(format):
    """The golden streams of a format that have events and are not long."""
    for case in streams.CASES:
        if (
            streams.expected(case)["format"] == format
            and streams.is_stream(case)
            and 0 < len(streams.body(case)) < LONG
        ):
            yield case


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_ordinary_events_of_streams_with_one_odd_field_break_no_rule(format, data):
    """A golden stream whose events come up to three times, one of them with a field exchanged or taken out."""
    case = data.draw(st.sampled_from(list(sequences(format))))
    blocks = [block for block in streams.body(case).decode("utf-8", "replace").split("\n\n") if block]
    blocks = [block for block in blocks for _ in range(data.draw(st.integers(1, 3)))]
    at = data.draw(st.integers(0, len(blocks) - 1))
    head, found, text = blocks[at].partition("data: ")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if found and isinstance(value, dict):
        blocks[at] = f"{head}data: {json.dumps(_odd(data.draw, value))}"
    body = "".join(f"{block}\n\n" for block in blocks).encode("utf-8", "replace")
    assert everything(body, format, ordinary=True) == everything(body, format, ordinary=False)


def _odd(draw, value):
    """The object with one of its fields, however deep, exchanged or taken out."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        name = draw(st.sampled_from(list(value)))
        if not draw(st.integers(0, 4)):
            return {key: field for key, field in value.items() if key != name}
        return {**value, name: _odd(draw, value[name])}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        return [_odd(draw, value[0]), *value[1:]]
    return draw(ODD)
