"""Whatever is wrong with a request is told in the vendor's shape, never as HTML and never as a stack trace."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.gateway.asking import read
from playground.gateway.performance import streamed, writer_for
from playground.gateway.refused import Refused
from playground.gateway.scenarios import scenario_of
from tests.support.daphne import Daphne
from tests.support.http import ask, exchange
from tests.support.requests import IDENTITY, PATHS, body

LIMIT = {"chat": "max_tokens", "messages": "max_tokens", "responses": "max_output_tokens"}
TURNS = {"chat": "messages", "messages": "messages", "responses": "input"}


def refusal(format: str, headers: dict[str, str], raw: bytes) -> dict[str, Any]:
    """The error of an answer, its shape checked."""
    assert headers["content-type"] == "application/json"
    assert headers["x-request-id"].startswith("req_")
    document = json.loads(raw)
    if format == "messages":
        assert set(document) == {"type", "error", "request_id"}
        assert document["type"] == "error"
        assert document["request_id"] == headers["x-request-id"] == headers["request-id"]
        assert set(document["error"]) == {"type", "message"}
    else:
        assert set(document) == {"error"}
        assert set(document["error"]) == {"message", "type", "param", "code"}
    assert document["error"]["message"]
    return document["error"]


async def refused(daphne: Daphne, format: str, request: Any, status: int, **options: Any) -> dict[str, Any]:
    answered, headers, raw = await ask(daphne, format, request, **options)
    assert answered == status, raw[:300]
    return refusal(format, headers, raw)


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"null", b'"text"', b"\xff\xfe", b'{"model": NaN}', b"[" * 200_000, b"data: {}\n\n"]
)
async def test_a_body_that_is_no_json_object(daphne: Daphne, format: str, raw: bytes) -> None:
    error = await refused(daphne, format, raw, 400)
    assert error["type"] == "invalid_request_error"
    assert "JSON" in error["message"]


@pytest.mark.parametrize("format", PATHS)
async def test_a_missing_field_is_named(daphne: Daphne, format: str) -> None:
    for field in ("model", TURNS[format]):
        request = body(format)
        del request[field]
        error = await refused(daphne, format, request, 400)
        assert field in error["message"]
        if format != "messages":
            assert error["param"] == field
            assert error["code"] == "missing_required_parameter"


async def test_messages_need_max_tokens(daphne: Daphne) -> None:
    error = await refused(daphne, "messages", body("messages", max_tokens=None), 400)
    assert error["message"] == "max_tokens: Field required"


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model", 7),
        ("model", ""),
        ("stream", "yes"),
        ("stream_options", []),
        ("tools", {}),
        ("tools", [3]),
        ("TURNS", 5),
        ("TURNS", ["hello"]),
        ("TURNS", {"role": "user"}),
        ("LIMIT", "many"),
        ("LIMIT", True),
        ("LIMIT", 1.5),
        ("LIMIT", 0),
        ("LIMIT", -3),
    ],
)
async def test_a_field_of_the_wrong_type_is_named(daphne: Daphne, format: str, field: str, value: Any) -> None:
    field = {"TURNS": TURNS, "LIMIT": LIMIT}.get(field, {}).get(format, field)
    error = await refused(daphne, format, {**body(format), field: value}, 400)
    assert field in error["message"] or error["param"].startswith(field)


async def test_what_goes_on_from_an_earlier_answer_is_refused(daphne: Daphne) -> None:
    """The tool runner of the anthropic client reads the details and sends the whole conversation instead."""
    _, _, raw = await ask(daphne, "messages", body("messages", thread={"type": "create"}))
    assert json.loads(raw)["error"]["details"]["error_code"] == "thread_unsupported_request"
    for field, value in (("previous_response_id", "resp_1"), ("conversation", "conv_1")):
        error = await refused(daphne, "responses", body("responses", **{field: value}), 400)
        assert error["param"] == field


@pytest.mark.parametrize("format", ["chat", "messages"])
async def test_a_conversation_needs_turns_with_roles(daphne: Daphne, format: str) -> None:
    await refused(daphne, format, body(format, messages=[]), 400)
    await refused(daphne, format, body(format, messages=[{"content": "Hi"}]), 400)


@pytest.mark.parametrize("format", PATHS)
async def test_an_unknown_model_or_scenario_is_answered_with_those_there_are(daphne: Daphne, format: str) -> None:
    error = await refused(daphne, format, body(format, model="gpt-9"), 404)
    assert "claude-sonnet-5" in error["message"]
    error = await refused(daphne, format, body(format, "nonsense"), 404)
    assert "error-mid" in error["message"]
    assert error["type"] == ("not_found_error" if format == "messages" else "invalid_request_error")


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_only_post_is_taken(daphne: Daphne, format: str, method: str) -> None:
    async with exchange(daphne, PATHS[format], method=method) as one:
        assert one.status == 405
        assert one.headers["allow"] == "POST"
        assert "access-control-allow-origin" not in one.headers
        refusal(format, one.headers, await one.body())


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_a_page_of_another_origin_cannot_ask(daphne: Daphne, format: str, kind: str) -> None:
    """What a page may send without asking first is never JSON by its content type."""
    headers = {"content-type": kind, "origin": "https://elsewhere.example"}
    error = await refused(daphne, format, body(format), 415, headers=headers)
    assert "application/json" in error["message"]


async def test_a_charset_beside_the_content_type_is_fine(daphne: Daphne) -> None:
    status, _, _ = await ask(daphne, "chat", body("chat"), headers={"content-type": "application/json; charset=utf-8"})
    assert status == 200


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/chat", "/v1/messages/batches", "/v1/models/gpt-9/x"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_an_unknown_address_is_told_in_json(daphne: Daphne, path: str, method: str) -> None:
    async with exchange(daphne, path, method=method) as one:
        assert one.status == 404
        assert refusal("chat", one.headers, await one.body())["code"] == "unknown_url"


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize(
    "header", ["fast", "tps=-1", "tps=nan", "tps=inf", "first=200", "first=1h", "seed=x", "tps=1, tps=2", "speed=3"]
)
async def test_a_pace_that_makes_no_sense_is_refused(daphne: Daphne, format: str, header: str) -> None:
    error = await refused(daphne, format, body(format), 400, headers={"X-Gateway-Pace": header})
    assert "tps=60, first=200ms, seed=1" in error["message"]


@pytest.mark.parametrize("format", PATHS)
async def test_an_overloaded_model_is_an_http_error_with_a_time_to_come_back(daphne: Daphne, format: str) -> None:
    for stream in (True, False):
        request = body(format, "overloaded", stream=stream)
        status, headers, raw = await ask(daphne, format, request)
        assert status == (529 if format == "messages" else 503)
        assert headers["retry-after"] == "1"
        assert "overloaded" in json.dumps(refusal(format, headers, raw))


@pytest.mark.parametrize("format", PATHS)
@pytest.mark.parametrize("scenario", ["error-mid", "error-only"])
async def test_a_whole_answer_that_fails_is_an_http_error(daphne: Daphne, format: str, scenario: str) -> None:
    overloaded = 529 if format == "messages" else 503
    error = await refused(
        daphne, format, body(format, scenario, stream=False), overloaded if scenario == "error-only" else 500
    )
    assert "model" in error["message"]


@pytest.mark.parametrize("format", PATHS)
async def test_ten_megabytes_of_prompt_are_answered(daphne: Daphne, format: str) -> None:
    status, _, raw = await ask(daphne, format, body(format, prompt="word " * 2_000_000))
    assert status == 200
    assert len(raw) < 200_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["role", "content", "type", "text", "tool_calls", "function", "name", "id", "call_id", "output", "tool_use_id"]
)
ODD = st.recursive(JSON, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6))
FIELDS = st.sampled_from(
    ["messages", "input", "tools", "tool_choice", "system", "instructions", "stream_options", "max_tokens", "include"]
)


@pytest.mark.parametrize("format", PATHS)
@settings(max_examples=40, deadline=None)
@given(changes=st.dictionaries(FIELDS, ODD, max_size=4), turn=st.dictionaries(KEYS, ODD, max_size=6))
def test_odd_bodies_are_answered_or_refused(format: str, changes: dict[str, Any], turn: dict[str, Any]) -> None:
    request = {**body(format), TURNS[format]: [turn], **changes}
    try:
        asked = read(format, request)
    except Refused:
        return
    writer = writer_for(asked, IDENTITY)
    assert b"".join(piece.body for piece in streamed(asked, scenario_of(asked), writer))
    assert writer.whole()
