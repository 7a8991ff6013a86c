"""The official clients read the same bytes: what they accumulate is what the corridor shows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from tests.support import streams
from tests.support.official import JUDGES, pieces

REFERENCES = [case for case in streams.CASES if case.startswith("ref-")]


def shown(body: bytes, format: str) -> dict[str, Any]:
    """What the corridor shows."""
    pipeline = Pipeline(format)
    pipeline.head(Head("POST", "http://upstream.example/v1", (), b"", status=200))
    for number, piece in enumerate(pieces(body), 1):
        pipeline.feed(Read(number, number, piece))
    pipeline.end(End("closed"))
    said = pipeline.said()
    return {name: said[name] for name in ("text", "reasoning", "refusal", "tool_calls", "finish", "usage", "errors")}


@pytest.mark.parametrize("case", REFERENCES)
def test_the_official_client_accumulates_what_is_shown(case: str) -> None:
    format = streams.expected(case)["format"]
    ours, theirs = shown(streams.body(case), format), JUDGES[format](streams.body(case))
    if format == "messages":  # their client keeps the parsed input and not its text
        for call in ours["tool_calls"]:
            call["arguments"] = json.loads(call["arguments"])
    assert ours == theirs
