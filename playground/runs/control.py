"""How servers that share tables and a channel layer speak: stop a lane that runs elsewhere, ask for its unkept tail.

Each server has one channel. The server that runs a session is in that session's group; answers come back by number.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from playground.live import groups
from playground.reads import End, Head, Read
from playground.recordings.recorder import Tail

logger = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds after which nobody owns a session."""

TAIL_BYTES = 256 * 1024
"""Body bytes of reads in one answer; whoever needs more asks again."""


class Control:
    """`tail(session, lane, after)` and `stop(session, lane)` are this server's own, asked by others."""

    def __init__(
        self,
        layer: Any,
        tail: Callable[[str, int, int], tuple[Tail, int] | None],
        stop: Callable[[str, int | None], bool],
    ) -> None:
        self._layer = layer
        self._tail = tail
        self._stop = stop
        self._channel = ""
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def open(self) -> None:
        self._channel = await self._layer.new_channel()

    async def own(self, session: str) -> None:
        await self._layer.group_add(groups.owner(session), self._channel)

    async def disown(self, session: str) -> None:
        await self._layer.group_discard(groups.owner(session), self._channel)

    async def run(self) -> None:
        """The loop that answers; to be kept as a task."""
        async for message in messages(self._layer, self._channel):
            if message["type"] == "answer":
                asked = self._asked.get(message["ask"])
                if asked is not None and not asked.done():
                    asked.set_result(message)
                continue
            answer = {"type": "answer", "ask": message["ask"], **self._answer(message)}
            try:
                await self._layer.send(message["reply"], answer)
            except Exception as error:
                logger.warning("the channel layer did not take an answer, it will be asked for again: %s", error)

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "stop":
            return {"found": self._stop(message["session"], message["lane"])}
        found = self._tail(message["session"], message["lane"], message["after"])
        return {"found": False} if found is None else {"found": True, **_packed(*found)}

    async def ask_tail(self, session: str, lane: int, after: int) -> tuple[Tail, int] | None:
        """The tail of a lane that runs in another server and the number of its last step; None when none does."""
        answer = await self._ask(session, {"type": "tail", "lane": lane, "after": after})
        return _unpacked(answer) if answer and answer["found"] else None

    async def ask_stop(self, session: str, lane: int | None) -> bool:
        """Whether a server was found that runs the session."""
        answer = await self._ask(session, {"type": "stop", "lane": lane})
        return bool(answer and answer["found"])

    async def _ask(self, session: str, message: dict[str, Any]) -> dict[str, Any] | None:
        number = next(self._numbers)
        asked = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            await self._layer.group_send(
                groups.owner(session), {**message, "session": session, "ask": number, "reply": self._channel}
            )
            async with asyncio.timeout(PATIENCE):
                return await asked
        except TimeoutError:
            return None
        finally:
            del self._asked[number]


async def messages(layer: Any, channel: str) -> AsyncIterator[dict[str, Any]]:
    """What comes over a channel, for ever; a layer that fails is asked again."""
    while True:
        try:
            message = await layer.receive(channel)
        except Exception as error:
            # The Redis layer turns a cancellation into an error of its own now and then.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError from error
            logger.warning("the channel layer does not answer, it is asked again: %s", error)
            await asyncio.sleep(PATIENCE)
        else:
            yield message


def _packed(tail: Tail, last: int) -> dict[str, Any]:
    reads: list[tuple[int, int | None, bytes]] = []
    size = 0
    for read in tail.reads:
        if reads and size + len(read.body) > TAIL_BYTES:
            break
        reads.append((read.number, read.time, read.body))
        size += len(read.body)
    whole = len(reads) == len(tail.reads)
    head, end = tail.head, tail.end if whole else None
    return {
        "last": last,
        "reads": reads,
        "head": head and [head.status, head.reason, [list(pair) for pair in head.headers], head.time, head.started],
        "end": end and [end.how, end.time, end.detail, list(tail.notes)],
    }


def _unpacked(answer: dict[str, Any]) -> tuple[Tail, int]:
    head = None
    if answer["head"]:
        status, reason, headers, time, started = answer["head"]
        pairs = tuple((name, value) for name, value in headers)
        # A step carries only what the answer said; the request stands in the tables.
        head = Head("", "", (), b"", started=started, status=status, reason=reason, headers=pairs, time=time)
    reads = [Read(number, time, bytes(body)) for number, time, body in answer["reads"]]
    *end, notes = answer["end"] or [()]
    return Tail(head, reads, End(*end) if end else None, notes), answer["last"]
