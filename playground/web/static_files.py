"""The files below /static/ in front of Django: asgi.py wraps it in StaticFiles.

A page stands on some 130 modules. Through Django's handler and its threads each takes milliseconds of the time in which
a session should be replayed; here it takes WhiteNoise alone, which looks for a file that has changed each time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from whitenoise.middleware import WhiteNoiseMiddleware

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
        file = self._files.find_file(path) if path.startswith(self._files.static_prefix) else None
        if file is None:
            await self._application(scope, receive, send)
            return
        answer = file.get_response(scope["method"], _environ(scope["headers"]))
        body = b""
        if answer.file is not None:
            with answer.file as opened:
                body = opened.read()
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in [*answer.headers, NO_SNIFFING]]
        await send({"type": "http.response.start", "status": int(answer.status), "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _environ(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as WSGI names them."""
    return {
        f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}": value.decode("latin-1") for name, value in headers
    }
