"""A Chromium with one page, moved over its debugging pipe. Used by bench/recordings.py.

A driver for tests listens to the network and so has every frame of a socket copied through it: with 35 MB of them the
copies take longer than the page. Here nothing is listened to.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import tempfile
from collections.abc import AsyncIterator
from typing import Any

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"]
FLAGS += ["--disable-background-networking", "--remote-debugging-pipe", "--window-size=1440,900"]


class Page:
    """Commands to the browser, and to its page."""

    def __init__(self, reader: asyncio.StreamReader, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        self._number = 0
        self._session = ""

    async def open(self, first: str) -> None:
        """A page of its own in which `first` runs before anything else."""
        target = await self.ask("Target.createTarget", url="about:blank")
        attached = await self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        await self.ask("Page.enable")
        await self.ask("Page.addScriptToEvaluateOnNewDocument", source=first)

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        command: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._writer, json.dumps(command).encode() + b"\0")
        while True:
            answer = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                found: dict[str, Any] = answer["result"]
                return found

    async def value(self, expression: str) -> Any:
        """What an expression, or the promise that it makes, comes to."""
        found = await self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["text"])
        return found["result"].get("value")


@contextlib.asynccontextmanager
async def chromium(first: str) -> AsyncIterator[Page]:
    """A browser that has seen nothing yet, with an empty page."""
    commands, told = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # The browser reads from its third descriptor and writes to its fourth.
        script = f'exec "$@" 3<&{commands[0]} 4>&{told[1]}'
        arguments = ["bash", "-c", script, "bash", CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = await asyncio.create_subprocess_exec(
            *arguments, pass_fds=(commands[0], told[1]), stderr=asyncio.subprocess.DEVNULL
        )
        os.close(commands[0])
        os.close(told[1])
        reader = asyncio.StreamReader(limit=2**24)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(told[0], "rb", 0)
        )
        try:
            page = Page(reader, commands[1])
            await page.open(first)
            yield page
        finally:
            os.close(commands[1])
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
            transport.close()
