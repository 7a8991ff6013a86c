"""What somebody looks for in the library -> the sessions, in order, from a position on. Called by shelf.py.

Pages are cut by key, never by number: a page stays where it is while sessions come and go in front of it.
"""

from __future__ import annotations

import base64
import datetime
import json
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Lower, StrIndex

from playground.recordings.index import fold
from playground.recordings.models import Lane, Session, Tag

PAGE: Final = 50
"""Sessions of a page."""
SEARCH: Final = 200
"""Characters of a search."""


class ShelfError(Exception):
    """What is looked for cannot be: the field and a sentence that says what to do."""

    code = "invalid"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks for; "" is anything.

    `q`: words that all occur. `format` may be "unknown", `word` "streaming", `findings` any, errors or none.
    """

    q: str = ""
    format: str = ""
    target: str = ""
    word: str = ""
    tag: str = ""
    origin: str = ""
    findings: str = ""
    deleted: bool = False
    sort: str = "newest"
    cursor: str = ""


class Order(NamedTuple):
    """By which column, and whether the largest stands first."""

    column: str
    falling: bool


ORDERS: Final = {
    "newest": Order("created", True),
    "oldest": Order("created", False),
    "longest": Order("duration", True),
    "events": Order("events", True),
    "tokens": Order("tokens", True),
    "findings": Order("findings", True),
    "title": Order("title", False),
}

_FINDINGS: Final = {"any": Q(findings__gt=0), "errors": Q(errors__gt=0), "none": Q(findings=0)}


def deleted_sessions() -> QuerySet[Session]:
    """What a person deleted. An import counts as deleted while it is being written, but nobody may bring that back."""
    return Session.objects.exclude(deleted=None).exclude(origin="import", writer__isnull=False)


def wanted_sessions(wanted: Wanted) -> QuerySet[Session]:
    """All of them, in no order. Raises ShelfError."""
    if len(wanted.q) > SEARCH:
        raise ShelfError("q", f"A search may have {SEARCH} characters; take its most telling words.")
    if wanted.findings and wanted.findings not in _FINDINGS:
        raise ShelfError("findings", f"`findings` is one of {', '.join(_FINDINGS)}.")
    found = deleted_sessions() if wanted.deleted else Session.objects.filter(deleted=None)
    for word in fold(wanted.q.replace("\0", " ")).split():
        found = found.annotate(found_at=StrIndex("search", Value(word))).filter(found_at__gt=0)
    if wanted.format:
        found = found.filter(_with_lane(seen="" if wanted.format == "unknown" else wanted.format))
    if wanted.target:
        found = found.filter(_with_lane(host=wanted.target))
    if wanted.word:
        found = found.filter(_with_lane(word="" if wanted.word == "streaming" else wanted.word))
    if wanted.tag:
        found = found.filter(pk__in=Tag.objects.filter(name=wanted.tag).values("session"))
    if wanted.origin:
        found = found.filter(origin=wanted.origin)
    if wanted.findings:
        found = found.filter(_FINDINGS[wanted.findings])
    return found


def ordered(wanted: Wanted) -> QuerySet[Session]:
    """Those behind the cursor, in order. Raises ShelfError."""
    column, falling = _order(wanted)
    found = wanted_sessions(wanted).annotate(key=Lower("title") if column == "title" else F(column)).defer("search")
    if wanted.cursor:
        value, id = _position(wanted)
        # The first condition alone bounds the index; both together say what stands behind.
        if falling:
            found = found.filter(key__lte=value).filter(Q(key__lt=value) | Q(pk__lt=id))
        else:
            found = found.filter(key__gte=value).filter(Q(key__gt=value) | Q(pk__gt=id))
    return found.order_by("-key", "-pk") if falling else found.order_by("key", "pk")


def position_of(wanted: Wanted, session: Any) -> str:
    """The cursor that goes on behind a session that `ordered` gave."""
    key = session.key
    value = key.isoformat() if isinstance(key, datetime.datetime) else key
    place = json.dumps([wanted.sort, value, session.pk], separators=(",", ":"))
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _with_lane(**column: str) -> Q:
    return Q(pk__in=Lane.objects.filter(**column).order_by().values("session"))


def _order(wanted: Wanted) -> Order:
    order = ORDERS.get(wanted.sort)
    if order is None:
        raise ShelfError("sort", f"`sort` is one of {', '.join(ORDERS)}.")
    return order


def _position(wanted: Wanted) -> tuple[Any, str]:
    refusal = ShelfError("cursor", "This page's place in the list is none: load the list again.")
    try:
        padded = wanted.cursor + "=" * (-len(wanted.cursor) % 4)
        sort, value, id = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        if ORDERS[wanted.sort].column == "created":
            value = datetime.datetime.fromisoformat(value)
        f"{id}{value}".encode()
    except (ValueError, TypeError, RecursionError):
        raise refusal from None
    kind = {"created": datetime.datetime, "title": str}.get(ORDERS[wanted.sort].column, int)
    if sort != wanted.sort or type(value) is not kind or not isinstance(id, str) or "\0" in f"{id}{value}":
        raise refusal
    if isinstance(value, datetime.datetime) and value.tzinfo is None:
        raise refusal
    if isinstance(value, int) and abs(value) >= 2**63:
        raise refusal
    return value, id
