"""A Call -> the HTTP answer: streamed, whole with what it cost, or a stored one again. Used by views.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from playground.gateway.calls import Block, Call
from playground.gateway.catalogue import EVENT_STREAM
from playground.gateway.ledger import Kept, cents
from playground.gateway.models import Stored
from playground.gateway.wire import Wire, wire_of

COST_HEADER = "X-Zukko-Cost-Micros"
BALANCE_HEADER = "X-Fetch-Balance-Cents"
REPLAYED_HEADER = "Idempotent-Replayed"
CACHE_HEADER = "X-Gateway-Cache"


class Body:
    """A call's blocks as the body of a response; closing it says that the client is gone."""

    def __init__(self, call: Call, wire: Wire) -> None:
        self._call = call
        self._wire = wire
        self._loop = asyncio.get_running_loop()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        wire = self._wire
        wire.open()
        try:
            yield b""  # the status goes out before the model starts
            await wire.room()
            while (block := await self._call.next()) is not None:
                yield block.body
                if block.cut:
                    self._call.stop_listening()
                    await wire.cut()
                    return
                await wire.room()
        finally:
            wire.close()
            self._call.leave()

    def close(self) -> None:
        """Called by Django, in a thread, also when the body was never begun."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._call.leave)


def streaming(request: HttpRequest, call: Call) -> StreamingHttpResponse:
    headers = {"content-type": call.source.content_type, "x-accel-buffering": "no"}
    return StreamingHttpResponse(Body(call, wire_of(getattr(request, "scope", {}))), headers=headers)


async def whole(request: HttpRequest, call: Call) -> HttpResponseBase:
    """The answer when its last token is there. Raises Refused when it came to nothing."""
    blocks: list[Block] = []
    try:
        while (block := await call.next()) is not None:
            blocks.append(block)
            if block.cut:
                break
    except asyncio.CancelledError:
        call.leave()
        raise
    call.stop_listening()
    if blocks[-1].cut:
        cut = _cut(blocks, wire_of(getattr(request, "scope", {})))
        return StreamingHttpResponse(cut, content_type=call.source.content_type)
    response = HttpResponse(b"".join(block.body for block in blocks), content_type=call.source.content_type)
    response[COST_HEADER] = str(call.bill.micros)
    response[BALANCE_HEADER] = str(cents(call.balance))
    return response


def again(kept: Kept) -> HttpResponse:
    """The stored bytes, at once."""
    response = HttpResponse(kept.body, content_type=kept.content_type)
    if kept.kind == Stored.IDEMPOTENCY:
        response[REPLAYED_HEADER] = "true"
    if kept.content_type != EVENT_STREAM:
        response[COST_HEADER] = "0"
        response[BALANCE_HEADER] = str(cents(kept.balance))
    return response


async def _cut(blocks: list[Block], wire: Wire) -> AsyncIterator[bytes]:
    wire.open()
    try:
        yield b"".join(block.body for block in blocks)
        await wire.cut()
    finally:
        wire.close()
