"""The reference streams, read by one format's decoder and written by another's writer, say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from playground.formats import FORMATS
from playground.lens import WRITERS
from playground.lens.encoding import encode
from playground.lens.interface import Writer
from tests.support.read_back import meaning, rows_of, said_in

STREAMS = Path(__file__).resolve().parent.parent / "streams"
REFERENCES = sorted(path.name for path in STREAMS.glob("ref-*"))

# What a format has no words of its own for; the writer's list of losses names it.
UNSAID = {("ref-chat-refusal", "messages"), ("ref-resp-refusal", "messages")}


def converted(source: str, raw: bytes, target: str) -> tuple[bytes, Writer]:
    """A stream of the format `source` as one of the format `target`, event by event."""
    decoder, writer = FORMATS[source](), WRITERS[target](overlapping=source == "responses")
    events = []
    for row in rows_of(raw):
        events += writer.feed(decoder.event(row) if row.kind == "event" else decoder.line(row))
    events += writer.feed(decoder.end())
    events += writer.end(decoder.complete)
    return b"".join(map(encode, events)), writer


@pytest.mark.parametrize("target", WRITERS)
@pytest.mark.parametrize("case", REFERENCES)
def test_a_reference_stream_says_the_same_in_every_format(case: str, target: str) -> None:
    meant: dict[str, Any] = json.loads((STREAMS / case / "expect.json").read_text())
    body, writer = converted(meant["format"], (STREAMS / case / "stream.sse").read_bytes(), target)
    read = said_in(target, body)
    if (case, target) in UNSAID:
        assert any(loss.element == "refusal" for loss in writer.lost)
        return
    assert (read["text"], read["reasoning"], read["refusal"]) == (meant["text"], meant["reasoning"], meant["refusal"])
    wraps = any(loss.element == "tool_call" for loss in writer.lost)
    assert [(call["name"], call["arguments"]) for call in read["tool_calls"]] == [
        (call["name"], json.dumps({"input": call["arguments"]}, separators=(",", ":")) if wraps else call["arguments"])
        for call in meant["tool_calls"]
    ]
    assert read["errors"] == meant["errors"]
    if not meant["errors"]:
        assert read["complete"] is meant["complete"]
        assert meaning(target, body, read) == writer.finish_class
    if meant["usage"] and read["usage"]:
        assert read["usage"]["output"] == meant["usage"]["output"]
