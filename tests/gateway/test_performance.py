"""A scenario is one entry: a script, changes of its events, faults on its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from playground.gateway.asking import read
from playground.gateway.faults import Moment, Piece
from playground.gateway.performance import streamed, writer_for
from playground.gateway.scenarios import SCENARIOS, Scenario
from playground.lens.interface import Writer
from tests.support.read_back import said_in
from tests.support.requests import IDENTITY, PATHS, answered, body


def performed(format: str, scenario: Scenario) -> bytes:
    ask = read(format, body(format))
    return b"".join(piece.body for piece in streamed(ask, scenario, writer_for(ask, IDENTITY)))


def without_the_last_moment(moments: Iterator[Moment], writer: Writer) -> Iterator[Moment]:
    held = next(moments)
    for moment in moments:
        yield held
        held = moment


def with_other_line_ends(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    for piece in pieces:
        yield piece._replace(body=piece.body.replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("format", PATHS)
def test_a_change_works_on_events(format: str) -> None:
    plain = SCENARIOS["text"]
    whole = said_in(format, performed(format, plain))
    changed = said_in(format, performed(format, replace(plain, changes=(without_the_last_moment,))))
    assert changed["text"] == whole["text"]
    assert (whole["complete"], changed["complete"]) == (True, False)


@pytest.mark.parametrize("format", PATHS)
def test_a_fault_works_on_bytes(format: str) -> None:
    plain = SCENARIOS["text"]
    raw = performed(format, replace(plain, faults=(with_other_line_ends,)))
    assert raw.endswith(b"\r\n\r\n")
    assert said_in(format, raw) == said_in(format, performed(format, plain))


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("What is a delta?", "**new**"),
        ("Write me a haiku", "the river says *done*"),
        ("How does SSE work, and what do tokens cost?", "replaces"),
        ("Paint the shed", "**3 words**, which a model reads as 3 tokens"),
        ("  ", "You sent no words"),
    ],
)
def test_a_plain_model_answers_what_it_was_asked(format: str, prompt: str, said: str) -> None:
    raw, _, _ = answered(format, prompt=prompt)
    text = said_in(format, raw)["text"]
    assert said in text
    assert " ".join(prompt.split()) in text


@pytest.mark.parametrize("format", PATHS)
def test_the_tool_that_shares_words_with_the_prompt_is_called(format: str) -> None:
    def offered(name: str, description: str) -> dict[str, object]:
        tool = {"name": name, "description": description}
        if format == "chat":
            return {"type": "function", "function": {**tool, "parameters": {}}}
        return {"type": "function", **tool} if format == "responses" else {**tool, "input_schema": {}}

    tools = [
        offered("send_mail", "Sends a letter"),
        offered("getTides", "When the sea is high"),
        offered("stop", "Ends"),
    ]
    for prompt, name in (
        ("When is the next tide?", "getTides"),
        ("Is the sea high?", "getTides"),
        ("Send mail to Ada", "send_mail"),
        ("Nothing of the kind", "send_mail"),
    ):
        raw, _, _ = answered(format, prompt=prompt, tools=tools)
        (call,) = said_in(format, raw)["tool_calls"]
        assert call["name"] == name, prompt


def test_every_text_ends_without_a_line_break_and_says_something() -> None:
    for name, scenario in SCENARIOS.items():
        if not (scenario.refusal or scenario.page) and name not in {"error-only", "flood", "bad-json"}:
            said = said_in("chat", answered("chat", name)[0])
            text = said["text"] or said["refusal"]
            assert len(text) > 60, name
            assert text == text.strip(), name
