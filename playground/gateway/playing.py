"""Pieces -> body bytes at the right moments: the pace, shared writes, back-pressure, a cut. Called by views.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from playground.gateway.faults import Piece
from playground.gateway.pace import Pace
from playground.gateway.wire import Wire

BLOCK = 24 * 1024
"""At full speed so many bytes share a write: 100 times cheaper than a write each."""

SHARED = 0.002
"""Seconds: pieces that are due this close together share a write; timers are no finer."""

MOST_LATE = 0.05
"""Seconds that are caught up after a delay; a socket that was full for longer gets no burst."""


async def play(pieces: Iterable[Piece], pace: Pace, wire: Wire) -> AsyncIterator[bytes]:
    """The body, write by write. The status goes out at once: it is sent before the model starts."""
    now = asyncio.get_running_loop().time
    wire.open()
    try:
        yield b""
        await wire.room()
        due = now()
        waiting: list[bytes] = []
        size = 0
        for piece in pieces:
            silence = pace.gap(piece.tokens) + pace.pause(piece.pause) + piece.wait
            due = max(due + silence, now() - MOST_LATE)
            if piece.alone or due - now() > SHARED:
                if waiting:
                    yield b"".join(waiting)
                    waiting.clear()
                    size = 0
                await wire.room()
                await asyncio.sleep(due - now())
            waiting.append(piece.body)
            size += len(piece.body)
            if piece.cut:
                yield b"".join(waiting)
                await wire.cut()
                return
            elif size >= BLOCK:
                yield b"".join(waiting)
                waiting.clear()
                size = 0
                await wire.room()
        if waiting:
            yield b"".join(waiting)
    finally:
        wire.close()


async def wait_for(pieces: Iterable[Piece], pace: Pace) -> None:
    """As long as the stream of these pieces takes: a whole answer comes when its last token is there."""
    await asyncio.sleep(sum(pace.gap(piece.tokens) + pace.pause(piece.pause) + piece.wait for piece in pieces))
