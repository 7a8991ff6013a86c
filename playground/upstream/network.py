"""Connections for httpcore, made to addresses that were checked. Used by client.py for its pool.

httpcore gets the heads of answers through a Stream. Bodies stay in the Wire, where answer.py finds them with the times
at which they were read, however long they wait to be looked at.
"""

from __future__ import annotations

import asyncio
import errno
import re
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from playground.upstream.addresses import Lookup, Rules, resolve
from playground.upstream.errors import UpstreamError
from playground.upstream.wire import Clock, Wire

_BLANK_LINE = re.compile(rb"\n\r?\n")


class StaleConnection(Exception):
    """A kept connection was closed by the other side before anything of this answer came."""


class Stream(httpcore.AsyncNetworkStream):
    """A Wire as httpcore wants it. It gives the heads of answers alone; their bodies stay in the queue."""

    def __init__(
        self, wire: Wire, name: str, address: str, deadline: float | None, trust: ssl.SSLContext | None
    ) -> None:
        self.wire = wire
        self.address = address
        self.head_time = 0
        self.received_before = 0
        self._name = name
        self._deadline = deadline
        self._trust = trust
        self._used = False
        self._answered = False
        self._line_end = b""
        self._settled = b""

    def settle(self, body: bytes) -> None:
        """The body was read past httpcore; it gets `body` in its place and keeps the connection for the next call."""
        self._settled = body
        self._used = True
        self.received_before = self.wire.received
        self._answered = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._settled:
            body, self._settled = self._settled, b""
            return body
        wire = self.wire
        while not wire.queue:
            if wire.failure is not None:
                raise wire.failure
            if wire.over:
                raise self._ended()
            await wire.arrival()
        self._answered = True
        time, piece = wire.take()
        before = len(self._line_end)
        found = _BLANK_LINE.search(self._line_end + piece)
        if found is None:
            self._line_end = (self._line_end + piece)[-2:]
            return piece
        end = found.end() - before
        if end < len(piece):
            wire.put_back(time, piece[end:])
        self._line_end = b""
        self.head_time = time
        return piece[:end]

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if not buffer:
            return
        try:
            if self.wire.transport is not None:
                self.wire.transport.write(buffer)
            await self.wire.written()
        except OSError as error:
            # httpcore goes on to read: an answer may have come before the connection broke.
            raise httpcore.WriteError(str(error)) from error

    async def aclose(self) -> None:
        if self.wire.transport is not None:
            self.wire.transport.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        trust = self._trust or ssl_context
        trust.set_alpn_protocols(["http/1.1"])
        assert self.wire.transport is not None
        if self.wire.queue or self.wire.over:
            # Nothing that came in the clear may pass for an answer over TLS.
            await self.aclose()
            raise UpstreamError("tls", _no_tls(self._name) if self.wire.queue else _broken_off(self._name))
        name = (server_hostname or self._name).removesuffix(".")
        try:
            async with asyncio.timeout_at(self._deadline):
                transport = await loop.start_tls(self.wire.transport, self.wire, trust, server_hostname=name)
        except TimeoutError:
            raise UpstreamError("connect-timeout", f"{self._name} did not finish the TLS handshake in time.") from None
        except OSError as error:
            raise UpstreamError("tls", _tls_sentence(self._name, error)) from None
        assert transport is not None
        self.wire.secured(transport)
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return bool(self.wire.queue) or self.wire.over
        if info == "server_addr":
            return self.address
        return self.wire.transport.get_extra_info(info) if self.wire.transport is not None else None

    def _ended(self) -> Exception:
        if self._used and not self._answered:
            return StaleConnection()
        if self.wire.error is not None:
            return UpstreamError("reset", f"{self._name} reset the connection before the answer's head was complete.")
        if self._answered:
            return UpstreamError("reset", f"{self._name} closed the connection inside the answer's head.")
        return UpstreamError("reset", f"{self._name} closed the connection without an answer.")


class Backend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were checked, and to no others."""

    def __init__(self, rules: Rules, lookup: Lookup, clock: Clock, trust: ssl.SSLContext | None) -> None:
        self._rules = rules
        self._lookup = lookup
        self._clock = clock
        self.trust = trust

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises UpstreamError: forbidden, unresolved, connect-timeout, refused, unreachable."""
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        try:
            async with asyncio.timeout_at(deadline):
                addresses = await resolve(host, port, self._rules, self._lookup)
        except TimeoutError:
            raise UpstreamError("connect-timeout", f"The name {host} was not resolved within {timeout:g} s.") from None
        errors: list[OSError] = []
        for tried, address in enumerate(addresses):
            try:
                async with asyncio.timeout_at(_share(loop.time(), deadline, len(addresses) - tried)):
                    _, wire = await loop.create_connection(lambda: Wire(self._clock), address, port)
            except OSError as error:
                errors.append(error)
            else:
                return Stream(wire, host, address, deadline, self.trust)
        raise _connection_error(host, port, min(errors, key=_rank), timeout)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise UpstreamError("forbidden", "Sockets of this machine's file system are not called.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def _share(now: float, deadline: float | None, addresses: int) -> float | None:
    """An address that does not answer leaves time for the next ones."""
    return None if deadline is None else now + max(0.0, deadline - now) / addresses


def _rank(error: OSError) -> int:
    """The most telling error of several addresses: refused, then timed out, then no way there."""
    return 0 if isinstance(error, ConnectionRefusedError) else 1 if isinstance(error, TimeoutError) else 2


def _connection_error(host: str, port: int, error: OSError, timeout: float | None) -> UpstreamError:
    if isinstance(error, ConnectionRefusedError):
        return UpstreamError("refused", f"Nobody listens at {host} port {port}.")
    if isinstance(error, TimeoutError):
        within = f" within {timeout:g} s" if timeout is not None and error.errno is None else ""
        return UpstreamError("connect-timeout", f"{host} port {port} did not take the connection{within}.")
    if isinstance(error, ConnectionResetError):
        return UpstreamError("refused", f"{host} port {port} broke the connection off at once.")
    reason = errno.errorcode.get(error.errno or 0, "unknown error")
    return UpstreamError("unreachable", f"There is no way to {host} port {port} ({reason}).")


def _no_tls(name: str) -> str:
    return f"{name} does not speak TLS at this port; its address may begin with http:// instead."


def _tls_sentence(name: str, error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"The certificate of {name} is not trusted: {error.verify_message.rstrip('.')}."
    if isinstance(error, ssl.SSLError):
        if error.reason in {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"}:
            return _no_tls(name)
        reason = (error.reason or "unknown error").lower().replace("_", " ")
        return f"No secure connection to {name} came about: {reason}."
    return _broken_off(name)


def _broken_off(name: str) -> str:
    return f"{name} closed the connection during the TLS handshake."
