"""Who may watch, and what a socket answers to what it does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import LazySettings

from playground.asgi import application
from playground.runs.hall import Hall
from playground.web.consumers import have_of, same_origin
from tests.support.lanes import begin
from tests.support.sessions import ORIGIN, watching


async def close_code(path: str, headers: list[tuple[bytes, bytes]]) -> int | None:
    """How the server closes a socket that it accepted; None when it refused to open one."""
    communicator = WebsocketCommunicator(application, path, headers=headers)
    connected, _ = await communicator.connect(timeout=10)
    if not connected:
        return None
    message = await communicator.receive_output(timeout=10)
    await communicator.disconnect()
    return int(message["code"]) if message["type"] == "websocket.close" else 0


async def test_an_unknown_session_is_closed_with_4404(hall: Hall) -> None:
    assert await close_code("/ws/sessions/nothing-here/", ORIGIN) == 4404


async def test_another_origin_is_closed_with_4403(hall: Hall) -> None:
    begun = await database_sync_to_async(begin)()
    path = f"/ws/sessions/{begun.session}/"
    host = (b"host", b"127.0.0.1:8000")
    assert await close_code(path, [host, (b"origin", b"http://evil.example")]) == 4403
    assert await close_code(path, [host, (b"origin", b"http://127.0.0.1:8000")]) == 0


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("127.0.0.1:8000", None, True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("localhost", "http://localhost", True),
        ("localhost", "http://localhost:80", True),
        ("localhost", "https://localhost", True),
        ("localhost:443", "https://localhost", True),
        ("LOCALHOST:8000", "http://localhost:8000", True),
        ("127.0.0.1:8000", "http://127.0.0.1:8001", False),
        ("127.0.0.1:8000", "http://localhost:8000", False),
        ("127.0.0.1:8000", "null", False),
        ("127.0.0.1:8000", "file://", False),
        ("127.0.0.1:8000", "", False),
        ("evil.example:8000", "http://evil.example:8000", False),
        ("evil.example:8000", None, False),
        ("", None, False),
    ],
)
def test_the_origin_is_the_page_s_own_host_and_port(host: str, origin: str | None, allowed: bool) -> None:
    headers = [(b"host", host.encode())] + ([] if origin is None else [(b"origin", origin.encode())])
    assert same_origin(headers) is allowed


@pytest.mark.parametrize(
    ("query", "have"),
    [
        (b"", {}),
        (b"have=0:5,1:0", {0: 5, 1: 0}),
        (b"have=0:-1,x:2,3:y,4", {}),
        (b"have=1:99999999999999999999", {}),
        (b"have=\xff\xfe", {}),
        ("have=٣:٣".encode(), {}),
    ],
)
def test_what_a_browser_says_it_has_is_read_with_care(query: bytes, have: dict[int, int]) -> None:
    assert have_of(query) == have


@pytest.mark.parametrize(
    "message",
    [
        "{",
        "[]",
        '"x"',
        "{}",
        '{"type":"steps"}',
        '{"type":"ack"}',
        '{"type":"ack","frame":"1"}',
        "\ud800".encode("utf-8", "replace").decode(),
    ],
)
async def test_a_message_that_is_not_known_is_answered_and_harms_nothing(hall: Hall, message: str) -> None:
    begun = await database_sync_to_async(begin)()
    async with watching(begun.session) as socket:
        await socket.read()
        await socket.communicator.send_to(text_data=message)
        answer = await socket.read()
        assert (answer["type"], answer["code"]) == ("error", "unknown-message")
        await socket.send({"type": "ack", "frame": 10**30})
        for odd in ({"type": "stop", "lane": "all"}, {"type": "stop", "lane": True}):
            await socket.send(odd)
            assert (await socket.read())["type"] == "error"
        await socket.communicator.send_to(bytes_data=b"\0")
        assert (await socket.read())["type"] == "error"


async def test_the_access_token_is_needed_by_sockets_too(hall: Hall, settings: LazySettings) -> None:
    settings.ACCESS_TOKEN = "let-me-in-12345"
    begun = await database_sync_to_async(begin)()
    path = f"/ws/sessions/{begun.session}/"
    shown: list[Any] = [
        (path, [(b"cookie", b"playground-access=let-me-in-12345")]),
        (path, [(b"authorization", b"Bearer let-me-in-12345")]),
        (f"{path}?token=let-me-in-12345", []),
    ]
    for address, headers in shown:
        assert await close_code(address, [*ORIGIN, *headers]) == 0
    assert await close_code(path, ORIGIN) is None
    assert await close_code(f"{path}?token=let-me-out", ORIGIN) is None


async def test_the_first_message_names_the_lanes(hall: Hall) -> None:
    begun = await database_sync_to_async(begin)(lanes=2)
    async with watching(begun.session) as socket:
        first = await socket.read()
        assert [lane["lane"] for lane in first["lanes"]] == [0, 1]
        assert first["lanes"][0] == {
            "lane": 0,
            "format": "chat",
            "target": "gateway",
            "model": "a-model",
            "method": "POST",
            "url": "http://upstream.example/v1/chat/completions",
            "request_headers": [["Accept", "text/event-stream"]],
            "request_body": "{}",
            "word": "waiting",
            "last_step": None,
        }
        assert json.dumps(first)
