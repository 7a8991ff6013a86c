"""Bodies through the corridor, for what the linter finds in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from playground.pipeline import Pipeline, Step
from playground.reads import End, Head, How, Read

HEAD = Head("POST", "", (), b"", status=200, headers=(("content-type", "text/event-stream"),))


def walked(
    pieces: Iterable[bytes], format: str | None, how: How = "closed", **options: Any
) -> tuple[Pipeline, list[Step]]:
    """The pipeline after its end and all its steps. The reads have no times."""
    pipeline = Pipeline(format, **options)
    steps = [pipeline.head(HEAD)]
    steps += [pipeline.feed(Read(number, None, piece)) for number, piece in enumerate(pieces, 1)]
    steps.append(pipeline.end(End(how)))
    return pipeline, steps


def findings(pipeline: Pipeline) -> list[str]:
    """The rules that have findings, sorted."""
    return sorted(finding.rule.id for finding in pipeline.findings)


def told(steps: Sequence[Step]) -> list[str]:
    """The same as the steps say it."""
    return sorted({found.rule for step in steps for found in step.findings})


def found(body: bytes, format: str | None = None, how: How = "closed") -> list[str]:
    """The rules that a body breaks."""
    return findings(walked([body], format, how)[0])
