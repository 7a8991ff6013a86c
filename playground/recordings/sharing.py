"""Links on which others look at a session: made, found by their token, listed, revoked. Called by runs.

A token is 192 random bits and is shown once; the tables have its SHA-256, which is enough for what nobody can guess.
Functions block.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from django.db import IntegrityError
from django.utils import timezone

from playground.recordings.keep import written
from playground.recordings.models import Session, Share
from playground.recordings.veil import LeftOut

LIFETIMES: Final = {
    "hour": datetime.timedelta(hours=1),
    "day": datetime.timedelta(days=1),
    "week": datetime.timedelta(days=7),
    "month": datetime.timedelta(days=30),
    "quarter": datetime.timedelta(days=90),
}
USUAL: Final = "month"

MOST_LINKS: Final = 100
"""Links that a session may have, those that are over included."""

Why = Literal["unknown", "expired", "revoked", "unchecked"]

SENTENCES: Final[dict[Why, str]] = {
    "unknown": "There is nothing at this address. The link may be cut short, or its session was deleted.",
    "expired": "This link has expired. Ask whoever sent it for a new one.",
    "revoked": "This link was revoked by whoever made it. Ask them for a new one.",
    "unchecked": "The database does not answer, so this link cannot be checked. Load the page again later.",
}


class Gone(Exception):
    """A link that shows nothing, and why; the message is a sentence for whoever opened it."""

    def __init__(self, why: Why) -> None:
        super().__init__(SENTENCES[why])
        self.why = why


@dataclass(frozen=True, slots=True)
class Shared:
    """A link without its token. Times are seconds since 1970; `over` says why it shows nothing any more."""

    id: str
    session: str
    created: float
    expires: float
    over: Why | None
    without: LeftOut


class Made(NamedTuple):
    token: str
    shared: Shared


def make(session: str, without: LeftOut, lifetime: str = USUAL) -> Made | None:
    """A new link; None when there is no such session. Raises ValueError, with a sentence, when it has too many."""
    if Share.objects.filter(session_id=session).count() >= MOST_LINKS:
        raise ValueError(f"A session may have {MOST_LINKS} links; this one has as many.")
    token = secrets.token_urlsafe(24)
    now = timezone.now()
    if not Session.objects.filter(pk=session, deleted=None).exists():
        return None
    try:
        share = Share.objects.create(
            session_id=session,
            token_hash=_hash(token),
            created=now,
            expires=now + LIFETIMES[lifetime],
            parts=sorted(without.parts),
            texts=[*map(written, without.texts)],
        )
    except IntegrityError:
        # Deleted since it was looked for.
        return None
    return Made(token, _shared(share))


def find(token: str) -> Shared:
    """The link of that token, one that still shows something. Raises Gone."""
    return _open(Share.objects.filter(token_hash=_hash(token), session__deleted=None).first())


def check(id: str) -> Shared:
    """The link with that id, if it still shows something. Raises Gone."""
    return _open(Share.objects.filter(pk=id, session__deleted=None).first())


def of_session(session: str) -> list[Shared]:
    """All links of a session, the newest first."""
    return [_shared(share) for share in Share.objects.filter(session_id=session)]


def revoke(session: str, id: str) -> Shared | None:
    """The link shows nothing from now on; None when the session has no such link."""
    links = Share.objects.filter(session_id=session, pk=id)
    links.filter(revoked=None).update(revoked=timezone.now())
    share = links.first()
    return None if share is None else _shared(share)


def _open(share: Share | None) -> Shared:
    if share is None:
        raise Gone("unknown")
    shared = _shared(share)
    if shared.over is not None:
        raise Gone(shared.over)
    return shared


def _shared(share: Share) -> Shared:
    over: Why | None = None
    if share.revoked is not None:
        over = "revoked"
    elif share.expires <= timezone.now():
        over = "expired"
    return Shared(
        share.id,
        share.session_id,
        share.created.timestamp(),
        share.expires.timestamp(),
        over,
        LeftOut(frozenset(share.parts), tuple(share.texts)),
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
