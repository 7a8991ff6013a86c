"""The names of channel-layer groups, all of them."""

from __future__ import annotations


def viewers(session: str) -> str:
    """All who watch a session, in whichever server they are."""
    return f"session.{session}"


def share(id: str) -> str:
    """All who watch on one share link."""
    return f"share.{id}"


def owner(session: str) -> str:
    """The one server that runs a session."""
    return f"owner.{session}"
