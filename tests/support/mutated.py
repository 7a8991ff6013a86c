"""Events of the golden streams, with arbitrary fields taken out, exchanged or repeated. For hypothesis."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from playground.formats.interface import parse
from playground.sse.parser import Parser
from playground.sse.rows import NOT_JSON
from tests.support import streams

HALF = "\ud83e"
ODD_JSON = """
    null true false 0 1 -1 1.0 0.5 1e300 1000000000000000000000 "" "null" "0" "a" "{}" [] {} [[]] [{}] [null] ["a"]
    "\\ud83e" "\\udca9" {"type":null} {"type":"text","text":5} {"type":[]} [{"type":"output_text","text":"q"}]
    "output_text" "refusal" "reasoning" "message" "function_call" "tool_use" "thinking" "superseded"
"""
ODD = st.sampled_from([json.loads(text) for text in ODD_JSON.split()])


def events(format: str) -> list[tuple[str, Any]]:
    """(name, JSON value) of every event in the golden streams of a format, none twice."""
    seen: dict[str, tuple[str, Any]] = {}
    for case in streams.CASES:
        if streams.expected(case)["format"] != format or not streams.is_stream(case):
            continue
        parser = Parser()
        for row in [*parser.feed(streams.body(case), 1, None), *parser.end()]:
            value = parse(row.data) if row.kind == "event" and len(row.data) < 20_000 else NOT_JSON
            if value is not NOT_JSON:
                seen[row.name + row.data] = (row.name, value)
    return list(seen.values())


def _mutated(draw: st.DrawFn, value: Any, rarely: int) -> Any:
    """The value with some of its fields or elements deleted, exchanged, doubled; most of it stays."""
    fate = draw(st.integers(0, rarely))
    if fate == 0:
        return draw(ODD)
    if isinstance(value, dict):
        kept = {name: _mutated(draw, field, rarely) for name, field in value.items() if draw(st.integers(0, rarely))}
        return kept | {draw(st.text(max_size=3)): draw(ODD)} if fate == 1 else kept
    if isinstance(value, list):
        changed = [_mutated(draw, element, rarely) for element in value]
        return changed * 2 if fate == 1 else changed[1:] if fate == 2 else changed
    return value


@st.composite
def mutated(draw: st.DrawFn, pool: list[tuple[str, Any]]) -> tuple[str, str]:
    """(name, data) of one event."""
    name, value = draw(st.sampled_from(pool))
    if draw(st.booleans()):
        value = _mutated(draw, value, 12)
    if not draw(st.integers(0, 20)):
        name = draw(st.sampled_from(["", "error", "message_start", "response.completed", HALF, "content_block_delta"]))
    return name, json.dumps(value)


def mutated_streams(format: str) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Events of a format in any order, in any number up to 30."""
    return st.lists(mutated(events(format)), max_size=30)
