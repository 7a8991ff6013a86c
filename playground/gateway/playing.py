"""Pieces -> blocks of body bytes at the right moments: the pace, shared writes, a cut. Called by scripted.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from playground.gateway.calls import Block
from playground.gateway.faults import Piece
from playground.gateway.pace import Pace

BLOCK = 24 * 1024
"""At full speed so many bytes share a write: 100 times cheaper than a write each."""

SHARED = 0.002
"""Seconds: pieces that are due this close together share a write; timers are no finer."""

MOST_LATE = 0.05
"""Seconds that are caught up after a delay; whoever took the blocks too slowly for longer gets no burst."""

AT_ONCE = 512
"""So many pieces are made in one go where nobody waits for them."""


async def play(pieces: Iterable[Piece], pace: Pace) -> AsyncIterator[Block]:
    """The body, write by write."""
    now = asyncio.get_running_loop().time
    due = now()
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        due = max(due + _silence(piece, pace), now() - MOST_LATE)
        if piece.alone or due - now() > SHARED:
            if waiting:
                yield Block(b"".join(waiting))
                waiting.clear()
                size = 0
            await asyncio.sleep(due - now())
        waiting.append(piece.body)
        size += len(piece.body)
        if piece.cut or size >= BLOCK:
            yield Block(b"".join(waiting), cut=piece.cut)
            waiting.clear()
            size = 0
    yield Block(b"".join(waiting), last=True)


async def wait_for(pieces: Iterable[Piece], pace: Pace) -> bool:
    """Take as long as the stream of these pieces takes. Whether one of them cuts the connection."""
    silence, cut = 0.0, False
    for number, piece in enumerate(pieces, 1):
        silence += _silence(piece, pace)
        cut = cut or piece.cut
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    await asyncio.sleep(silence)
    return cut


def _silence(piece: Piece, pace: Pace) -> float:
    """Seconds before the piece."""
    return pace.gap(piece.tokens) + pace.pause(piece.pause) + piece.wait
