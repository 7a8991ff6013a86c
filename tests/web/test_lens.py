"""The doors of the Lens: a lane's events as another format with what was lost, and the same as a file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient

from playground.runs.hall import Hall
from tests.lens.test_converted import converted
from tests.support import streams
from tests.support.taken import golden, keep_lanes


async def got(path: str) -> tuple[Any, bytes]:
    answer: Any = await AsyncClient().get(path)
    if not answer.streaming:
        return answer, answer.content
    return answer, b"".join([piece async for piece in answer])


async def session_of(case: str) -> str:
    kept: str = await database_sync_to_async(keep_lanes)(golden(case))
    return kept


async def test_the_file_is_the_wire_of_the_other_format(hall: Hall) -> None:
    session = await session_of("ref-msg-tools-parallel")
    answer, text = await got(f"/sessions/{session}/lanes/0/lens/responses.sse")
    body, _ = converted("messages", streams.body("ref-msg-tools-parallel"), "responses")
    assert text == body
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Content-Disposition"] == f'attachment; filename="{session}-0-as-responses.sse"'


async def test_the_page_gets_events_with_their_rows_and_then_what_was_lost(hall: Hall) -> None:
    session = await session_of("ref-chat-refusal")
    answer, text = await got(f"/sessions/{session}/lanes/0/lens/messages")
    *events, last = map(json.loads, text.splitlines())
    assert answer["Content-Type"] == "application/x-ndjson"
    assert events[0][1] == "message_start"
    assert json.loads(events[0][2])["type"] == "message_start"
    assert all(row >= 1 for row, _, _ in events)
    assert "refusal" in [element for element, _ in last["lost"]]
    assert last["over"] is True


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/sessions/nothing/lanes/0/lens/chat", "no-such-lane"),
        ("/sessions/nothing/lanes/0/lens/smoke.sse", "no-such-format"),
    ],
)
async def test_what_is_not_there_is_refused_with_a_sentence(hall: Hall, path: str, code: str) -> None:
    answer, text = await got(path)
    assert answer.status_code == 404
    assert json.loads(text)["code"] == code
