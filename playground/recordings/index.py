"""What lists and search need of a session, written beside it. A cache: all of it follows from the lanes and the title.

Called by keep.py when a session begins and when a lane ends, by shelf.py when a title changes, by rebuild.py.
Functions block and want a transaction around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from playground.recordings.models import Lane, Session

_OF_LANES = ("number", "seen", "host", "model", "word", "how", "started", "end_time", "prompt", "summary")


def enter(session: str) -> None:
    """Write the session's entry from its title and its lanes as they stand in the tables."""
    title = Session.objects.select_for_update().filter(pk=session).values_list("title", flat=True).first()
    if title is not None:
        lanes = list(Lane.objects.filter(session_id=session).only(*_OF_LANES))
        Session.objects.filter(pk=session).update(**entry(title, lanes))


def entry(title: str, lanes: Sequence[Lane]) -> dict[str, Any]:
    """The derived columns of a Session with that title and those lanes, in order."""
    found = [lane.summary.get("findings") or {} for lane in lanes]
    texts = [text for lane in lanes for text in (_model(lane), lane.prompt, _text(lane))]
    return {
        "duration": _duration(lanes),
        "events": sum(lane.summary.get("events") or 0 for lane in lanes),
        "tokens": sum(_tokens(lane.summary.get("usage") or {}) for lane in lanes),
        "findings": sum(sum(counts.values()) for counts in found),
        "errors": sum(counts.get("error", 0) for counts in found),
        "card": {
            "line": next((line for lane in lanes if (line := lane.summary.get("line"))), ""),
            "lanes": [
                {"format": lane.seen, "host": lane.host, "model": _model(lane), "word": lane.word} for lane in lanes
            ],
        },
        "search": fold(" ".join(dict.fromkeys([title, *texts]))),
    }


def fold(text: str) -> str:
    """Text as it is searched in and for: small letters, one space between words."""
    return " ".join(text.casefold().split())


def host_of(target: str, url: str) -> str:
    """Where a request went, in a word: the gateway, else the host of its address, else what the target is called."""
    if target not in ("custom", "import"):
        return target[:255]
    try:
        return (urlsplit(url).netloc.rpartition("@")[2] or target)[:255]
    except ValueError:
        return target


def _model(lane: Lane) -> str:
    return lane.model or lane.summary.get("model") or ""


def _text(lane: Lane) -> str:
    """What was said; `line` has the words of a call or an error where no text came."""
    return lane.summary.get("text") or lane.summary.get("line") or ""


def _tokens(usage: dict[str, Any]) -> int:
    return (usage.get("input") or 0) + (usage.get("output") or 0)


def _duration(lanes: Sequence[Lane]) -> int:
    """Microseconds from the first request to the last end; 0 when no lane knows."""
    timed = [(lane.started, lane.end_time) for lane in lanes if lane.end_time is not None]
    if not timed:
        return 0
    began = min((started for started, _ in timed if started is not None), default=None)
    return max(
        time + (round((started - began) * 1e6) if started is not None and began is not None else 0)
        for started, time in timed
    )
