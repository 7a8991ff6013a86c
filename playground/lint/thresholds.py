"""How much is too much: the thresholds of the rules over time and sums. Shown on the page of rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Times in seconds. The defaults are wide: a finding here should be worth a look."""

    stall: float = 10.0
    """A silence between two events, from which on it is a stall."""

    sudden_gap: float = 1.0
    """A gap below this is never sudden,"""
    sudden_gap_factor: float = 20.0
    """nor one that is not so many times as long as the median of the gaps before it,"""
    sudden_gap_after: int = 20
    """of which there must be at least so many."""

    burst_share: float = 0.6
    """A burst is a read that brings more than this share of all events,"""
    burst_events: int = 50
    """and at least so many of them."""

    characters_per_token: float = 20.0
    """Text with more characters for each output token than this is implausible,"""
    tokens_per_character: float = 3.0
    """and so is text with more output tokens for each character than this,"""
    usage_slack: int = 200
    """when it is off by more than so many tokens."""
