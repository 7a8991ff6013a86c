"""Models that are real ones elsewhere: llmock behind the gateway, its formats spoken to in all others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest

from tests.support.daphne import GATEWAY_ALONE, Daphne
from tests.support.http import ask, exchange
from tests.support.ledger import charges, own_key
from tests.support.llmock import llmock
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving
from tests.support.read_back import said_in, said_whole
from tests.support.requests import PATHS, body

SCHEMA = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
TOOLS = {
    "chat": [{"type": "function", "function": {"name": "tide", "parameters": SCHEMA}}],
    "messages": [{"name": "tide", "input_schema": SCHEMA}],
    "responses": [{"type": "function", "name": "tide", "parameters": SCHEMA}],
}
MODELS = ("mock-chat", "mock-messages", "mock-responses")
KEY = "sk-of-the-gateway"


def route(model: str, url: str, format: str, upstream_model: str = "gpt-4o") -> dict[str, Any]:
    return {
        "model": model,
        "url": url,
        "format": format,
        "key_env": "MOCK_KEY",
        "upstream_model": upstream_model,
        "prices": {"input": 1_000_000, "output": 2_000_000},
    }


@pytest.fixture(scope="module")
def routing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daphne]:
    """A gateway with llmock behind it, and something that refuses every call."""
    with llmock("--response-style", "echo") as mock, llmock("--error-rate", "429=1.0") as busy:
        routes = [
            route("mock-chat", mock, "chat"),
            route("mock-messages", f"{mock}/anthropic", "messages", "claude-sonnet-4-5"),
            route("mock-responses", mock, "responses"),
            route("busy:*", busy, "chat"),
            route("nobody", "http://127.0.0.1:1/v1", "chat"),
            {**route("keyless", mock, "chat"), "key_env": "NOT_SET_ANYWHERE"},
        ]
        environment = {"PLAYGROUND_GATEWAY_ROUTES": json.dumps(routes), "MOCK_KEY": KEY}
        server = Daphne(tmp_path_factory.mktemp("routing"), environment, GATEWAY_ALONE)
        yield server
        server.stop()


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize("model", MODELS)
async def test_a_real_upstream_is_spoken_to_in_every_format(
    routing: Daphne, model: str, format: str, stream: bool
) -> None:
    key = own_key()
    request = body(format, model=model, prompt="Ahoy, is anybody there?", stream=stream)
    status, headers, raw = await ask(routing, format, request, headers=key)
    assert status == 200, raw
    said = said_in(format, raw) if stream else said_whole(format, json.loads(raw))
    assert "Ahoy, is anybody there?" in said["text"]
    assert said["complete"] or not stream
    (charge,) = await charges(routing, key)
    assert (charge["id"], charge["model"]) == (headers["x-request-id"], model)
    assert charge["cost_micros"] == charge["input_tokens"] + 2 * charge["output_tokens"] > 0
    assert charge["output_tokens"] == said["usage"]["output"]


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize("model", MODELS)
async def test_a_tool_loop_runs_through_the_conversion(routing: Daphne, model: str, format: str) -> None:
    request = body(format, model=model, prompt="When is high water?", tools=TOOLS[format])
    _, _, raw = await ask(routing, format, request)
    (call,) = said_in(format, raw)["tool_calls"]
    assert call["name"] == "tide"
    assert isinstance(json.loads(call["arguments"])["port"], str)
    if format == "chat":
        function = {"name": "tide", "arguments": call["arguments"]}
        request["messages"] += [
            {"role": "assistant", "tool_calls": [{"id": call["id"], "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": call["id"], "content": "at six"},
        ]
    elif format == "messages":
        use = {"type": "tool_use", "id": call["id"], "name": "tide", "input": json.loads(call["arguments"])}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": "at six"}
        request["messages"] += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    else:
        request["input"] = [
            {"role": "user", "content": request["input"]},
            {"type": "function_call", "call_id": call["id"], "name": "tide", "arguments": call["arguments"]},
            {"type": "function_call_output", "call_id": call["id"], "output": "at six"},
        ]
    status, _, raw = await ask(routing, format, request)
    assert status == 200, raw
    said = said_in(format, raw)
    assert said["tool_calls"] == []
    assert said["text"]


def test_the_official_clients_read_what_was_converted(routing: Daphne) -> None:
    with (
        anthropic.Anthropic(base_url=routing.url, api_key="any", max_retries=0) as client,
        client.messages.stream(
            model="mock-chat", max_tokens=200, messages=[{"role": "user", "content": "Ahoy"}]
        ) as stream,
    ):
        message = stream.get_final_message()
    assert "Ahoy" in message.content[0].text  # type: ignore[union-attr]
    assert message.usage.output_tokens > 0
    with openai.OpenAI(base_url=f"{routing.url}/v1", api_key="any", max_retries=0) as other:
        with other.responses.stream(model="mock-messages", input="Ahoy") as responses:
            assert "Ahoy" in responses.get_final_response().output_text
        ids = [model.id for model in other.models.list()]
    assert set(ids) >= set(MODELS)
    assert "busy:*" not in ids


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("format", PATHS)
async def test_an_error_of_the_upstream_comes_in_the_callers_format(routing: Daphne, format: str, stream: bool) -> None:
    """A routed model's colon is its own."""
    key = own_key()
    status, headers, raw = await ask(routing, format, body(format, model="busy:8b", stream=stream), headers=key)
    assert status == 429
    assert int(headers["retry-after"]) >= 1
    document = json.loads(raw)
    assert document["error"]["type"] == "rate_limit_error"
    assert ("request_id" in document) is (format == "messages")
    (charge,) = await charges(routing, key)
    assert (charge["ended"], charge["cost_micros"]) == ("failed", 0)


@pytest.mark.parametrize(("model", "status"), [("nobody", 502), ("keyless", 500)])
@pytest.mark.parametrize("format", PATHS)
async def test_an_upstream_that_cannot_be_called_is_told_in_a_sentence(
    routing: Daphne, format: str, model: str, status: int
) -> None:
    answered, _, raw = await ask(routing, format, body(format, model=model))
    assert answered == status
    assert json.loads(raw)["error"]["message"].endswith(".")


FIRST = b'data: {"id":"c1","choices":[{"index":0,"delta":{"role":"assistant","content":"Half of"}}]}\n\n'


def alone(tmp_path_factory: pytest.TempPathFactory, url: str) -> Daphne:
    routes = json.dumps([route("raw", url, "chat")])
    environment = {"PLAYGROUND_GATEWAY_ROUTES": routes, "MOCK_KEY": KEY}
    return Daphne(tmp_path_factory.mktemp("raw"), environment, GATEWAY_ALONE)


async def test_what_a_real_upstream_may_do(tmp_path_factory: pytest.TempPathFactory) -> None:
    """It is asked with the gateway's own key; it breaks off; it echoes the key; it sends a page; its events are told as
    they come, and it is read to the end when the client leaves."""
    gate = asyncio.Event()
    seen: list[bytes] = []
    answers: list[bytes] = []

    async def script(peer: Peer) -> None:
        while True:
            seen.append(await peer.request())
            answer = answers.pop(0)
            if answer == b"slow":
                await peer.send(CHUNKED_HEAD + chunk(FIRST))
                await gate.wait()
                usage = b'"usage":{"prompt_tokens":9,"completion_tokens":500}'
                end = b'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],%b}\n\n' % usage
                await peer.send(chunk(end + b"data: [DONE]\n\n") + LAST_CHUNK)
            else:
                await peer.send(answer)
                peer.close()
                return

    async with serving(script) as port:
        server = await asyncio.to_thread(alone, tmp_path_factory, f"http://127.0.0.1:{port}/v1")
        try:
            key = own_key()
            for format in PATHS:
                answers.append(CHUNKED_HEAD + chunk(FIRST))
                status, _, raw = await ask(server, format, body(format, model="raw"), headers=key)
                said = said_in(format, raw)
                assert (status, said["text"]) == (200, "Half of")
                assert len(said["errors"]) == 1
                assert not said["finish"] or said["finish"] in {"error", "failed"}
                assert f"authorization: bearer {KEY}".encode() in seen[-1].lower()
                assert key["authorization"].encode() not in seen[-1]
            sentence = json.dumps({"error": {"message": f"Wrong key {KEY}", "type": "invalid_request_error"}}).encode()
            head = b"HTTP/1.1 %b\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n"
            answers.append(head % (b"401 No", b"application/json", len(sentence)) + sentence)
            status, _, raw = await ask(server, "messages", body("messages", model="raw"))
            assert status == 401
            assert KEY.encode() not in raw
            answers.append(head % (b"200 OK", b"text/html", 4) + b"<p>!")
            status, _, raw = await ask(server, "responses", body("responses", model="raw"))
            assert (status, json.loads(raw)["error"]["code"]) == (502, "upstream_unreachable")

            key = own_key()
            answers.append(b"slow")
            async with exchange(server, PATHS["messages"], body("messages", model="raw"), headers=key) as one:
                async for read in one.chunks():
                    if b"Half of" in read:  # while the upstream still holds the rest back
                        break
            gate.set()
            (charge,) = await charges(server, key)
            assert charge["ended"] in {"left", "ended"}  # whichever the server noticed first
            assert (charge["input_tokens"], charge["output_tokens"], charge["cost_micros"]) == (9, 500, 1009)
        finally:
            server.stop()
