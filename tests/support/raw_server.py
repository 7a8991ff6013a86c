"""A server that sends exactly the bytes it is told to, each `send` a write of its own. For tests of what reads them."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Peer:
    """One connection, from the server's side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.closed_by_client = asyncio.Event()

    async def request(self) -> bytes:
        """Head and body of the next request. Raises asyncio.IncompleteReadError when none comes."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return head + await self._reader.readexactly(length)

    async def skip(self, count: int) -> None:
        """Read as many bytes and forget them."""
        await self._reader.readexactly(count)

    async def send(self, wire: bytes) -> None:
        self._writer.write(wire)
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()

    def reset(self) -> None:
        """Close with an RST instead of a FIN."""
        connection = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def hang_up(self) -> None:
        """Wait until the client closes."""
        try:
            while await self._reader.read(65536):
                pass
        except ConnectionError:
            pass
        self.closed_by_client.set()


Script = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def serving(script: Script, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Run `script` for every connection; gives the port. What a script raises fails the test."""
    failures: list[BaseException] = []
    running: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        running.add(task)
        try:
            await script(Peer(reader, writer))
        except (asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
            pass
        except BaseException as error:
            failures.append(error)
        finally:
            running.discard(task)
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    if failures:
        raise failures[0]


def chunk(body: bytes) -> bytes:
    """`body` as one HTTP chunk."""
    return b"%x\r\n%s\r\n" % (len(body), body)


CHUNKED_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"
