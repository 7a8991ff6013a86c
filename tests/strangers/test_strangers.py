"""Upstreams that nobody here wrote (the packages llmock and llm-mock-api), through the whole stack and back.

What the viewer's steps add up to must be what the same upstream says when it is read directly.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from playground.upstream.calls import call_for
from tests.support.applier import Applier
from tests.support.daphne import Daphne
from tests.support.visitors import start_session, watch_to_the_end

TOOL = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
SECONDS_TO_START = 30


def command(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found, f"{name} is not installed: it comes with the extra `test`"
    return found


@contextlib.contextmanager
def stranger(*arguments: str) -> Iterator[str]:
    """A stranger's server in a process of its own; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    name, *rest = arguments
    process = subprocess.Popen(
        [command(name), *(argument.format(port=port) for argument in rest)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}/", trust_env=False)
                break
        else:
            raise AssertionError(f"{name} did not come up")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="module")
def llmock() -> Iterator[str]:
    with stranger("llmock", "serve", "--port", "{port}", "--log-level", "error") as address:
        yield address


@pytest.fixture(scope="module")
def llm_mock_api() -> Iterator[str]:
    with stranger(
        "llm-mock-api", "start", "-p", "{port}", "-H", "127.0.0.1", "-f", "The ferry leaves at ten."
    ) as address:
        yield address


def body(format: str, *, tools: bool = False) -> dict[str, Any]:
    prompt = "When does the ferry leave from Brest?"
    asked: dict[str, Any] = {"model": "claude-sonnet-4" if format == "messages" else "gpt-4o", "stream": True}
    asked |= {"input": prompt} if format == "responses" else {"messages": [{"role": "user", "content": prompt}]}
    if format == "messages":
        asked["max_tokens"] = 500
    if format == "chat":
        asked["stream_options"] = {"include_usage": True}
    if tools:
        function = {"name": "ferry_times", "description": "When ferries leave"}
        asked["tools"] = {
            "chat": [{"type": "function", "function": {**function, "parameters": TOOL}}],
            "messages": [{**function, "input_schema": TOOL}],
            "responses": [{"type": "function", **function, "parameters": TOOL}],
        }[format]
    return asked


def read_directly(format: str, base_url: str, asked: dict[str, Any]) -> Pipeline:
    call = call_for(format, base_url, json.dumps(asked).encode(), key="sk-anything")
    headers = {**dict(call.headers), "content-type": "application/json"}
    answer = httpx.post(call.url, content=call.body, headers=headers, trust_env=False, timeout=30)
    assert answer.status_code == 200, answer.text
    pipeline = Pipeline(format)
    pipeline.head(Head("POST", call.url, (), b"", status=200, headers=tuple(answer.headers.items())))
    pipeline.feed(Read(1, None, answer.content))
    pipeline.end(End("closed"))
    return pipeline


WAYS = [
    ("llmock", "chat", "/v1"),
    ("llmock", "messages", "/anthropic/v1"),
    ("llmock", "responses", "/v1"),
    ("llmock", "chat", "/groq/openai/v1"),
    ("llmock", "chat", "/mistral/v1"),
    ("llmock", "chat", "/perplexity/v1"),
    ("llm_mock_api", "chat", "/v1"),
    ("llm_mock_api", "messages", "/v1"),
    ("llm_mock_api", "responses", "/v1"),
]


@pytest.mark.parametrize(("who", "format", "base"), WAYS, ids=[f"{who}{base}-{format}" for who, format, base in WAYS])
async def test_a_strangers_stream_comes_through_as_it_is(
    request: pytest.FixtureRequest, daphne: Daphne, who: str, format: str, base: str
) -> None:
    base_url = request.getfixturevalue(who) + base
    direct = read_directly(format, base_url, body(format))
    lane = {"format": format, "target": "custom", "base_url": base_url, "key": "sk-anything", "headers": []}
    session = await start_session(daphne, {**lane, "body": json.dumps(body(format))})
    steps = (await watch_to_the_end(daphne, session))[0]
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert steps[-1]["end"]["word"] == direct.word == "ended"
    told = Applier()
    for step in steps:
        told.apply([tuple(operation) for operation in step.get("operations", ())])
    text = "".join(
        told.parts[number]["fields"].get("text", "") for number in told.order if told.parts[number]["kind"] == "text"
    )
    assert text == direct.said()["text"] != ""
    lane_fields = told.parts[0]["fields"]
    assert lane_fields["finish"] == direct.said()["finish"]
    assert lane_fields["usage"]["output"] == direct.said()["usage"]["output"]
    rows = [row for step in steps for row in step.get("rows", ())]
    assert sum(row[1] == "event" for row in rows) == direct.events


@pytest.mark.parametrize(("who", "format", "base"), WAYS[:3], ids=["chat", "messages", "responses"])
async def test_a_strangers_tool_call_comes_through(
    request: pytest.FixtureRequest, daphne: Daphne, who: str, format: str, base: str
) -> None:
    base_url = request.getfixturevalue(who) + base
    asked = body(format, tools=True)
    direct = read_directly(format, base_url, asked).said()["tool_calls"]
    lane = {"format": format, "target": "custom", "base_url": base_url, "key": "sk-anything", "headers": []}
    session = await start_session(daphne, {**lane, "body": json.dumps(asked)})
    told = Applier()
    for step in (await watch_to_the_end(daphne, session))[0]:
        told.apply([tuple(operation) for operation in step.get("operations", ())])
    calls = [told.parts[number]["fields"] for number in told.order if told.parts[number]["kind"] == "tool_call"]
    assert (
        [(call["name"], call["arguments"]) for call in calls]
        == [(call["name"], call["arguments"]) for call in direct]
        != []
    )


async def test_a_strangers_error_is_shown_with_its_status(llmock: str, daphne: Daphne) -> None:
    lane = {"format": "messages", "target": "custom", "base_url": f"{llmock}/anthropic/v1", "headers": []}
    session = await start_session(daphne, {**lane, "body": json.dumps({"model": "claude-sonnet-4", "stream": True})})
    steps = (await watch_to_the_end(daphne, session))[0]
    assert steps[0]["head"]["status"] >= 400
    assert steps[-1]["end"]["word"] == "failed"
