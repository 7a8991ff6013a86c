"""What judges of all formats share. A judge takes every event of a lane, in order, and raises findings.

Made by linter.py. It sees an event before the transcript has its updates, so that it knows what stood before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from playground.formats.interface import parse
from playground.formats.updates import ABANDONED, SUPERSEDED
from playground.lint.findings import Findings, Place, Spot
from playground.lint.halves import Halves
from playground.lint.sse import quoted
from playground.sse.rows import Row
from playground.transcript import Part, Transcript


class Judge(Protocol):
    """What a format offers to the linter.

    `errored`: an error came and nothing was said since; if it stays so, the error ended the stream. `usage` is the
    place of the last event that brought usage.
    """

    errored: bool
    usage: Spot | None

    def __init__(self, findings: Findings, transcript: Transcript, halves: Halves) -> None: ...

    def event(self, row: Row, updates: Sequence[Any]) -> None:
        """An event and what it changes. Ordinary events, nearly all of a stream, are told apart and cost little."""

    def rules(self, row: Row, updates: Sequence[Any]) -> None:
        """An event through all rules. On an ordinary one that finds nothing and changes nothing."""

    def failed(self) -> None:
        """An error came in a row that is no event."""

    def end(self, *, early: bool) -> None:
        """The stream is over. `early`: what merely follows from its early end is not raised."""


def spot(place: Place) -> Spot:
    return Spot(place.number, place.start, place.end)


def standing(transcript: Transcript, kind: str) -> list[Part]:
    """The parts of a kind that count, in order."""
    return [
        part for part in transcript if part.kind == kind and part.fields.get("status") not in (ABANDONED, SUPERSEDED)
    ]


def judge_arguments(findings: Findings, part: Part, place: Place | None) -> None:
    """The arguments of a call that nothing is added to any more."""
    arguments = part.value("arguments") or ""
    name = part.value("name") or "a call"
    if not arguments:
        findings.add("tool-arguments-empty", place, str(name), part=part.number)
    elif not isinstance(parse(arguments), dict):
        findings.add("tool-arguments-invalid-json", place, f"{name}: {quoted(arguments)}", part=part.number)


def judge_id(findings: Findings, part: Part, place: Place | None) -> None:
    """The id of a call that is over."""
    if not part.fields.get("id"):
        findings.add("tool-id-missing", place, str(part.value("name") or ""), part=part.number)
