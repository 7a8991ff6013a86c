"""What a person does with kept sessions: names them. Called by doors. Functions block."""

from __future__ import annotations

from playground.recordings.keep import clean
from playground.recordings.masking import without_keys
from playground.recordings.models import Session

TITLE = 200
"""Characters of a title."""


def rename(session: str, title: str) -> str | None:
    """The title as it is kept now, None when there is no such session."""
    kept = " ".join(without_keys(clean(title)).split())[:TITLE]
    return kept if Session.objects.filter(pk=session).update(title=kept) else None
