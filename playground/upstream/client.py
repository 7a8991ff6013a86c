"""A Call goes in, an Answer comes out; the one place that knows httpx. Called by relay/run.py and runs.py."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any, Final

import httpcore
import httpx

from playground.coding import Coding
from playground.formats.interface import parse
from playground.reads import Headers
from playground.sse.rows import NOT_JSON
from playground.upstream.addresses import Lookup, Rules, Target, system_lookup
from playground.upstream.answer import Answer, Timeouts
from playground.upstream.calls import Call
from playground.upstream.errors import UpstreamError
from playground.upstream.framing import framing_of
from playground.upstream.network import Backend, StaleConnection, Stream
from playground.upstream.wire import Clock

KEPT_CONNECTIONS: Final = 32
KEPT_SECONDS: Final = 15.0
LONGEST_DOCUMENT: Final = 4 * 1024 * 1024

# At INFO httpx logs every address it calls, at DEBUG httpcore logs headers: a key may stand in both.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class Upstream:
    """The HTTP client of one event loop. Environment, cookies and redirects are left alone.

    `rules` say what may be called, `trust` which certificates (default: those of certifi and of the system).
    """

    def __init__(
        self,
        rules: Rules,
        *,
        trust: ssl.SSLContext | None = None,
        lookup: Lookup = system_lookup,
        clock: Clock = time.monotonic_ns,
    ) -> None:
        self._rules = rules
        self.clock = clock
        self._backend = Backend(rules, lookup, clock, trust)
        pool = httpcore.AsyncConnectionPool(
            # Never used: the backend has a context of its own, whose certificates are read when a call needs them.
            ssl_context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            max_connections=None,
            max_keepalive_connections=KEPT_CONNECTIONS,
            keepalive_expiry=KEPT_SECONDS,
            network_backend=self._backend,
        )
        self._client = httpx.AsyncClient(transport=_Transport(pool), trust_env=False, follow_redirects=False)

    @asynccontextmanager
    async def open(
        self, call: Call, timeouts: Timeouts, written: Callable[[int], None] = lambda now: None
    ) -> AsyncIterator[Answer]:
        """The answer to `call`, from its head on; its connection is kept or closed on the way out.

        `written` is called with the clock's nanoseconds when the request was written.

        Raises UpstreamError with the word of reads.How and, when the request was written, the time.
        """
        target = call.target(self._rules)
        if target.scheme == "https" and self._backend.trust is None:
            self._backend.trust = await asyncio.to_thread(_usual_trust)
        response, body = await self._send(call, target, timeouts, written)
        try:
            headers = _headers(response)
            stream = response.extensions["network_stream"]
            if not isinstance(stream, Stream):
                raise UpstreamError(
                    "protocol", f"{target.host} switched to another protocol, which nobody asked for.", 0
                )
            answer = Answer(
                status=response.status_code,
                reason=response.extensions.get("reason_phrase", b"").decode("latin-1"),
                headers=headers,
                stream=stream,
                framing=framing_of(call.method.upper(), response.status_code, headers),
                name=target.host,
                # An answer may come before the request was written, and be the reason why it never is.
                written=body.finish(),
                timeouts=timeouts,
                clock=self.clock,
            )
            try:
                yield answer
            finally:
                answer.unwatch()
                shortest = answer.framing.shortest() if answer.reusable else None
                if shortest is not None:
                    stream.settle(shortest)
                    with suppress(httpx.HTTPError, httpcore.NetworkError, httpcore.ProtocolError, UpstreamError):
                        async for _ in response.aiter_raw():
                            pass
        finally:
            await response.aclose()

    async def fetch_json(self, call: Call, timeouts: Timeouts, *, limit: int = LONGEST_DOCUMENT) -> tuple[int, Any]:
        """Status and JSON value of a small document; the value is None when the body is no JSON.

        Raises UpstreamError; `limit` (bytes, content coding undone) ends it with that word.
        """
        within = timeouts.connect + timeouts.first_byte + timeouts.idle
        try:
            async with asyncio.timeout(within), self.open(call, timeouts) as answer:
                text = await _document(answer, limit)
        except TimeoutError:
            raise UpstreamError("idle-timeout", f"The document did not come within {within:g} s.") from None
        value = parse(text.decode("utf-8", "replace"))
        return answer.status, None if value is NOT_JSON else value

    async def aclose(self) -> None:
        """Close the connections that are kept."""
        await self._client.aclose()

    async def _send(
        self, call: Call, target: Target, timeouts: Timeouts, written: Callable[[int], None]
    ) -> tuple[httpx.Response, _RequestBody]:
        loop = asyncio.get_running_loop()
        headers = [(name.encode(), value.encode()) for name, value in call.sent_headers(target)]
        extensions = {"timeout": {"connect": timeouts.connect}}
        body = _RequestBody(call.body, self.clock, written)
        try:
            while True:
                try:
                    async with asyncio.timeout(None) as scope:
                        body.begin(lambda: scope.reschedule(loop.time() + timeouts.first_byte))
                        request = httpx.Request(
                            call.method, target.url, headers=headers, stream=body, extensions=extensions
                        )
                        return await self._client.send(request, stream=True), body
                except StaleConnection:
                    continue
        except TimeoutError:
            detail = f"{target.host} did not answer within {timeouts.first_byte:g} s."
            error = UpstreamError("first-byte-timeout", detail)
        except UpstreamError as raised:
            error = raised
        except (httpcore.RemoteProtocolError, httpx.RemoteProtocolError) as raised:
            # Behind the colon h11 repeats what came, which may be anything.
            reason = str(raised).partition(":")[0].rstrip(".")
            error = UpstreamError("protocol", f"{target.host} did not answer as HTTP wants it: {reason}.")
        except (httpcore.LocalProtocolError, httpx.InvalidURL, UnicodeError):
            error = UpstreamError("forbidden", "The address or a header contains something that HTTP cannot send.")
        except (httpcore.NetworkError, OSError):
            error = UpstreamError("reset", f"{target.host} reset the connection.")
        if error.time is None and body.written is not None:
            error.time = (self.clock() - body.written) // 1000
        raise error


class _RequestBody(httpx.AsyncByteStream):
    """The request's body. `written` is when all of it was handed to the system (clock's nanoseconds): time zero."""

    def __init__(self, body: bytes, clock: Clock, told: Callable[[int], None]) -> None:
        self._body = body
        self._clock = clock
        self._told = told
        self._progress: Callable[[], None] = lambda: None
        self.written: int | None = None

    def begin(self, progress: Callable[[], None]) -> None:
        """Before each sending; `progress` is called whenever a part was written."""
        self._progress = progress
        self.written = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # httpcore asks for the first part when the head was written, for more when that part was.
        self._progress()
        if self._body:
            yield self._body
            self._progress()
        self.finish()

    def finish(self) -> int:
        """All was written, or will not be any more. Gives the time."""
        if self.written is None:
            self.written = self._clock()
            self._told(self.written)
        return self.written


class _Transport(httpx.AsyncBaseTransport):
    """httpx over a pool with a network backend of our own, which httpx's own transport does not take.

    The answer's headers go by as an extension: httpx would keep cookies for later calls and stumble over a Location.
    """

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        extensions = {**answer.extensions, "headers": answer.headers}
        return httpx.Response(answer.status, stream=_ResponseBody(answer), extensions=extensions)

    async def aclose(self) -> None:
        await self._pool.aclose()


class _ResponseBody(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._answer.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()


async def _document(answer: Answer, limit: int) -> bytes:
    coding = Coding(", ".join(value for name, value in answer.headers if name.lower() == "content-encoding"))
    text = bytearray()
    async for read in answer:
        text += coding.feed(read.body)
        if len(text) > limit:
            raise UpstreamError("limit", f"The document is longer than {limit} bytes.", read.time)
    return bytes(text + coding.end())


def _headers(response: httpx.Response) -> Headers:
    return tuple((name.decode("latin-1"), _text(value)) for name, value in response.extensions["headers"])


def _text(value: bytes) -> str:
    """A header's value as it was probably meant."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


@cache
def _usual_trust() -> ssl.SSLContext:
    """Certificates of certifi and of the system; reading them takes a good part of a second on a slow machine."""
    trust = httpx.create_ssl_context(trust_env=False)
    trust.load_default_certs()
    return trust
