"""The gateway's ledger over HTTP, a key for each test, and calls that a client leaves."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

from tests.support.daphne import Daphne
from tests.support.http import exchange
from tests.support.requests import PATHS


def own_key() -> dict[str, str]:
    """Headers with a key that nobody else has."""
    return {"authorization": f"Bearer key-{secrets.token_hex(6)}"}


async def ledger(daphne: Daphne, key: dict[str, str], query: str = "") -> dict[str, Any]:
    async with exchange(daphne, f"/v1/usage{query}", method="GET", headers=key) as one:
        assert one.status == 200
        return dict(json.loads(await one.body()))


async def charges(daphne: Daphne, key: dict[str, str]) -> list[dict[str, Any]]:
    """The key's charges, newest first, as soon as none of them runs any more."""
    async with asyncio.timeout(20):
        while True:
            data = list((await ledger(daphne, key))["data"])
            if all(charge["ended"] != "running" for charge in data):
                return data
            await asyncio.sleep(0.02)


async def leave_early(daphne: Daphne, format: str, request: dict[str, Any], headers: dict[str, str]) -> bytes:
    """Go away after the first chunks, three events of them; what was read."""
    read = b""
    async with exchange(daphne, PATHS[format], request, headers=headers) as one:
        async for chunk in one.chunks():
            read += chunk
            if read.count(b"data: ") >= 3:
                return read
    return read


async def leave_unanswered(daphne: Daphne, format: str, request: dict[str, Any], headers: dict[str, str]) -> None:
    """Go away when the call is in the ledger and nothing of the answer has come yet."""
    raw = json.dumps(request).encode()
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"POST {PATHS[format]} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{lines}"
    _, writer = await asyncio.open_connection("127.0.0.1", daphne.port)
    writer.write(f"{head}content-length: {len(raw)}\r\n\r\n".encode() + raw)
    async with asyncio.timeout(20):
        while True:
            if (await ledger(daphne, headers))["data"]:
                break
            await asyncio.sleep(0.01)
    writer.close()
