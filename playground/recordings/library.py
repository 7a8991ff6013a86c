"""What is kept, looked up: a session with its lanes, what a lane has behind a read, a stretch of its body.

Called by runs and by doors. Functions block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from playground.coding import Coding
from playground.reads import End, Head, Read
from playground.recordings.finding import deleted_sessions
from playground.recordings.models import Lane, Page, Session
from playground.recordings.pages import count
from playground.recordings.prompt import is_title_of
from playground.recordings.replay import Cursor, pages, reads, replay
from playground.recordings.veil import NOTHING, LeftOut, Veil


class Kept(NamedTuple):
    """What the tables have of a lane behind a read: `end` stands with the lane's last reads, in one transaction.

    `lane` is its key; more reads behind these can be had by it.
    """

    lane: int
    format: str
    head: Head | None
    reads: Sequence[Read]
    end: End | None
    notes: Sequence[str] = ()


NoLane = Lane.DoesNotExist
"""The lane was erased."""


@dataclass(frozen=True, slots=True)
class LaneView:
    """A lane as the first message of a socket shows it. `last_step` is None while the lane has no end."""

    number: int
    format: str
    target: str
    model: str
    head: Head
    word: str
    last_step: int | None


@dataclass(frozen=True, slots=True)
class SessionView:
    id: str
    title: str
    created: float
    tags: Sequence[str]
    lanes: Sequence[LaneView]


def session(id: str, without: LeftOut = NOTHING) -> SessionView | None:
    """The session of that id as it is seen without some of it, None when there is none or it was deleted."""
    found = Session.objects.filter(pk=id, deleted=None).defer("search").first()
    if found is None:
        return None
    veil = Veil(without)
    lanes = [
        LaneView(
            number=lane.number,
            format=lane.format or str(lane.summary.get("format", "")),
            target=lane.target,
            model=veil.text(lane.model),
            head=veil.request(lane.head()),
            word=lane.word or ("streaming" if lane.headed else "waiting"),
            last_step=lane.reads + 1 if lane.how else None,
        )
        for lane in Lane.objects.filter(session=found)
    ]
    tags = [tag.name for tag in found.tags.all()]
    is_asked = is_title_of(found.title, Lane.objects.filter(session=found).values_list("prompt", flat=True))
    return SessionView(found.id, veil.title(found.title, is_asked), found.created.timestamp(), tags, lanes)


def lane(session: str, number: int) -> Lane | None:
    """A lane's row without the request's body, None when there is none."""
    lanes = Lane.objects.defer("request_body").filter(session_id=session, session__deleted=None)
    return lanes.filter(number=number).first()


def kept(session: str, number: int, after: int) -> Kept:
    """What is kept behind read `after`. Raises NoLane."""
    row = Lane.objects.defer("request_body").get(session_id=session, number=number)
    if not row.headed:
        # Reads may have been written since the row was read; without the head they are of no use yet.
        return Kept(row.pk, row.format, None, [], None)
    return Kept(row.pk, row.format, row.head(with_body=False), pages(row.pk, after), row.end(), row.notes)


def last_read(lane: int) -> int:
    """Number of the last read that is kept for sure, 0 when none is."""
    page = Page.objects.filter(lane_id=lane).order_by("-first").first()
    return 0 if page is None else page.first + count(bytes(page.marks)) - 1


def body(lane: Lane, start: int, end: int, tail: Sequence[Read] = (), without: LeftOut = NOTHING) -> bytes:
    """Bytes `start` to `end` of the decoded body; `tail` are reads that may not be kept yet."""
    head = lane.head(with_body=False)
    veil = Veil(without)
    coding = Coding(veil.head(head).header("content-encoding"))
    found = bytearray()
    offset = last = 0
    if not without and head.header("content-encoding").strip().lower() in {"", "identity"}:
        # Nothing to decode: begin with the page that has the first byte.
        page = (
            Page.objects.filter(lane_id=lane.pk, start__lte=start)
            .order_by("-first")
            .values_list("first", "start")
            .first()
        )
        if page is not None:
            last, offset = page[0] - 1, page[1]
    for part in (reads(lane.pk, last), tail):
        for read in part:
            if read.number != last + 1:
                continue
            last = read.number
            decoded = coding.feed(veil.feed(read.body))
            if offset + len(decoded) > start:
                found += decoded[max(0, start - offset) : max(0, end - offset)]
            offset += len(decoded)
            if offset >= end:
                return bytes(found)
    decoded = coding.feed(veil.end()) + coding.end()
    found += decoded[max(0, start - offset) : max(0, end - offset)]
    return bytes(found)


def transcript(lane: Lane, tail: Sequence[Read] = (), without: LeftOut = NOTHING) -> Cursor:
    """A cursor at the lane's last step: what was said until now."""
    cursor = Cursor(lane.format, without)
    for _ in replay(lane, cursor):
        pass
    for read in tail:
        if read.number == cursor.position + 1 and not cursor.over:
            cursor.read(read)
    return cursor


def is_over(session: str, number: int) -> bool:
    """The lane has its end."""
    return Lane.objects.filter(session_id=session, number=number).exclude(how="").exists()


def streams(session: str) -> bool:
    """Whether a lane of the session has no end yet."""
    return Lane.objects.filter(session_id=session, how="").exists()


def exists(session: str) -> bool:
    return Session.objects.filter(pk=session, deleted=None).exists()


def deleted(session: str) -> bool:
    """It was deleted and can be brought back."""
    return deleted_sessions().filter(pk=session).exists()
