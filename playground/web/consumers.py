"""The door for viewers: a socket on a session watches, acknowledges and stops. What it sees is decided by runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
from django.conf import settings
from django.http.request import validate_host

from playground import runs
from playground.messages import encode

NO_SUCH_SESSION = 4404
OTHER_ORIGIN = 4403
UNKNOWN = "This socket takes ack and stop; see docs/wire.md."


Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def watch_session(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """`ws/sessions/<id>/` until the browser leaves. No AsyncConsumer: that crosses a thread for every message."""
    await receive()
    await send({"type": "websocket.accept"})

    async def send_text(text: str) -> None:
        await send({"type": "websocket.send", "text": text})

    watch = None
    if not same_origin(scope["headers"]):
        await send({"type": "websocket.close", "code": OTHER_ORIGIN})
    else:
        session = scope["url_route"]["kwargs"]["session"]
        watch = await runs.watch(session, have_of(scope["query_string"]), send_text)
        if watch is None:
            await send({"type": "websocket.close", "code": NO_SUCH_SESSION})
    try:
        while (message := await receive())["type"] != "websocket.disconnect":
            if watch is not None and not await _said(watch, message.get("text")):
                await send_text(encode({"type": "error", "code": "unknown-message", "message": UNKNOWN}))
    finally:
        if watch is not None:
            await watch.close()


async def _said(watch: runs.Watch, text: str | None) -> bool:
    """What the browser said, done; False when it is nothing that a browser says."""
    match _parsed(text):
        case {"type": "ack", "frame": int(frame)}:
            await watch.ack(frame)
        case {"type": "stop", **rest}:
            lane = rest.get("lane")
            if not (lane is None or type(lane) is int):
                return False
            await watch.stop(lane)
        case _:
            return False
    return True


def same_origin(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether the page that opens the socket is of this host and port. What is no browser sends no Origin."""
    found = {name.lower(): value.decode("latin-1") for name, value in headers}
    host = found.get(b"host", "").lower()
    allowed = settings.ALLOWED_HOSTS or ["localhost", "127.0.0.1", "[::1]"]
    if not validate_host(host.rpartition(":")[0] if _has_port(host) else host, allowed):
        return False
    origin = found.get(b"origin")
    if origin is None:
        return True
    parts = urlsplit(origin.lower())
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme)
    if usual is None:
        return False
    return _with_port(parts.netloc, usual) == _with_port(host, usual)


def have_of(query: bytes) -> dict[int, int]:
    """`have=<lane>:<last step>,...`; what is no number is left out."""
    have = {}
    for pair in parse_qs(query.decode("latin-1")).get("have", [""])[0].split(","):
        lane, _, last = pair.partition(":")
        if lane.isdecimal() and last.isdecimal() and len(lane) < 4 and len(last) < 16:
            have[int(lane)] = int(last)
    return have


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdecimal() and not host.endswith("]")


def _with_port(host: str, usual: str) -> str:
    return host if _has_port(host) else host + usual


def _parsed(text: str | None) -> Any:
    try:
        return orjson.loads(text or "")
    except ValueError:
        return None
