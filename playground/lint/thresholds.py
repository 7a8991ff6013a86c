"""How much is too much: the thresholds of the rules over time and sums. Each says what it is, for the page of rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

PREFIX: Final = "PLAYGROUND_LINT_"
"""What the variables that choose thresholds begin with: PLAYGROUND_LINT_STALL=5."""


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


def chosen(environment: Mapping[str, str]) -> Thresholds:
    """The defaults, but for those that the environment names. Raises ValueError with a sentence for a person."""
    limits = {PREFIX + one.name.upper(): one for one in fields(Thresholds)}
    values: dict[str, float] = {}
    for name in sorted(name for name in environment if name.startswith(PREFIX)):
        if name not in limits:
            raise ValueError(f"{name} chooses no threshold; there are {', '.join(limits)}.")
        one = limits[name]
        whole = isinstance(one.default, int)
        try:
            values[one.name] = value = int(environment[name]) if whole else float(environment[name])
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf:
            raise ValueError(
                f"{name} is {one.metadata['says']}: write {'a whole number' if whole else 'a number'} above 0."
            )
    return Thresholds(**values)  # type: ignore[arg-type] # each was made by its field
