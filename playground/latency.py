"""When things came: first byte, event, reasoning, text and tool argument; gaps, pace, curves.

docs/latency.md defines them, pipeline.py calls it once a step. Times are whole microseconds since the request was
written. All rows of a read share its time, and no gap is made up between them. A read without a time says nothing.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from playground.transcript import Transcript

CHARACTERS_A_TOKEN: Final = 4.0
"""What an output token is taken for as long as the server has not said how many there are."""

STALL: Final = 10_000_000
"""Gaps of this length and above are stalls, in microseconds, unless the caller says otherwise."""

# Upper bounds of the histogram's classes, microseconds; the last class has none.
GAP_CLASSES: Final = (
    100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
    1_000_000, 2_000_000, 5_000_000, 10_000_000,
)  # fmt: skip

OPENTELEMETRY: Final = {
    "duration": "gen_ai.client.operation.duration",
    "first_event": "gen_ai.client.operation.time_to_first_chunk",
    "gaps": "gen_ai.client.operation.time_per_output_chunk",
    "first_token": "gen_ai.server.time_to_first_token",
    "time_per_token": "gen_ai.server.time_per_output_token",
    "tokens": "gen_ai.client.token.usage",
}
"""The names that the GenAI conventions of OpenTelemetry have for these figures; they count in seconds."""

# kind of part: the field that grows, what its first character is the first of
_FIRST: Final = {
    "text": ("text", "text"),
    "refusal": ("text", "text"),
    "reasoning": ("text", "reasoning"),
    "tool_call": ("arguments", "tool"),
    "server_tool": ("input", "tool"),
}
_GROWS: Final = {"text": "text", "refusal": "text", "reasoning": "text", "tool_call": "arguments"}


@dataclass(frozen=True, slots=True)
class Gaps:
    """Gaps between reads that brought events, in microseconds. All None when there are none.

    `burstiness` is (s - m) / (s + m) of their mean and standard deviation: -1 for a steady beat, 0 for chance, towards
    1 for bursts (Goh and Barabási 2008).
    """

    count: int
    median: int | None
    p95: int | None
    longest: int | None
    burstiness: float | None


class Latency:
    """One lane. Memory: 24 bytes a read that brings events."""

    def __init__(self) -> None:
        self.head: int | None = None
        self.first_byte: int | None = None
        self.first_event: int | None = None
        self.first_reasoning: int | None = None
        self.first_text: int | None = None
        self.first_tool: int | None = None
        self.last_event: int | None = None
        self.ended: int | None = None
        self.events = 0
        self.largest_read = 0  # the most events that one read brought
        self.timed = True  # every read so far had a time
        self.times = array("q")  # of the reads that brought events
        self.totals = array("Q")  # how many events there were after each of them
        self.offsets = array("Q")  # how many bytes of the decoded body
        self._sought = {"text", "reasoning", "tool"}
        # part number: field and word, of parts whose first character is awaited
        self._awaited: dict[int, tuple[str, str]] = {}

    def read(self, time: int | None, offset: int, events: int, operations: Sequence[Any]) -> None:
        """A read: its time, the decoded bytes up to its end, how many events it brought, and what they changed."""
        self.events += events
        if time is None:
            self.timed = False
            return
        if self.first_byte is None and offset:
            self.first_byte = time
        if not events:
            return
        if events > self.largest_read:
            self.largest_read = events
        if self.first_event is None:
            self.first_event = time
        self.last_event = time
        self.times.append(time)
        self.totals.append(self.events)
        self.offsets.append(offset)
        if self._sought:
            self._seek(time, operations)

    def end(self, time: int | None) -> None:
        self.ended = time

    @property
    def first_token(self) -> int | None:
        """The first reasoning, text, refusal or argument that is not empty."""
        firsts = [time for time in (self.first_reasoning, self.first_text, self.first_tool) if time is not None]
        return min(firsts, default=None)

    @property
    def duration(self) -> int | None:
        """From the request to the last byte that said something, or to the end of a stream without events."""
        return self.last_event if self.last_event is not None else self.ended

    def gaps(self) -> list[int]:
        """Between each two reads that brought events, in order."""
        return [after - before for before, after in zip(self.times, self.times[1:], strict=False)]

    def figures(self) -> Gaps:
        gaps = sorted(self.gaps())
        if not gaps:
            return Gaps(0, None, None, None, None)
        mean = sum(gaps) / len(gaps)
        deviation = (sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) ** 0.5
        burstiness = (deviation - mean) / (deviation + mean) if deviation + mean else None
        return Gaps(len(gaps), _rank(gaps, 0.5), _rank(gaps, 0.95), gaps[-1], burstiness)

    def stalls(self, least: int = STALL) -> list[tuple[int, int]]:
        """(start, end) of every gap of at least `least` microseconds."""
        return [
            (before, after)
            for before, after in zip(self.times, self.times[1:], strict=False)
            if after - before >= least
        ]

    def histogram(self) -> list[tuple[int | None, int]]:
        """(upper bound, how many gaps) of every class of GAP_CLASSES; the last bound is None."""
        counts = [0] * (len(GAP_CLASSES) + 1)
        for gap in self.gaps():
            counts[bisect_right(GAP_CLASSES, gap)] += 1
        return list(zip((*GAP_CLASSES, None), counts, strict=True))

    def curve(self, points: int = 500) -> list[tuple[int, int, int]]:
        """(time, events so far, bytes so far) of about `points` reads that brought events, first and last included."""
        count = len(self.times)
        step = max(1, -(-count // points))
        chosen = sorted({*range(0, count, step), count - 1} if count else ())
        return [(self.times[at], self.totals[at], self.offsets[at]) for at in chosen]

    def rows(self) -> Iterable[tuple[int, int, int, int | None]]:
        """For CSV: (time, events so far, bytes so far, gap to the read before) of every read that brought events."""
        before: int | None = None
        for time, total, offset in zip(self.times, self.totals, self.offsets, strict=True):
            yield time, total, offset, None if before is None else time - before
            before = time

    def tokens_a_second(self, transcript: Transcript) -> tuple[float | None, bool]:
        """Output tokens a second from the first token to the last event, and whether their number is estimated.

        Reasoning that stays hidden was made before the first token: with a count of it and no reasoning on the wire,
        only the other tokens count.
        """
        tokens, estimated = output_tokens(transcript, seen=self.first_reasoning is not None)
        start, last = self.first_token, self.last_event
        if tokens is None or start is None or last is None or last <= start:
            return None, estimated
        return tokens * 1_000_000 / (last - start), estimated

    def summary(self, transcript: Transcript) -> dict[str, Any]:
        """All figures as plain values: times in microseconds or None."""
        gaps = self.figures()
        rate, estimated = self.tokens_a_second(transcript)
        return {
            "first_byte": self.first_byte,
            "first_event": self.first_event,
            "first_reasoning": self.first_reasoning,
            "first_text": self.first_text,
            "first_tool": self.first_tool,
            "first_token": self.first_token,
            "duration": self.duration,
            "events": self.events,
            "reads": len(self.times),
            "gaps": {name: getattr(gaps, name) for name in Gaps.__slots__},
            "stalls": len(self.stalls()),
            "tokens_a_second": rate,
            "estimated": estimated,
        }

    def _seek(self, time: int, operations: Sequence[Any]) -> None:
        """Find what comes for the first time: the first character of a part that was opened, perhaps long before."""
        awaited = self._awaited
        for operation in operations:
            name = operation[1]
            if name == "open":
                _, _, part, kind, fields, _ = operation
                field, word = _FIRST.get(kind, ("", ""))
                if word in self._sought:
                    awaited[part] = (field, word)
                    if fields.get(field):
                        self._first(time, word)
            elif awaited and name in ("append", "set") and operation[2] in awaited and operation[4]:
                field, word = awaited[operation[2]]
                if operation[3] == field:
                    self._first(time, word)

    def _first(self, time: int, word: str) -> None:
        setattr(self, f"first_{word}", time)
        self._sought.discard(word)
        for part in [part for part, (_, sought) in self._awaited.items() if sought == word]:
            del self._awaited[part]


def output_tokens(transcript: Transcript, *, seen: bool) -> tuple[float | None, bool]:
    """How many tokens came, and whether that is estimated: until the server says how it finished, its counts are none
    of the whole answer. `seen`: reasoning is on the wire."""
    lane = transcript.lane.fields
    usage = lane.get("usage")
    if usage and lane.get("finish") and usage["output"] is not None:
        hidden = 0 if seen else usage["reasoning"] or 0
        return float(max(0, usage["output"] - hidden)), False
    characters = delivered(transcript)
    return (characters / CHARACTERS_A_TOKEN if characters else None), True


def delivered(transcript: Transcript) -> int:
    """The characters of all text, reasoning, refusals and arguments that came."""
    return sum(len(piece) for part in transcript for piece in part.pieces.get(_GROWS.get(part.kind, ""), ()))


def _rank(ordered: Sequence[int], share: float) -> int:
    """The nearest-rank percentile."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
