"""The door for viewers: a socket on a session watches, acknowledges and stops. What it sees is decided by runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from django.conf import settings
from django.http.request import validate_host

from playground import runs
from playground.live import groups
from playground.messages import encode

NO_SUCH_SESSION = 4404
OTHER_ORIGIN = 4403


class SessionConsumer(AsyncConsumer):
    """`ws/sessions/<id>/`. Its own dispatch, because the one of AsyncConsumer crosses a thread for every message."""

    watch: runs.Watch | None = None
    group = ""

    async def dispatch(self, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "live.steps":
                if self.watch is not None:
                    await self.watch.steps(message)
            case "websocket.receive":
                await self._receive(message.get("text"))
            case "websocket.connect":
                await self._connect()
            case "websocket.disconnect":
                await self._leave()
                raise StopConsumer

    async def _connect(self) -> None:
        await self.send({"type": "websocket.accept"})
        if not same_origin(self.scope["headers"]):
            await self.send({"type": "websocket.close", "code": OTHER_ORIGIN})
            return
        session = self.scope["url_route"]["kwargs"]["session"]
        have = have_of(self.scope["query_string"])
        # Subscribed before the session is looked up: what is sent from now on is held for this viewer.
        self.group = groups.viewers(session)
        await self.channel_layer.group_add(self.group, self.channel_name)
        self.watch = await runs.watch(session, have, self._send_text)
        if self.watch is None:
            await self.send({"type": "websocket.close", "code": NO_SUCH_SESSION})
            return
        await self.watch.open()

    async def _receive(self, text: str | None) -> None:
        match _parsed(text):
            case {"type": "ack", "frame": int(frame)} if self.watch is not None:
                await self.watch.ack(frame)
            case {"type": "stop", **rest} if self.watch is not None:
                lane = rest.get("lane")
                await self.watch.stop(lane if isinstance(lane, int) else None)
            case _:
                message = "This socket takes ack and stop; see docs/wire.md."
                await self._send_text(encode({"type": "error", "code": "unknown-message", "message": message}))

    async def _leave(self) -> None:
        if self.watch is not None:
            await self.watch.close()
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def _send_text(self, text: str) -> None:
        await self.send({"type": "websocket.send", "text": text})


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
