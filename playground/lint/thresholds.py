"""How much is too much: the thresholds of the rules over time and sums. Each says what it is, for the page of rules."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def _threshold(default: float, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Times in seconds. The defaults are wide: a finding here should be worth a look."""

    stall: float = _threshold(10.0, "seconds without an event that make a stall")
    sudden_gap: float = _threshold(1.0, "seconds that a sudden gap has at least")
    sudden_gap_factor: float = _threshold(20.0, "how many times the median of the gaps before it a sudden gap has")
    sudden_gap_after: int = _threshold(20, "how many gaps there are before one can be sudden")
    burst_share: float = _threshold(0.6, "the share of all events above which one read is a burst")
    burst_events: int = _threshold(50, "how many events a burst has at least")
    characters_per_token: float = _threshold(20.0, "characters for an output token above which usage is implausible")
    tokens_per_character: float = _threshold(3.0, "output tokens for a character above which usage is implausible")
    usage_slack: int = _threshold(200, "output tokens by which usage may be off all the same")


def described(thresholds: Thresholds) -> list[tuple[str, float, str]]:
    """(name, value, what it is) of each."""
    return [(one.name, getattr(thresholds, one.name), one.metadata["says"]) for one in fields(thresholds)]
