"""Requests of the three formats ask the same thing."""

from __future__ import annotations

from typing import Any

import pytest

from playground.gateway import tokens
from playground.gateway.asking import Ask, Result, Tool, read
from playground.gateway.refused import Refused
from tests.support.requests import PATHS, answered, body

SCHEMA = {"type": "object", "properties": {"port": {"type": "string"}}}


def conversation(format: str) -> dict[str, Any]:
    """A system text, a question, a call, its result: as each format writes it."""
    if format == "chat":
        call = {"id": "c1", "type": "function", "function": {"name": "tide", "arguments": "{}"}}
        return {
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "When is high water?"}]},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": "at six"},
            ],
            "tools": [{"type": "function", "function": {"name": "tide", "description": "Tides", "parameters": SCHEMA}}],
        }
    if format == "messages":
        call = {"type": "tool_use", "id": "c1", "name": "tide", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "at six"}]}
        return {
            "system": [{"type": "text", "text": "Be brief."}],
            "messages": [
                {"role": "user", "content": "When is high water?"},
                {"role": "assistant", "content": [call]},
                {"role": "user", "content": [result]},
            ],
            "tools": [{"name": "tide", "description": "Tides", "input_schema": SCHEMA}],
        }
    return {
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "When is high water?"}]},
            {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "at six"},
        ],
        "tools": [
            {"type": "function", "name": "tide", "description": "Tides", "parameters": SCHEMA},
            {"type": "web_search"},
        ],
    }


@pytest.mark.parametrize("format", PATHS)
def test_prompt_tools_and_results_are_found_wherever_the_format_puts_them(format: str) -> None:
    ask = read(format, {**body(format), **conversation(format)})
    assert ask.prompt == "When is high water?"
    assert ask.tools == (Tool("tide", "Tides", SCHEMA),)
    assert ask.results == (Result("c1", "tide", "at six"),)
    assert "Be brief." in ask.seen


@pytest.mark.parametrize("format", PATHS)
def test_without_results_at_the_end_there_are_none(format: str) -> None:
    turns = "input" if format == "responses" else "messages"
    request = conversation(format)
    request[turns].append({"role": "user", "content": "And low water?"})
    ask = read(format, {**body(format), **request})
    assert ask.results == ()
    assert ask.prompt == "And low water?"


@pytest.mark.parametrize("format", PATHS)
def test_tool_choice_forbids_names_or_leaves_it_open(format: str) -> None:
    def choosing(choice: Any) -> Ask:
        return read(format, {**body(format), "tools": conversation(format)["tools"], "tool_choice": choice})

    none = {"type": "none"} if format == "messages" else "none"
    named = {
        "chat": {"type": "function", "function": {"name": "tide"}},
        "messages": {"type": "tool", "name": "tide"},
        "responses": {"type": "function", "name": "tide"},
    }[format]
    assert choosing(none).tools == ()
    assert choosing(named).must_call == "tide"
    assert len(choosing("auto").tools) == 1
    unknown = {**named, "name": "wind", "function": {"name": "wind"}}
    with pytest.raises(Refused, match="`wind`"):
        choosing(unknown)


@pytest.mark.parametrize("format", PATHS)
def test_the_digest_depends_on_what_is_asked_and_not_on_how_it_is_sent(format: str) -> None:
    asked = read(format, body(format)).digest
    assert read(format, body(format, stream=False)).digest == asked
    assert read(format, body(format, prompt="Another")).digest != asked


@pytest.mark.parametrize("text", ["", "a b  c\n\nd", "Streams, e\u0301, \u6d41\u308c \U0001f30a\u200d!", "x" * 100])
def test_tokens_are_the_text_in_pieces(text: str) -> None:
    assert "".join(tokens.split(text)) == text
    assert tokens.count(text) == len(tokens.split(text))


def test_a_very_long_text_is_estimated() -> None:
    assert 0.9 < tokens.count("word " * 100_000) / 100_000 < 2.1


@pytest.mark.parametrize("format", PATHS)
def test_token_counts_add_up(format: str) -> None:
    """As many output tokens as fragments; of them those of reasoning; the prompt's as its text has."""
    _, writer, ask = answered(format, "reasoning")
    usage = writer.transcript.lane.fields["usage"]
    text, reasoning = (
        sum(len(tokens.split(part.joined())) for part in writer.transcript if part.kind == kind)
        for kind in ("text", "reasoning")
    )
    assert usage["reasoning"] == reasoning > 0
    assert usage["output"] == text + reasoning
    assert usage["total"] == usage["input"] + usage["output"]
    assert usage["input"] >= tokens.count(ask.prompt)
