"""A model that is a real one elsewhere: the caller's request goes there in its format, its answer comes back in ours.

Made by views.py, read by calls.py. Event by event: what a read of the upstream says is written at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings

from playground.coding import Coding
from playground.formats.interface import parse
from playground.formats.updates import END
from playground.gateway.asking import Ask
from playground.gateway.billing import bill_of
from playground.gateway.calls import Block
from playground.gateway.catalogue import EVENT_STREAM, JSON
from playground.gateway.converting import WireReader
from playground.gateway.ledger import Bill
from playground.gateway.performance import Identity, writer_for
from playground.gateway.refused import FAULT_WORDS, Refused, word_of
from playground.gateway.rewording import reworded
from playground.gateway.speaker import prompt_tokens
from playground.lens import errors
from playground.lens.encoding import encode, encode_json
from playground.lens.interface import Event, Loss
from playground.upstream.addresses import Rules
from playground.upstream.answer import Answer, Timeouts
from playground.upstream.calls import call_for
from playground.upstream.client import Upstream
from playground.upstream.errors import UpstreamError

LONGEST_DOCUMENT = 16 * 1024 * 1024
_SECONDS_OF_AN_HOUR = 3600


class Routed:
    """One answer. Raises Refused at once when the key is not there."""

    waits = True
    """The status is the upstream's, so the caller's waits for it."""

    def __init__(self, ask: Ask, identity: Identity) -> None:
        model = ask.model
        key = os.environ.get(model.key_env, "") if model.key_env else ""
        if model.key_env and not key:
            raise Refused("failed", f"The gateway has no key for `{ask.name}`: {model.key_env} is not set.")
        body, self._not_asked = reworded(ask)
        try:
            self._call = call_for(model.native_format, model.address, encode_json(body), key=key)
        except UpstreamError as error:
            raise Refused("failed", error.detail) from None
        self._ask = ask
        self._key = key
        self._writer = writer_for(ask, identity)
        self._reader = WireReader(model.native_format)
        self.streams = ask.stream
        self.content_type = EVENT_STREAM if self.streams else JSON

    @property
    def failed(self) -> bool:
        return self._writer.fault is not None

    @property
    def lost(self) -> Sequence[Loss]:
        return [*self._not_asked, *self._writer.lost]

    def bill(self) -> Bill:
        return bill_of(self._ask.model, self._writer.transcript, prompt_tokens(self._ask))

    async def blocks(self) -> AsyncIterator[Block]:
        timeouts = Timeouts(settings.CONNECT_TIMEOUT, settings.FIRST_BYTE_TIMEOUT, settings.IDLE_TIMEOUT)
        begun = False
        try:
            async with _client().open(self._call, timeouts) as answer:
                await self._check(answer)
                begun = self.streams
                if begun:
                    yield Block(b"")
                async for events in self._events(answer):
                    if events and self.streams:
                        yield Block(_encoded(events))
        except UpstreamError as error:
            if not begun:
                raise Refused("timeout" if error.how.endswith("timeout") else "unreachable", error.detail) from None
            failure = {"message": error.detail, "raw": {"type": "server_error", "message": error.detail}}
            yield Block(_encoded(self._writer.feed([("open", "upstream", "error", failure, END)])))
        events = self._writer.end(self._reader.complete)
        if self.streams:
            yield Block(_encoded(events), last=True)
            return
        fault = self._writer.fault
        if fault is not None:
            raise Refused(FAULT_WORDS.get(fault.kind.messages, "failed"), fault.message, fault.param)
        yield Block(encode_json(self._writer.whole()), last=True)

    async def _events(self, answer: Answer) -> AsyncIterator[list[Event]]:
        """What each read of the upstream is in the caller's format."""
        coding = Coding(_header(answer, "content-encoding"))
        if "json" in _header(answer, "content-type"):
            value = parse((await _collected(answer, coding)).decode("utf-8", "replace"))
            if not isinstance(value, dict):
                raise UpstreamError("protocol", "The upstream's answer is no JSON object.")
            yield self._writer.feed([*self._reader.document(value)])
            return
        async for read in answer:
            yield self._writer.feed(self._reader.feed(coding.feed(read.body)))
            if self._reader.complete:
                break
        yield self._writer.feed([*self._reader.feed(coding.end()), *self._reader.end()])

    async def _check(self, answer: Answer) -> None:
        """Refused, in the words of the upstream, when its status says that no answer comes."""
        kind = _header(answer, "content-type")
        if answer.status < 400:
            if "html" in kind:
                raise Refused("unreachable", "The upstream answered with a page and not with an answer.")
            return
        body = await _collected(answer, Coding(_header(answer, "content-encoding")))
        value: Any = parse(body.decode("utf-8", "replace"))
        fault = errors.read(value if isinstance(value, dict) else {"message": f"The upstream said {answer.status}."})
        message = fault.message.replace(self._key, "(the key)") if self._key else fault.message
        raise Refused(word_of(answer.status), message, fault.param, _seconds(_header(answer, "retry-after")))


def _encoded(events: Sequence[Event]) -> bytes:
    return b"".join(map(encode, events))


def _header(answer: Answer, name: str) -> str:
    return ", ".join(value for key, value in answer.headers if key.lower() == name)


def _seconds(text: str) -> int | None:
    return min(int(text), _SECONDS_OF_AN_HOUR) if text.isascii() and text.isdigit() else None


async def _collected(answer: Answer, coding: Coding) -> bytes:
    body = bytearray()
    async for read in answer:
        body += coding.feed(read.body)
        if len(body) > LONGEST_DOCUMENT:
            raise UpstreamError("limit", f"The upstream's answer is longer than {LONGEST_DOCUMENT} bytes.")
    return bytes(body + coding.end())


_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Upstream] = WeakKeyDictionary()


def _client() -> Upstream:
    """The client of this event loop. Addresses of routes come from the settings, so they may stand anywhere."""
    return _clients.setdefault(asyncio.get_running_loop(), Upstream(Rules(allow_loopback=True, allow_private=True)))
