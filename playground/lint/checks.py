"""Findings over time and over sums: how the reads came, and what the counts say of each other. Called by linter.py."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from playground.formats.updates import ABANDONED, SUPERSEDED
from playground.latency import Latency, delivered
from playground.lint.findings import Findings, Place, Spot
from playground.lint.thresholds import Thresholds
from playground.reads import End
from playground.sse.rows import Row
from playground.transcript import Transcript

_KEPT: Final = 101
"""The median of so many gaps is what a gap is measured against."""

_UNSEEN: Final = frozenset({"image", "audio", "server_tool", "extra"})
"""Parts whose tokens are not counted by their characters."""


class Pace:
    """Gaps between reads that bring events, as they come."""

    def __init__(self, findings: Findings, thresholds: Thresholds) -> None:
        self._findings = findings
        self._thresholds = thresholds
        self._before: int | None = None
        self._gaps: list[int] = []  # the last _KEPT
        self._seen = 0
        self._burst: Spot | None = None  # the largest read's first row
        self._largest = 0

    def read(self, time: int, rows: Sequence[Row], events: int) -> None:
        """A read at `time` (microseconds) that brought events."""
        first = rows[0]
        if events > self._largest:
            self._largest = events
            self._burst = Spot(first.number, first.start, rows[-1].end)
        if self._before is not None:
            self._gap(time - self._before, first)
        self._before = time

    def end(self, latency: Latency, end: End, *, complete: bool) -> None:
        """The stream is over. Silence before an end that nobody here wanted is a stall as well."""
        limits = self._thresholds
        if not latency.timed:
            return
        if (
            self._burst is not None
            and self._largest >= limits.burst_events
            and self._largest > limits.burst_share * latency.events
        ):
            self._findings.add("read-burst", self._burst, f"{self._largest} of {latency.events} events in one read")
        if (
            not complete
            and self._before is not None
            and end.time is not None
            and end.how in ("closed", "reset", "idle-timeout")
        ):
            silence = end.time - self._before
            if silence >= limits.stall * 1_000_000:
                self._findings.add("stall", None, f"{silence / 1_000_000:.1f} s before the end")

    def _gap(self, gap: int, place: Place) -> None:
        limits = self._thresholds
        if gap >= limits.stall * 1_000_000:
            self._findings.add("stall", place, f"{gap / 1_000_000:.1f} s")
        elif gap >= limits.sudden_gap * 1_000_000 and self._seen >= limits.sudden_gap_after:
            usual = median(self._gaps)
            if gap >= limits.sudden_gap_factor * usual:
                self._findings.add("sudden-gap", place, f"{gap / 1_000_000:.2f} s, usually {usual / 1000:.1f} ms")
        if len(self._gaps) == _KEPT:
            self._gaps[self._seen % _KEPT] = gap
        else:
            self._gaps.append(gap)
        self._seen += 1


def judge_sums(
    findings: Findings, transcript: Transcript, thresholds: Thresholds, format: str, place: Place | None
) -> None:
    """The usage that stands at the end. `place`: where it came."""
    usage = transcript.lane.fields.get("usage")
    if not usage:
        return
    input, output, cached, total = usage["input"], usage["output"], usage["cached"], usage["total"]
    if cached is not None and input is not None and cached > input and format != "messages":
        findings.add("cached-above-input", place, f"{cached} of {input}")
    if None not in (input, output, total) and total != input + output:
        findings.add("total-mismatch", place, f"{total} is not {input} + {output}")
    # Counts that came before the end are none of the whole answer.
    if output is not None and transcript.lane.fields.get("finish") and not transcript.failed:
        _judge_output(findings, transcript, thresholds, usage, place)


def _judge_output(
    findings: Findings, transcript: Transcript, limits: Thresholds, usage: dict[str, int | None], place: Place | None
) -> None:
    """Output tokens against the characters delivered. What is hidden is known only where reasoning is counted."""
    output, reasoning = usage["output"] or 0, usage["reasoning"]
    characters = delivered(transcript)
    detail = f"{output} output tokens, {reasoning or 0} of them reasoning, {characters} characters"
    least, most = characters / limits.characters_per_token, characters * limits.tokens_per_character
    few = output < least - limits.usage_slack
    many = reasoning is not None and output - reasoning > most + limits.usage_slack
    if few or (many and not _hides(transcript)):
        findings.add("usage-implausible", place, detail)


def _hides(transcript: Transcript) -> bool:
    """Whether something was made whose tokens are not told by its characters."""
    return any(
        part.kind in _UNSEEN or part.fields.get("encrypted") or part.fields.get("status") in (ABANDONED, SUPERSEDED)
        for part in transcript
    )
