"""The atoms: what one socket read brought, what stood before the first one, and how it all stopped.

Made by upstream/ (live) or recordings/ (kept); taken by pipeline.py. Everything else is derived from these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Headers = tuple[tuple[str, str], ...]


class Read(NamedTuple):
    """The body bytes of one socket read.

    `number` counts from 1. `time` is in whole microseconds since the request was written (monotonic), None when
    unknown. `body` has transfer coding undone and content coding not.
    """

    number: int
    time: int | None
    body: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """A request as it may be shown (secrets masked) and the head of its answer.

    `status` is None while no answer has come. `started` is the wall clock in seconds since 1970, taken once when the
    request was written; `time` is when the answer's head arrived, in microseconds since then.
    """

    method: str
    url: str
    request_headers: Headers
    request_body: bytes
    started: float | None = None
    status: int | None = None
    reason: str = ""
    headers: Headers = ()
    time: int | None = None

    def header(self, name: str) -> str:
        """The answer's header of that name, all values joined by ", "; "" when there is none."""
        wanted = name.lower()
        return ", ".join(value for key, value in self.headers if key.lower() == wanted)


How = Literal[
    "closed",  # the upstream finished the body
    "reset",  # the connection broke inside the body
    "connect-timeout",
    "first-byte-timeout",
    "idle-timeout",
    "limit",  # a limit of this server (bytes a lane) was reached
    "stopped",  # by the person
    "refused",  # nobody listens at the address
    "unresolved",  # the name has no address
    "unreachable",  # no way to the address
    "tls",  # no secure connection came about
    "forbidden",  # the address may not be called
    "protocol",  # the upstream does not speak HTTP as it should
    "left-open",  # the format ended, the connection was left open and silent
    "interrupted",  # this server died
]

LANE_WORDS: Final = {
    "closed": "cut",
    "left-open": "cut",
    "reset": "cut",
    "protocol": "cut",
    "connect-timeout": "timed out",
    "first-byte-timeout": "timed out",
    "idle-timeout": "timed out",
    "limit": "limit",
    "stopped": "stopped",
    "refused": "refused",
    "unresolved": "refused",
    "unreachable": "refused",
    "tls": "refused",
    "forbidden": "refused",
    "interrupted": "interrupted",
}


@dataclass(frozen=True, slots=True)
class End:
    """How transport ended: `how`, when (microseconds since the request was written), and one sentence for a person."""

    how: How
    time: int | None = None
    detail: str = ""


def lane_word(end: End | None, *, complete: bool, failed: bool, status: int | None = None) -> str:
    """The one word a lane shows.

    `complete`: the format reached its own end. `failed`: an error was said on the wire. A lane says *ended* at the
    format's end, before transport is over; without an end it is *streaming*, or *waiting* until an answer came.
    """
    error = failed or (status is not None and status >= 400 and end is not None)
    if error and (end is None or LANE_WORDS[end.how] == "cut"):
        return "failed"
    if complete and (end is None or LANE_WORDS[end.how] in {"cut", "stopped"}):
        return "ended"
    if end is None:
        return "waiting" if status is None else "streaming"
    return LANE_WORDS[end.how]
