"""A scripted model's answer as a source of blocks, streamed or whole. Made by views.py, read by calls.py."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from playground.gateway.asking import Ask
from playground.gateway.billing import NOTHING, bill_of
from playground.gateway.calls import Block
from playground.gateway.catalogue import EVENT_STREAM, HTML, JSON
from playground.gateway.faults import two_thirds
from playground.gateway.ledger import Bill
from playground.gateway.pace import Pace
from playground.gateway.performance import Identity, streamed, writer_for
from playground.gateway.playing import play, wait_for
from playground.gateway.refused import FAULT_WORDS, Refused
from playground.gateway.scenarios import Scenario
from playground.gateway.speaker import prompt_tokens
from playground.lens.encoding import encode_json
from playground.lens.interface import Loss


class Scripted:
    """One answer. Raises Refused at once when the scenario is an HTTP error."""

    waits = False

    def __init__(self, ask: Ask, scenario: Scenario, pace: Pace, identity: Identity) -> None:
        if scenario.refusal is not None:
            raise Refused(*scenario.refusal)
        self._ask = ask
        self._scenario = scenario
        self._pace = Pace(0, 0) if scenario.full_speed else pace
        self._writer = writer_for(ask, identity)
        self.streams = ask.stream and not (scenario.never_streamed or scenario.page)
        self.content_type = HTML if scenario.page else EVENT_STREAM if self.streams else JSON

    @property
    def failed(self) -> bool:
        return self._writer.fault is not None or bool(self._scenario.page)

    @property
    def lost(self) -> Sequence[Loss]:
        return self._writer.lost

    def bill(self) -> Bill:
        if self._scenario.page:
            return NOTHING
        return bill_of(self._ask.model, self._writer.transcript, prompt_tokens(self._ask))

    async def blocks(self) -> AsyncIterator[Block]:
        if self._scenario.page:
            yield Block(self._scenario.page.encode(), last=True)
            return
        pieces = streamed(self._ask, self._scenario, self._writer)
        if self.streams:
            async for block in play(pieces, self._pace):
                yield block
            return
        cut = await wait_for(pieces, self._pace)
        fault = self._writer.fault
        if fault is not None:
            raise Refused(FAULT_WORDS.get(fault.kind.messages, "failed"), fault.message)
        body = self._scenario.on_whole(encode_json(self._writer.whole()))
        beginning = two_thirds(body) if cut else b""
        if cut:
            yield Block(beginning, cut=True)
        yield Block(body[len(beginning) :], last=True)
