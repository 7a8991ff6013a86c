"""One answer: a scenario's script through a writer, faults on top, as pieces for playing.py. Called by views.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from playground.gateway.asking import Ask
from playground.gateway.faults import Moment, Piece
from playground.gateway.scenarios import Scenario
from playground.gateway.speaker import Beat, OutOfTokens, Speaker
from playground.lens import WRITERS
from playground.lens.interface import Writer, encode


class Identity(NamedTuple):
    """All that differs between two answers to one request: the bare id, and seconds since 1970."""

    id: str
    created: int


def writer_for(ask: Ask, identity: Identity) -> Writer:
    return WRITERS[ask.format](
        id=identity.id, model=ask.model.name, created=identity.created, usage=ask.usage, request=ask.body
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
    for beat in beats(ask, scenario):
        yield Moment(writer.feed(beat.updates), beat.tokens)
    yield Moment(writer.end())
