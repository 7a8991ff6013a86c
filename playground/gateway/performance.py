"""One answer: a script through its model's own format and the caller's, faults on top, as pieces for playing.py.

Called by scripted.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from playground.formats.interface import usage_counts
from playground.formats.updates import LANE, Update
from playground.gateway.asking import Ask
from playground.gateway.converting import NativeWire
from playground.gateway.faults import Moment, Piece
from playground.gateway.scenarios import Scenario
from playground.gateway.speaker import Beat, OutOfTokens, Speaker, prompt_tokens
from playground.lens import WRITERS
from playground.lens.encoding import encode
from playground.lens.interface import Writer


class Identity(NamedTuple):
    """All that differs between two answers to one request: the bare id, and seconds since 1970."""

    id: str
    created: int


def writer_for(ask: Ask, identity: Identity) -> Writer:
    native = ask.model.native_format
    return WRITERS[ask.format](
        id=identity.id,
        model=ask.model.name,
        created=identity.created,
        usage=ask.usage,
        request=ask.body,
        overlapping=native == "responses" != ask.format,
    )


def beats(ask: Ask, scenario: Scenario) -> Iterator[Beat]:
    """The script's beats, and those that end every answer. The caller's token limit cuts it short."""
    speaker = Speaker(ask)
    try:
        yield from scenario.script(speaker, ask)
    except OutOfTokens:
        speaker.finish = "length"
    if not speaker.failed:
        yield from speaker.close()


def streamed(ask: Ask, scenario: Scenario, writer: Writer) -> Iterator[Piece]:
    """The answer as pieces of an event stream, with the scenario's faults."""
    return faulty(written(ask, scenario, writer), scenario, writer)


def faulty(pieces: Iterator[Piece], scenario: Scenario, writer: Writer) -> Iterator[Piece]:
    for fault in scenario.faults:
        pieces = fault(pieces, writer)
    return pieces


def written(ask: Ask, scenario: Scenario, writer: Writer) -> Iterator[Piece]:
    """The answer as pieces of an event stream, proper but for what the scenario changes in its events."""
    moments = _moments(ask, scenario, writer)
    for change in scenario.changes:
        moments = change(moments, writer)
    for events, spent in moments:
        if events:
            yield Piece(b"".join(map(encode, events)), spent)


def _moments(ask: Ask, scenario: Scenario, writer: Writer) -> Iterator[Moment]:
    if ask.model.native_format == ask.format:
        for beat in beats(ask, scenario):
            yield Moment(writer.feed(beat.updates), beat.tokens)
        yield Moment(writer.end())
        return
    native = NativeWire(ask.model.native_format, writer)
    told = False
    for beat in beats(ask, scenario):
        updates = native.passed(beat.updates)
        if not told and updates and not any(_is_error(update) for update in updates):
            told = True
            # Chat and Responses count the prompt at the end only; the gateway, which has the prompt, counts it now.
            updates.insert(0, ("set", LANE, "usage", usage_counts({}, input=prompt_tokens(ask), output=1, cached=0)))
        yield Moment(writer.feed(updates), beat.tokens)
    last = writer.feed(native.end())
    yield Moment([*last, *writer.end(native.complete)])
    writer.lost[:0] = native.lost


def _is_error(update: Update) -> bool:
    return update[0] == "open" and update[2] == "error"
