"""What the official Python clients make of a faulty stream, and what this project shows. For docs/judges.md.

A client is used by its stream helper, up to the final answer that it hands out.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import anthropic
import openai

from playground.pipeline import Pipeline
from playground.reads import End, Head, How, Read
from tests.support.daphne import Daphne
from tests.support.http import exchange
from tests.support.requests import FULL_SPEED, PATHS, answered, body

CLIENTS = {"chat": "openai, chat", "messages": "anthropic", "responses": "openai, responses"}


@dataclass
class Judgement:
    """What a client got: the text that it passed on while it read, its final answer, what it raised."""

    text: str = ""
    finish: str | None = None
    calls: list[tuple[str, Any]] = field(default_factory=list)
    final: bool = False
    raised: str = ""


def judge(daphne: Daphne, format: str, scenario: str) -> Judgement:
    """Let the format's official client read the scenario."""
    request = body(format, scenario)
    del request["stream"]
    got = Judgement()
    reading = {"chat": _chat, "messages": _messages, "responses": _responses}[format](daphne, request, got)
    try:
        for text in reading:
            got.text += text
        got.final = True
    except Exception as error:
        got.raised = type(error).__name__
    return got


def _openai(daphne: Daphne) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{daphne.url}/v1", api_key="any", default_headers=FULL_SPEED, max_retries=0)


def _chat(daphne: Daphne, request: dict[str, Any], got: Judgement) -> Iterator[str]:
    with _openai(daphne) as client, client.chat.completions.stream(**request) as stream:
        for event in stream:
            if event.type == "content.delta":
                yield event.delta
        choice = stream.get_final_completion().choices[0]
    got.finish = choice.finish_reason
    got.calls = [(call.function.name, _value(call.function.arguments)) for call in choice.message.tool_calls or ()]


def _messages(daphne: Daphne, request: dict[str, Any], got: Judgement) -> Iterator[str]:
    client = anthropic.Anthropic(base_url=daphne.url, api_key="any", default_headers=FULL_SPEED, max_retries=0)
    with client, client.messages.stream(**request) as stream:
        yield from stream.text_stream
        message = stream.get_final_message()
    got.finish = message.stop_reason
    got.calls = [(block.name, block.input) for block in message.content if block.type == "tool_use"]


def _responses(daphne: Daphne, request: dict[str, Any], got: Judgement) -> Iterator[str]:
    with _openai(daphne) as client, client.responses.stream(**request) as stream:
        for event in stream:
            if event.type == "response.output_text.delta":
                yield event.delta
        response = stream.get_final_response()
    got.finish = response.status
    calls = [item for item in response.output if item.type == "function_call"]
    got.calls = [(call.name, _value(call.arguments)) for call in calls]


def _value(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


async def shown(daphne: Daphne, format: str, scenario: str) -> dict[str, Any]:
    """What the corridor shows of the same answer; `word` is the lane's."""
    pipeline = Pipeline(format)
    how: How = "closed"
    async with exchange(daphne, PATHS[format], body(format, scenario)) as one:
        headers = tuple(one.headers.items())
        pipeline.head(Head("POST", daphne.url, (), b"", status=one.status, headers=headers))
        number = 0
        try:
            async for chunk in one.chunks():
                number += 1
                pipeline.feed(Read(number, number, chunk))
        except asyncio.IncompleteReadError:
            how = "reset"
    pipeline.end(End(how))
    return {**pipeline.said(), "word": pipeline.word, "body": pipeline.body_kind}


def meant(format: str, scenario: str) -> tuple[str, list[tuple[str, Any]]]:
    """The text and the calls of the script."""
    _, writer, _ = answered(format, scenario)
    parts = list(writer.transcript)
    text = "".join(part.joined() for part in parts if part.kind == "text")
    calls = [part for part in parts if part.kind == "tool_call"]
    return text, [(str(call.fields["name"]), _value(call.joined("arguments"))) for call in calls]
