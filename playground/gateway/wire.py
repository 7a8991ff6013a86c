"""An answer's way to its socket. asgi.py wraps Django in `with_wire`; the views find the Wire in the scope.

ASGI knows neither back-pressure nor a broken connection: a view's generator is asked for more however full the socket
is, and an application that raises after its first byte leaves daphne with an open connection. daphne's request is a
twisted one, which can do both.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

SCOPE_KEY = "playground.gateway.wire"


class Wire:
    """What twisted calls an IPushProducer: it is told when the socket is full and when it is empty again."""

    def __init__(self, request: Any = None) -> None:
        self._request = request
        self._empty = asyncio.Event()
        self._empty.set()

    def open(self) -> None:
        """The answer begins: from now on the socket tells how full it is."""
        if self._request is not None and self._request.channel is not None:
            self._request.registerProducer(self, True)

    def close(self) -> None:
        if self._request is not None and self._request.producer is self:
            self._request.unregisterProducer()

    async def room(self) -> None:
        """Let go of the loop, so that what was sent is written, and wait until the socket takes more."""
        await asyncio.sleep(0)
        await self._empty.wait()

    async def cut(self) -> None:
        """Drop the connection behind the bytes that were sent, the body unfinished. Never comes back."""
        if self._request is None:
            raise ConnectionAbortedError("cut")
        self.close()
        self._request.loseConnection()
        await asyncio.Event().wait()

    def pauseProducing(self) -> None:
        self._empty.clear()

    def resumeProducing(self) -> None:
        self._empty.set()

    def stopProducing(self) -> None:
        self._empty.set()


def with_wire(application: Application) -> Application:
    """The same application, with a Wire in the scope of every HTTP request that daphne serves."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            protocol = send.args[0] if isinstance(send, functools.partial) and send.args else None
            scope[SCOPE_KEY] = Wire(protocol if hasattr(protocol, "loseConnection") else None)
        await application(scope, receive, send)

    return wrapped


def wire_of(scope: Scope) -> Wire:
    """The request's Wire; one that can only raise where another server or a test client asks."""
    wire = scope.get(SCOPE_KEY)
    return wire if isinstance(wire, Wire) else Wire()
