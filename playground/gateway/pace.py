"""How fast a scripted model answers: `X-Gateway-Pace: tps=60, first=200ms, seed=1`.

Read by views.py, asked by playing.py.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable

from playground.gateway.refused import Refused

HEADER = "X-Gateway-Pace"
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)(ms|s)", re.ASCII)
_LONGEST_FIRST = 600.0
_FASTEST = 1_000_000.0


class Pace:
    """`tps` tokens a second, 0 as fast as it goes; `first` seconds before the first one; `seed` of the jitter."""

    def __init__(self, tps: float = 60.0, first: float = 0.2, seed: int = 1) -> None:
        self.tps = tps
        self.first = first
        self._random = random.Random(seed)
        self._begun = False

    def gap(self, tokens: int) -> float:
        """Seconds before a piece of that many tokens: uneven like those of a real model, on average 1/tps each."""
        if not tokens:
            return 0.0
        if not self._begun:
            self._begun = True
            return self.first
        if not self.tps:
            return 0.0
        return self._random.gammavariate(2.5, 0.4) * tokens / self.tps

    def pause(self, tokens: int) -> float:
        """Seconds of a silence as long as so many tokens take."""
        return tokens / self.tps if self.tps else 0.0


def read(header: str) -> Pace:
    """The pace that a header asks for; Refused, with what would be right, when it says something else."""
    values: dict[str, float] = {}
    for setting in filter(None, (setting.strip() for setting in header.split(","))):
        name, _, value = (part.strip() for part in setting.partition("="))
        if name not in _READERS or name in values:
            raise _wrong(setting)
        number = _READERS[name](value)
        if number is None:
            raise _wrong(setting)
        values[name] = number
    return Pace(values.get("tps", 60.0), values.get("first", 0.2), int(values.get("seed", 1)))


def _rate(text: str) -> float | None:
    try:
        rate = float(text)
    except ValueError:
        return None
    return rate if math.isfinite(rate) and 0 <= rate <= _FASTEST and (rate == 0 or rate >= 0.01) else None


def _seconds(text: str) -> float | None:
    if text == "0":
        return 0.0
    match = _SECONDS.fullmatch(text)
    if match is None:
        return None
    seconds = float(match[1]) / (1000 if match[2] == "ms" else 1)
    return seconds if seconds <= _LONGEST_FIRST else None


def _seed(text: str) -> float | None:
    return int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


_READERS: dict[str, Callable[[str], float | None]] = {"tps": _rate, "first": _seconds, "seed": _seed}


def _wrong(setting: str) -> Refused:
    told = f"{HEADER} does not understand `{setting[:80]}`: write for example `tps=60, first=200ms, seed=1`, each once."
    return Refused("invalid", told, HEADER)
