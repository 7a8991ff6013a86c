"""A search that the server ran, wherever the source's format tells it. Used by the writers."""

from __future__ import annotations

from typing import Any

from playground.formats.interface import parse
from playground.transcript import Part, Transcript


def query(part: Part) -> str:
    """What was looked for; "" while that is not known."""
    told = part.fields.get("query")
    if isinstance(told, str):
        return told
    written = parse(part.joined("input") or "{}")
    asked = written.get("query") if isinstance(written, dict) else None
    return asked if isinstance(asked, str) else ""


def found(part: Part) -> list[dict[str, Any]] | None:
    """What was found, each at least with its `url`; None while that is not known."""
    told = part.fields.get("found")
    if told is None:
        action = part.fields.get("action")
        told = action.get("sources") if isinstance(action, dict) else None
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else None


def span(citation: Part, transcript: Transcript, *, whole: bool) -> tuple[int, int]:
    """The code points that a citation is about, in its text or, `whole`, in all texts of the answer joined.

    A source that tells no place cites the whole text that the citation stands behind.
    """
    before, text = 0, ""
    for part in transcript:
        if part is citation:
            break
        if part.kind == "text" and not part.fields.get("choice"):
            before, text = before + len(text), part.joined()
    base = before if whole else 0
    start, end = citation.fields.get("start_index"), citation.fields.get("end_index")
    if isinstance(start, int) and isinstance(end, int):
        return base + start, base + end
    return base, base + len(text)
