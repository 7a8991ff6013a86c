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
from playground.web.sharing import preview_without

NO_SUCH_SESSION = 4404
OTHER_ORIGIN = 4403
LINK_OVER = 4410
INVALID = 4400
UNKNOWN = "This socket takes ack and stop; see docs/wire.md."
UNKNOWN_TO_LINKS = "This socket takes ack alone: who looks at a shared session cannot change it."


Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Viewer:
    """One socket, accepted: what is sent over it. After `close` nothing is."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._closed = False

    async def text(self, text: str) -> None:
        if not self._closed:
            await self._send({"type": "websocket.send", "text": text})

    async def error(self, code: str, message: str) -> None:
        await self.text(encode({"type": "error", "code": code, "message": message}))

    async def close(self, code: int) -> None:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.close", "code": code})

    async def gone(self, why: Exception) -> None:
        """The link shows nothing (any more), or the session is lost."""
        if isinstance(why, runs.Gone):
            await self.error(f"share-{why.why}", str(why))
            await self.close(NO_SUCH_SESSION if why.why == "unknown" else LINK_OVER)
        else:
            await self.error("no-such-session", str(why))
            await self.close(NO_SUCH_SESSION)


Begin = Callable[[Viewer], Awaitable[runs.Watch | None]]


async def watch_session(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """`ws/sessions/<id>/` until the browser leaves. No AsyncConsumer: that crosses a thread for every message."""
    session, have = scope["url_route"]["kwargs"]["session"], have_of(scope["query_string"])
    await _serve(
        scope, receive, send, lambda viewer: runs.watch(session, have, viewer.text, viewer.gone), read_only=False
    )


async def watch_shared(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """`ws/s/<token>/`: a session over a link, until the browser leaves or the link is over."""
    token, have = scope["url_route"]["kwargs"]["token"], have_of(scope["query_string"])

    async def begin(viewer: Viewer) -> runs.Watch | None:
        return await runs.watch_shared(token, have, viewer.text, viewer.gone)

    await _serve(scope, receive, send, begin, read_only=True)


async def watch_preview(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """`ws/sessions/<id>/shared-view/`: what a link would show that leaves out what the query says."""
    session, query = scope["url_route"]["kwargs"]["session"], scope["query_string"]

    async def begin(viewer: Viewer) -> runs.Watch | None:
        without = preview_without(query.decode("latin-1"))
        return await runs.preview(session, have_of(query), viewer.text, without, viewer.gone)

    await _serve(scope, receive, send, begin, read_only=True)


async def no_such_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Any other address."""

    async def begin(viewer: Viewer) -> None:
        return None

    await _serve(scope, receive, send, begin, read_only=True)


async def _serve(scope: dict[str, Any], receive: Receive, send: Send, begin: Begin, *, read_only: bool) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    viewer = Viewer(send)
    watch = None
    if same_origin(scope["headers"]):
        watch = await _begun(viewer, begin)
    else:
        await viewer.close(OTHER_ORIGIN)
    try:
        while (message := await receive())["type"] != "websocket.disconnect":
            if watch is not None and not await _said(watch, message.get("text"), read_only):
                await viewer.error("unknown-message", UNKNOWN_TO_LINKS if read_only else UNKNOWN)
    finally:
        if watch is not None:
            await watch.close()


async def _begun(viewer: Viewer, begin: Begin) -> runs.Watch | None:
    """The watch, or None when the viewer was told why there is none."""
    try:
        watch = await begin(viewer)
    except runs.Gone as gone:
        await viewer.gone(gone)
    except runs.Refused as refused:
        await viewer.error(refused.code, refused.message)
        await viewer.close(INVALID)
    else:
        if watch is None:
            await viewer.close(NO_SUCH_SESSION)
        return watch
    return None


async def _said(watch: runs.Watch, text: str | None, read_only: bool) -> bool:
    """What the browser said, done; False when it is nothing that this browser may say."""
    match _parsed(text):
        case {"type": "ack", "frame": int(frame)}:
            await watch.ack(frame)
        case {"type": "stop", **rest} if not read_only:
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
