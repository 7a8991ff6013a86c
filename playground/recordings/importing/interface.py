"""What every kind of import offers. Used by the files here; the list of kinds is in __init__.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from playground.reads import Head, Headers
from playground.recordings.importing.source import Source
from playground.recordings.records import HeadRecord, Record

IMPORTED: Final = "import"
"""The target of a lane that nobody here ran: its address says where it went, or nothing does."""

NO_REQUEST: Final = "the request"
NO_BODY: Final = "the request's body"
NO_HEAD: Final = "the answer's status and headers"
NO_TIMES: Final = "times"
NO_CUTS: Final = "where socket reads ended"
UNDONE: Final = (
    "The content-encoding that the answer came with was undone before this was saved; its header is left out."
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of import. `title` and `sentence` stand on the page: what it is and what of it is kept.

    `recognises` looks at a source's first bytes and then at its name. `read` gives records; it raises ImportRefused
    where nothing can be kept, and gives a Trouble where something can.
    """

    name: str
    title: str
    sentence: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Record]]


def lane_head(
    lane: int,
    *notes: str,
    method: str = "POST",
    url: str = "",
    request_headers: Headers = (),
    request_body: bytes = b"",
    started: float | None = None,
    status: int | None = None,
    reason: str = "",
    headers: Headers = (),
    time: int | None = None,
    model: str = "",
) -> HeadRecord:
    """A lane's beginning with what is known of it; its format is recognised from the stream."""
    head = Head(method, url, request_headers, request_body, started, status, reason, headers, time)
    return HeadRecord(lane, "", IMPORTED, model, head, notes)


def missing(*words: str) -> str:
    """The note about what is unknown of a lane; words are those above."""
    return f"Not in what was imported: {', '.join(words)}."


def without_coding(headers: Headers) -> tuple[Headers, bool]:
    """The headers for a body whose content coding was undone, and whether that left one out."""
    kept = tuple((name, value) for name, value in headers if name.lower() != "content-encoding")
    return kept, len(kept) < len(headers)
