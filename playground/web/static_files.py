"""The files below /static/ in front of Django: asgi.py wraps it in StaticFiles.

What a page stands on comes joined (joined_files.py). Every other file comes from WhiteNoise, which looks each time
whether it has changed; through Django's handler and its threads it would take three times as long.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from whitenoise.middleware import WhiteNoiseMiddleware

from playground.web import joined_files
from playground.web.joined_files import JoinedFile

Scope = dict[str, Any]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Any, Send], Awaitable[None]]

NO_SNIFFING: Final = ("X-Content-Type-Options", "nosniff")


class StaticFiles:
    """An ASGI application: answers for what is a static file, and lets `application` answer for the rest."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._files = WhiteNoiseMiddleware()

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        path = scope["path"]
        if path.startswith(joined_files.PREFIX) and (joined := joined_files.found(path)) is not None:
            await _send_joined(joined, scope, send)
            return
        file = self._files.find_file(path) if path.startswith(self._files.static_prefix) else None
        if file is None:
            await self._application(scope, receive, send)
            return
        answer = file.get_response(scope["method"], _environ(scope["headers"]))
        body = b""
        if answer.file is not None:
            with answer.file as opened:
                body = opened.read()
        headers = _encoded([*answer.headers, NO_SNIFFING])
        await send({"type": "http.response.start", "status": int(answer.status), "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def _send_joined(joined: JoinedFile, scope: Scope, send: Send) -> None:
    """Who asks with an earlier address gets today's file, not to be kept under that name."""
    packs = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])
    body = joined.packed if packs else joined.content
    kept = "public, max-age=31536000, immutable" if scope["path"] == joined.address else "no-store"
    headers = [
        ("Content-Type", joined.media_type),
        ("Content-Length", str(len(body))),
        ("Cache-Control", kept),
        ("Vary", "Accept-Encoding"),
        *([("Content-Encoding", "gzip")] if packs else []),
        NO_SNIFFING,
    ]
    status, sent = (200, body) if scope["method"] == "GET" else (200, b"") if scope["method"] == "HEAD" else (405, b"")
    await send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
    await send({"type": "http.response.body", "body": sent})


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _environ(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as WSGI names them."""
    return {
        f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}": value.decode("latin-1") for name, value in headers
    }
