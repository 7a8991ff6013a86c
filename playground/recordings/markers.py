"""Markers: what people noted at places of a lane. Called by doors, and by what reads and writes whole sessions.

Functions block. A place is bytes of the decoded body, so that a marker finds its row again whatever a later reader
makes of the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from playground.recordings.keep import clean
from playground.recordings.masking import without_keys
from playground.recordings.models import Lane, Marker, Session
from playground.recordings.records import MarkerRecord

NOTE: Final = 500
"""Characters of a note."""
MOST: Final = 1000
"""Markers of a session."""


class TooManyMarkers(Exception):
    """The session has MOST markers."""


def of_session(session: str) -> list[dict[str, Any]] | None:
    """The markers in the order of their places, None when there is no such session."""
    if not Session.objects.filter(pk=session, deleted=None).exists():
        return None
    return [_told(marker) for marker in _markers(session)]


def add(session: str, lane: int, start: int, end: int, note: str) -> dict[str, Any] | None:
    """The new marker, None when there is no such lane. Raises TooManyMarkers."""
    found = Lane.objects.only("pk").filter(session_id=session, session__deleted=None, number=lane).first()
    if found is None:
        return None
    if _markers(session).count() >= MOST:
        raise TooManyMarkers
    marker = Marker.objects.create(lane=found, start=start, end=end, note=_kept(note), created=timezone.now())
    return _told(marker) | {"lane": lane}


def edit(session: str, marker: int, note: str) -> dict[str, Any] | None:
    """The marker with its other note, None when there is none of that number."""
    found = _markers(session).filter(pk=marker).first()
    if found is None:
        return None
    found.note = _kept(note)
    found.save(update_fields=["note"])
    return _told(found)


def delete(session: str, marker: int) -> bool:
    """Whether there was one."""
    return _markers(session).filter(pk=marker).delete()[0] > 0


def records(lanes: Sequence[Lane]) -> list[MarkerRecord]:
    """The markers of these lanes of one session, for an export."""
    numbers = {lane.pk: lane.number for lane in lanes}
    return [
        MarkerRecord(numbers[each.lane_id], each.start, each.end, each.note, each.created.timestamp())
        for each in Marker.objects.filter(lane__in=numbers)
    ]


def keep_records(session: str, noted: Sequence[MarkerRecord]) -> None:
    """Keep what an import brought, as far as there are lanes for it."""
    lanes = dict(Lane.objects.filter(session_id=session).values_list("number", "pk"))
    Marker.objects.bulk_create(
        Marker(
            lane_id=lanes[each.lane],
            start=each.start,
            end=each.end,
            note=_kept(each.note),
            created=timezone.now() if each.created is None else datetime.fromtimestamp(each.created, UTC),
        )
        for each in noted[:MOST]
        if each.lane in lanes
    )


def _markers(session: str) -> QuerySet[Marker]:
    return Marker.objects.filter(lane__session_id=session, lane__session__deleted=None).select_related("lane")


def _kept(note: str) -> str:
    return str(clean(without_keys(note)))[:NOTE]


def _told(marker: Marker) -> dict[str, Any]:
    return {
        "id": marker.pk,
        "lane": marker.lane.number,
        "start": marker.start,
        "end": marker.end,
        "note": marker.note,
        "created": marker.created.timestamp(),
    }
