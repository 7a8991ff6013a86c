"""A session as records in order: what a recording file, an import and an export speak.

A SessionRecord first, a lane's HeadRecord before its reads, its EndRecord (or OpenRecord) behind them;
lanes interleave. Whoever reads records holds one at a time. No Django here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from playground.reads import End, Head, Read


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """`created` in seconds since 1970, None when unknown. `notes`: sentences for whoever reads the session later."""

    title: str = ""
    created: float | None = None
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class HeadRecord:
    """A lane begins. `lane` counts from 0; `format` "" is recognised from the stream; `target` says where it went.

    The head may come without answer (status None), its times may be None. `notes`: sentences about what was masked or
    is kept otherwise than it came.
    """

    lane: int
    format: str
    target: str
    model: str
    head: Head
    notes: Sequence[str] = ()


class ReadRecord(NamedTuple):
    """Reads of a lane are numbered from 1 without a gap."""

    lane: int
    read: Read


@dataclass(frozen=True, slots=True)
class EndRecord:
    """How a lane ended. `word` is what the lane showed, `digest` the SHA-256 of its bodies joined; "" when not told."""

    lane: int
    end: End
    word: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """The lane had no end yet when the records were taken: more may have come."""

    lane: int


@dataclass(frozen=True, slots=True)
class MarkerRecord:
    """A person's note at bytes `start` to `end` of a lane's decoded body; `created` in seconds since 1970."""

    lane: int
    start: int
    end: int
    note: str
    created: float | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something is damaged and was left out; all the rest is kept. `where`: "line 12"; `message`: one sentence."""

    where: str
    message: str


Record = SessionRecord | HeadRecord | ReadRecord | EndRecord | OpenRecord | MarkerRecord | Trouble
