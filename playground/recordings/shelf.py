"""The library: sessions found, page by page, and what a person does with them. Called by doors and runs.

Functions block. A session that was deleted is out of sight everywhere, and gone for good after KEPT_DELETED.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from playground.recordings.finding import PAGE, Wanted, deleted_sessions, ordered, position_of, wanted_sessions
from playground.recordings.index import enter
from playground.recordings.keep import written
from playground.recordings.models import Lane, Session, Tag

TITLE: Final = 200
"""Characters of a title."""
TAG: Final = 40
"""Characters of a tag."""
TAGS: Final = 20
"""Tags of a session."""
KEPT_DELETED: Final = datetime.timedelta(days=30)


def page(wanted: Wanted, size: int = PAGE) -> dict[str, Any]:
    """{"sessions": [entry, ...], "next": where the next page begins, None behind the last}. Raises ShelfError."""
    found = list(ordered(wanted)[: size + 1])
    more = len(found) > size
    return {"sessions": _entries(found[:size]), "next": position_of(wanted, found[size - 1]) if more else None}


def some(sessions: Sequence[str]) -> list[dict[str, Any]]:
    """The entries of these sessions as far as they are there, in no order."""
    return _entries(Session.objects.filter(pk__in=sessions, deleted=None).defer("search"))


def counts(wanted: Wanted) -> dict[str, Any]:
    """How many sessions match, how many there are, are deleted, and have each format, target, word, origin and tag."""
    shelved = Session.objects.filter(deleted=None)
    gone = deleted_sessions().values("pk")
    lanes, tags = Lane.objects.exclude(session__in=gone), Tag.objects.exclude(session__in=gone)
    return {
        "matching": wanted_sessions(wanted).count(),
        "total": shelved.count(),
        "deleted": gone.count(),
        "formats": _tally(lanes, "seen", "session"),
        "targets": _tally(lanes, "host", "session"),
        "words": _tally(lanes, "word", "session"),
        "origins": _tally(shelved, "origin", "pk"),
        "tags": _tally(tags, "name", "session"),
    }


def rename(session: str, title: str) -> str | None:
    """The title as it is kept now, None when there is no such session."""
    kept = " ".join(written(title).split())[:TITLE]
    with transaction.atomic():
        if not Session.objects.filter(pk=session, deleted=None).update(title=kept):
            return None
        enter(session)
    return kept


def tag(sessions: Sequence[str], add: Iterable[str], remove: Iterable[str] = ()) -> dict[str, list[str]]:
    """Give tags to sessions and take others away; by session the tags that it has now, at most TAGS."""
    with transaction.atomic():
        there = list(
            Session.objects.select_for_update().filter(pk__in=sessions, deleted=None).values_list("pk", flat=True)
        )
        Tag.objects.filter(session__in=there, name__in=set(map(tag_name, remove))).delete()
        tags = _tags(there)
        wanted = list(dict.fromkeys(filter(None, map(tag_name, add))))
        fresh = [
            Tag(session_id=session, name=name)
            for session in there
            for name in [name for name in wanted if name not in tags[session]][: max(0, TAGS - len(tags[session]))]
        ]
        Tag.objects.bulk_create(fresh, ignore_conflicts=True)
    tags = _tags(there)
    return {session: tags[session] for session in there}


def tag_name(text: str) -> str:
    """A tag as it is kept: small letters, one space between words."""
    return " ".join(written(text).lower().replace(",", " ").split())[:TAG].rstrip()


def streaming(sessions: Sequence[str]) -> list[str]:
    """Those of which a lane has no end yet."""
    open_lanes = Lane.objects.filter(session__in=sessions, how="").order_by()
    return list(open_lanes.values_list("session_id", flat=True).distinct())


def delete(sessions: Sequence[str]) -> int:
    """Put sessions out of sight; how many were in it."""
    return Session.objects.filter(pk__in=sessions, deleted=None).update(deleted=timezone.now())


def restore(sessions: Sequence[str]) -> int:
    """Bring deleted sessions back; how many there were."""
    return deleted_sessions().filter(pk__in=sessions).update(deleted=None)


def erase(sessions: Sequence[str] | None = None) -> int:
    """Remove deleted sessions for good, all of them when none is named; how many."""
    gone = deleted_sessions()
    return _remove(gone if sessions is None else gone.filter(pk__in=sessions))


def purge() -> int:
    """Remove for good what was deleted longer than KEPT_DELETED ago; how many sessions."""
    return _remove(deleted_sessions().filter(deleted__lt=timezone.now() - KEPT_DELETED))


def _remove(gone: Any) -> int:
    """One at a time: a long transaction would keep recordings from being written."""
    keys = list(gone.values_list("pk", flat=True))
    for key in keys:
        Session.objects.filter(pk=key).delete()
    return len(keys)


def _entries(sessions: Iterable[Session]) -> list[dict[str, Any]]:
    """What a list shows of sessions, as JSON has it; times in seconds since 1970, `duration` in microseconds."""
    found = list(sessions)
    tags = _tags([session.pk for session in found])
    return [
        {
            "id": session.pk,
            "title": session.title,
            "created": session.created.timestamp(),
            "origin": session.origin,
            "deleted": session.deleted.timestamp() if session.deleted else None,
            "tags": tags[session.pk],
            "line": session.card.get("line", ""),
            "lanes": session.card.get("lanes", []),
            "duration": session.duration,
            "events": session.events,
            "tokens": session.tokens,
            "findings": session.findings,
            "errors": session.errors,
        }
        for session in found
    ]


def _tags(sessions: Sequence[str]) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = defaultdict(list)
    for session, name in Tag.objects.filter(session__in=sessions).order_by("name").values_list("session_id", "name"):
        tags[session].append(name)
    return tags


def _tally(rows: QuerySet[Any], column: str, sessions: str) -> dict[str, int]:
    """By the column's value, how many sessions have it."""
    return dict(rows.values_list(column).annotate(Count(sessions, distinct=True)).order_by(column))
