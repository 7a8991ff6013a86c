"""The gateway over real HTTP, and a plain socket for what HTTP libraries hide."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.support.daphne import Daphne
from tests.support.requests import FULL_SPEED, PATHS


class Exchange:
    """One request on a connection of its own, and what comes back, read by read."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self._reader = reader
        self.status = 0
        self.headers: dict[str, str] = {}

    async def head(self) -> None:
        """Wait for the status and the headers."""
        raw = (await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), 30)).decode("latin1")
        first, *lines = raw.split("\r\n")
        self.status = int(first.split(" ")[1])
        self.headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
        }

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body, HTTP chunk by HTTP chunk. Raises asyncio.IncompleteReadError when the connection drops in it."""
        if "content-length" in self.headers:
            yield await asyncio.wait_for(self._reader.readexactly(int(self.headers["content-length"])), 30)
            return
        while True:
            size = int(await asyncio.wait_for(self._reader.readuntil(b"\r\n"), 30), 16)
            body = await asyncio.wait_for(self._reader.readexactly(size + 2), 30)
            if size == 0:
                return
            yield body[:-2]

    async def body(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks()])


@asynccontextmanager
async def exchange(
    daphne: Daphne,
    path: str,
    body: Any = None,
    *,
    method: str = "POST",
    headers: dict[str, str] | None = None,
    limit: int = 2**20,
) -> AsyncIterator[Exchange]:
    """Send a request (a dict as JSON, bytes as they are) and wait for its head."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    sent = {"host": f"127.0.0.1:{daphne.port}", "content-type": "application/json", **FULL_SPEED, **(headers or {})}
    sent["content-length"] = str(len(raw))
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", daphne.port, limit=limit)
    try:
        writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + raw)
        await writer.drain()
        one = Exchange(reader, writer)
        await one.head()
        yield one
    finally:
        writer.close()


async def ask(daphne: Daphne, format: str, body: Any, **options: Any) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and whole body of a request to the format's address."""
    async with exchange(daphne, PATHS[format], body, **options) as one:
        return one.status, one.headers, await one.body()
