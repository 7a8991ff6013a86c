"""An answer's way to its socket. asgi.py wraps Django in `with_wire`; the views find the Wire in the scope.

ASGI knows neither back-pressure nor a broken connection: a view's generator is asked for more however full the socket
is, and an application that raises after its first byte leaves daphne with a connection that stays open and a loop over
its connections that has died. daphne's request is a twisted one, which can do both.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

Scope = dict[str, Any]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Any, Send], Awaitable[None]]

log = logging.getLogger(__name__)

SCOPE_KEY = "playground.gateway.wire"


class Wire:
    """What twisted calls an IPushProducer: it is told when the socket is full and when it is empty again."""

    def __init__(self, request: Any = None) -> None:
        self._request = request
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def alone(self) -> bool:
        """There is no socket that could be reached."""
        return self._request is None

    def open(self) -> None:
        """The answer begins: from now on the socket tells how full it is."""
        if self._request is not None and self._request.channel is not None:
            self._request.registerProducer(self, True)

    def close(self) -> None:
        """The answer is over. A client that left has taken the channel with it."""
        if self._request is not None and self._request.channel is not None and self._request.producer is self:
            self._request.unregisterProducer()

    async def room(self) -> None:
        """Let go of the loop, so that what was sent is written, and wait until the socket takes more."""
        await asyncio.sleep(0)
        await self._empty.wait()

    async def cut(self) -> None:
        """Drop the connection behind the bytes that were sent, the body unfinished; then wait to be cancelled.

        Comes back where the connection cannot be reached: there the body ends early, but as HTTP wants it.
        """
        if self._request is not None:
            self.drop()
            await asyncio.Event().wait()

    def drop(self) -> None:
        self.close()
        if self._request is not None:
            self._request.loseConnection()

    def pauseProducing(self) -> None:
        self._empty.clear()

    def resumeProducing(self) -> None:
        self._empty.set()

    def stopProducing(self) -> None:
        self._empty.set()


def with_wire(application: Application) -> Application:
    """The same application, with a Wire in the scope of every HTTP request that daphne serves.

    What it raises after its first byte breaks the connection: the reader must not take half a body for a whole one.
    """

    async def wrapped(scope: Scope, receive: Any, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        request = send.args[0] if isinstance(send, functools.partial) and send.args else None
        wire = scope[SCOPE_KEY] = Wire(request if hasattr(request, "loseConnection") else None)
        started = False

        async def sending(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await application(scope, receive, sending)
        except Exception:
            if not started or wire.alone:
                raise
            log.exception("%s failed in the middle of its answer", scope["path"])
            wire.drop()

    return wrapped


def wire_of(scope: Scope) -> Wire:
    """The request's Wire; one without a socket where another server or a test client asks."""
    wire = scope.get(SCOPE_KEY)
    return wire if isinstance(wire, Wire) else Wire()
