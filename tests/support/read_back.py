"""Body bytes read by this project's own parser, decoder and transcript."""

from __future__ import annotations

import json
from typing import Any

from playground.formats import FORMATS
from playground.lens import finish
from playground.sse.parser import Parser
from playground.transcript import Transcript, said


def rows_of(body: bytes) -> list[Any]:
    parser = Parser()
    return [*parser.feed(body, 1, None), *parser.end()]


def events_of(body: bytes) -> list[tuple[str, Any]]:
    """(event name, JSON value or text) of every dispatched event."""
    events = []
    for row in rows_of(body):
        if row.kind == "event":
            events.append((row.name, row.data if row.data == "[DONE]" else json.loads(row.data)))
    return events


def said_in(format: str, body: bytes) -> dict[str, Any]:
    """What a stream says, in the shape of tests/streams/*/expect.json."""
    decoder, transcript, events = FORMATS[format](), Transcript(), 0
    for row in rows_of(body):
        if row.kind == "event":
            events += 1
            transcript.apply(row.number, decoder.event(row))
        else:
            transcript.apply(row.number, decoder.line(row))
    transcript.apply(events, decoder.end())
    return said(transcript, events=events, complete=decoder.complete)


def said_whole(format: str, document: dict[str, Any]) -> dict[str, Any]:
    """What a whole answer says."""
    decoder, transcript = FORMATS[format](), Transcript()
    transcript.apply(1, decoder.document(document))
    transcript.apply(1, decoder.end())
    return said(transcript, events=0, complete=decoder.complete)


def meaning(format: str, body: bytes, read: dict[str, Any]) -> str:
    """The finish class of a stream; Responses tells why an answer is incomplete in its terminal event."""
    reason = None
    if format == "responses":
        reason = (events_of(body)[-1][1]["response"]["incomplete_details"] or {}).get("reason")
    return finish.class_of(read["finish"], detail=reason, calls=bool(read["tool_calls"]))
