"""Every change to the tables: a session begins, its reads are kept, its lanes end. Called by recorder.py and runs.

All functions block; the callers run them in threads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from playground.reads import End, Head, Read
from playground.recordings.index import enter, entry, host_of
from playground.recordings.masking import without_keys
from playground.recordings.models import Lane, Page, Session
from playground.recordings.pages import count, cut, pack
from playground.recordings.prompt import asked, title_of


@dataclass(frozen=True, slots=True)
class NewLane:
    """A lane that is about to run. `head` is the request as it may be kept: masked."""

    format: str
    target: str
    model: str
    head: Head
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Seal:
    """What is written when a lane ends: how, the lane's word, what it came to."""

    end: End
    word: str
    complete: bool
    summary: dict[str, Any]
    notes: Sequence[str] = ()


@dataclass(slots=True)
class Batch:
    """What came for one lane since the last transaction. `size`, `count`, `digest` (SHA-256) are those of the body kept
    before it; write() brings them up to date."""

    lane: int
    head: Head | None = None
    reads: Sequence[Read] = ()
    seal: Seal | None = None
    size: int = 0
    count: int = 0
    digest: Any = field(default_factory=hashlib.sha256)


class Begun(NamedTuple):
    session: str
    lanes: list[int]


def begin(
    title: str, lanes: Sequence[NewLane], writer: str | None, owner: int | None = None, *, origin: str = "run"
) -> Begun:
    """A session with its lanes; their keys, in order. Without a title it is called after what was asked."""
    questions = [clean(asked(lane.head.request_body)) for lane in lanes]
    title = (
        title
        or title_of(next((user for user, _ in questions if user), ""))
        or " · ".join(dict.fromkeys(lane.model for lane in lanes if lane.model))
    )
    with transaction.atomic():
        session = Session.objects.create(
            title=written(title)[:200], created=timezone.now(), writer_id=writer, owner=owner, origin=origin
        )
        rows = [
            _lane(session.id, number, lane, prompt)
            for number, (lane, (_, prompt)) in enumerate(zip(lanes, questions, strict=True))
        ]
        Session.objects.filter(pk=session.pk).update(**entry(session.title, rows))
    return Begun(session.id, [row.pk for row in rows])


def _lane(session: str, number: int, lane: NewLane, prompt: str) -> Lane:
    return Lane.objects.create(
        session_id=session,
        number=number,
        format=lane.format,
        target=clean(lane.target)[:32],
        model=written(lane.model)[:300],
        method=clean(lane.head.method)[:16],
        url=clean(lane.head.url),
        request_headers=clean(lane.head.request_headers),
        request_body=lane.head.request_body,
        started=lane.head.started,
        notes=[*map(written, lane.notes)],
        seen=lane.format,
        host=host_of(lane.target, clean(lane.head.url)),
        prompt=prompt,
    )


def begin_import(title: str, writer: str, owner: int | None = None, created: datetime | None = None) -> str:
    """A session whose lanes come by and by; its id. Nobody sees it before `shelve`: it counts as deleted."""
    now = timezone.now()
    session = Session.objects.create(
        title=written(title)[:200], created=created or now, writer_id=writer, owner=owner, origin="import", deleted=now
    )
    return session.id


def add_lane(session: str, number: int, lane: NewLane) -> int:
    """One more lane of a session; its key."""
    return _lane(session, number, lane, clean(asked(lane.head.request_body))[1]).pk


def shelve(session: str, name: str, notes: Sequence[str] = ()) -> None:
    """The import is whole. Without a title it is called after what was asked, else `name`; every lane gets `notes`."""
    with transaction.atomic():
        row = Session.objects.select_for_update().get(pk=session)
        lanes = list(row.lanes.all())
        user = next((user for lane in lanes if (user := asked(bytes(lane.request_body)).user)), "")
        row.title = row.title or written(title_of(user) or name)[:200]
        row.writer = row.deleted = None
        row.save(update_fields=["title", "writer", "deleted"])
        for lane in lanes:
            Lane.objects.filter(pk=lane.pk).update(notes=[*lane.notes, *map(written, notes)])
        enter(session)


def discard(session: str) -> None:
    """A session that never became whole, with all that came of it."""
    Session.objects.filter(pk=session).delete()


def write(batches: Sequence[Batch]) -> None:
    """All of it or, when that fails, nothing. One transaction."""
    pages = []
    for batch in batches:
        for reads in cut(batch.reads):
            body, marks = pack(reads)
            pages.append(Page(lane_id=batch.lane, first=reads[0].number, start=batch.size, body=body, marks=marks))
            batch.size += len(body)
            batch.digest.update(body)
        batch.count += len(batch.reads)
    with transaction.atomic():
        for batch in batches:
            if batch.head is not None:
                Lane.objects.filter(pk=batch.lane).update(**_head(batch.head))
        if pages:
            Page.objects.bulk_create(pages)
        for batch in batches:
            if batch.seal is not None:
                _close(batch, batch.seal)


def _close(batch: Batch, seal: Seal) -> None:
    lane = Lane.objects.filter(pk=batch.lane)
    format = seal.summary.get("format")
    lane.update(**_seal(batch, seal), **({"seen": format} if format else {}))
    for session in lane.values_list("session_id", flat=True):
        enter(session)


def _head(head: Head) -> dict[str, Any]:
    return {
        "headed": True,
        "started": head.started,
        "status": head.status,
        "reason": clean(head.reason),
        "headers": clean(head.headers),
        "head_time": head.time,
    }


def _seal(batch: Batch, seal: Seal) -> dict[str, Any]:
    return {
        "headed": True,
        "how": seal.end.how,
        "end_time": seal.end.time,
        "detail": clean(seal.end.detail),
        "word": seal.word,
        "complete": seal.complete,
        "summary": clean(seal.summary),
        "notes": clean(list(seal.notes)),
        "reads": batch.count,
        "size": batch.size,
        "digest": batch.digest.hexdigest(),
    }


def seal_kept(lane: int, seal: Seal) -> None:
    """Seal a lane whose server is gone with what is in the tables."""
    batch = Batch(lane, seal=seal)
    for body, marks in Page.objects.filter(lane_id=lane).order_by("first").values_list("body", "marks").iterator(16):
        batch.size += len(body)
        batch.count += count(bytes(marks))
        batch.digest.update(body)
    _close(batch, seal)


def written(text: str) -> str:
    """What a person or a file says about a session, without keys, as every database takes it."""
    return without_keys(clean(text))


def clean(value: Any) -> Any:
    """Text that every database takes: PostgreSQL refuses NUL, and no database takes half a character."""
    if isinstance(value, str):
        value = value.replace("\0", "\ufffd")
        try:
            value.encode()
        except UnicodeEncodeError:
            value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return value
    if isinstance(value, dict):
        return {clean(name): clean(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [clean(entry) for entry in value]
    return value
