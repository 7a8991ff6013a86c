"""Keys are planted wherever an answer can put them; then everything that this server keeps or says is searched."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.test import AsyncClient

from playground.runs.hall import Hall
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving
from tests.support.sessions import watching

KEY = "sk-proj-" + "Abc123/+xyz" * 3
COOKIE = "session-of-mine-123456"
IN_BODY = "gsk_" + "secretinbody" * 3
IN_ADDRESS = "AIza" + "SecretInAddress" * 3
SECRETS = [KEY, COOKIE, IN_BODY, IN_ADDRESS]

ECHO = " ".join([KEY, KEY.replace("/", "\\/"), KEY.replace("+", "\\u002b"), COOKIE, IN_BODY, IN_ADDRESS])


def spelled(secret: str) -> list[bytes]:
    """The spellings to search for."""
    return [text.encode() for text in {secret, secret.replace("/", "\\/"), secret.replace("+", "\\u002b")}]


def lane(port: int, **change: Any) -> dict[str, Any]:
    return {
        "format": "chat",
        "target": "custom",
        "base_url": f"http://127.0.0.1:{port}/v1?key={IN_ADDRESS}",
        "body": json.dumps({"model": "m", "stream": True, "metadata": {"note": f"use {IN_BODY}"}}),
        "headers": [["Cookie", f"sid={COOKIE}"], ["X-Note", f"again {KEY}"]],
        "key": KEY,
        **change,
    }


async def echoing(peer: Peer) -> None:
    """Every place of an answer: reason, headers, body, cut anywhere; and what stands behind the last byte."""
    request = await peer.request()
    sent = SECRETS if request.startswith(b"POST") else [KEY, IN_ADDRESS]
    assert all(secret.encode() in request for secret in sent)
    head = (
        f"HTTP/1.1 200 Fine {KEY}\r\nContent-Type: text/event-stream\r\nSet-Cookie: sid={COOKIE}\r\nX-Echo: {KEY}\r\n"
        f"OpenAI-Organization: org-of-mine\r\nLocation: /?key={IN_ADDRESS}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    await peer.send(head.encode())
    body = f'data: {{"error":{{"message":"no {ECHO}"}}}}\n\n: {ECHO}\n\nunknown {KEY}: 1\n\n'
    body += f"event: {KEY}\ndata: {ECHO}\n\ndata: {KEY}"
    for index in range(0, len(body), 7):
        await peer.send(chunk(body[index : index + 7].encode()))
        await asyncio.sleep(0)
    await peer.send(LAST_CHUNK)


async def zipped(peer: Peer) -> None:
    await peer.request()
    coded = gzip.compress(f"data: {ECHO}\n\n".encode() * 3)
    head = CHUNKED_HEAD.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    await peer.send(head + b"".join(chunk(coded[index : index + 9]) for index in range(0, len(coded), 9)) + LAST_CHUNK)


async def broken(peer: Peer) -> None:
    await peer.request()
    await peer.send(f"HTTP/1.1 200 {KEY}\r\nTransfer-Encoding: {KEY}\r\n{KEY}\r\n\r\n".encode())


async def not_http(peer: Peer) -> None:
    await peer.request()
    await peer.send(f"{KEY} {IN_ADDRESS}\r\n\r\n".encode())


async def test_no_key_is_kept_logged_shown_or_said(
    hall: Hall, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    client = AsyncClient()
    shown: list[bytes] = []
    sessions = []
    for script in (echoing, zipped, broken, not_http):
        async with serving(script) as port:
            answer = await client.post("/sessions/", data={"lanes": [lane(port)]}, content_type="application/json")
            assert answer.status_code == 201
            session = answer.json()["id"]
            sessions.append(session)
            async with watching(session) as socket:
                await socket.read_to_end()
                shown.append(json.dumps(socket.browser.messages, ensure_ascii=False).encode())
            while hall.busy:
                await asyncio.wait(list(hall._ending))
            models = {"target": "custom", "base_url": f"http://127.0.0.1:{port}/v1?key={IN_ADDRESS}", "key": KEY}
            shown.append((await client.post("/models/", data=models, content_type="application/json")).content)
    unreachable = lane(port, base_url=f"http://127.0.0.1:{port}/v1?key={IN_ADDRESS}")
    await client.post("/sessions/", data={"lanes": [unreachable]}, content_type="application/json")
    while hall.busy:
        await asyncio.wait(list(hall._ending))
    for wrong in (
        {"headers": [["X", f"{KEY}\n\n:"]]},
        {"key": f"{KEY}é"},
        {"format": KEY},
        {"base_url": f"http://me:{COOKIE}@x/"},
    ):
        refused = await client.post(
            "/sessions/", data={"lanes": [lane(port, **wrong)]}, content_type="application/json"
        )
        assert refused.status_code == 400
        shown.append(refused.content)
    refused = await client.post("/sessions/", data=f'{{"key": "{KEY}", nonsense', content_type="application/json")
    shown.append(refused.content)
    for session in sessions:
        for path in ("", "lanes/0/bytes?from=0&to=100000", "lanes/0/preview/"):
            answer = await client.get(f"/sessions/{session}/{path}")
            assert answer.status_code == 200
            shown.append(answer.content)
    files = [path.read_bytes() for path in database_files()]
    assert b'{"error":{"message":"no ******' in b"".join(files)
    output = capfd.readouterr()
    everything = [*files, *shown, caplog.text.encode(), output.out.encode(), output.err.encode()]
    for secret in SECRETS:
        for spelling in spelled(secret):
            assert not [text for text in everything if spelling in text], spelling
    assert b"org-of-mine" not in b"".join(files)


def database_files() -> list[Path]:
    """The SQLite file and what stands beside it until the next checkpoint."""
    name = Path(str(connections["default"].settings_dict["NAME"]))
    return [path for path in name.parent.glob(f"{name.name}*") if path.is_file()]
