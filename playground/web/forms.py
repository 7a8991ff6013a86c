"""What a page posts becomes what the hall takes; a refusal names its field and says what to do. Called by views.py."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playground.formats import FORMATS
from playground.reads import Headers
from playground.recordings.finding import Wanted
from playground.recordings.markers import NOTE
from playground.recordings.sharing import LIFETIMES, USUAL
from playground.recordings.shelf import TAG, TITLE
from playground.recordings.veil import LeftOut, left_out
from playground.runs import GATEWAY, LaneRequest, Refused, SessionRequest

MOST_LANES = 3
MOST_HEADERS = 100
MOST_SESSIONS = 1000
MOST_TAGS = 20
_WANTED = ("q", "format", "target", "word", "tag", "origin", "findings", "sort", "cursor")


def session_request(value: Any) -> SessionRequest:
    """The body of POST /sessions/. Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("invalid", "Send a JSON object with `lanes`.")
    title = _title(value)
    lanes = value.get("lanes")
    if not isinstance(lanes, list) or not 1 <= len(lanes) <= MOST_LANES:
        raise Refused("invalid", f"`lanes` is a list of one to {MOST_LANES} requests.", "lanes")
    try:
        marked = left_out([], _texts(value, "mask")).texts
    except ValueError as problem:
        raise Refused("invalid", str(problem), "lanes.0.mask") from None
    return SessionRequest([_lane(lane, f"lanes.{number}", marked) for number, lane in enumerate(lanes)], title)


def title_request(value: Any) -> str:
    """The title that a session is to have. Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("invalid", "Send a JSON object with `title`.")
    title = _title(value)
    if not title:
        raise Refused("invalid", "A title has a letter at least.", "title")
    return title


def marker_request(value: Any) -> tuple[int, int, int, str]:
    """(lane, start, end, note) of a new marker. Raises Refused."""
    note = note_request(value)
    places = []
    for name in ("lane", "start", "end"):
        place = value.get(name)
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < 2**53:
            raise Refused("invalid", f"`{name}` is a whole number, zero or more.", name)
        places.append(place)
    lane, start, end = places
    if end < start:
        raise Refused("invalid", "A marker ends behind its start.", "end")
    return lane, start, end, note


def note_request(value: Any) -> str:
    """The note of a marker. Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("invalid", "Send a JSON object with `note`.")
    note = value.get("note")
    words = " ".join(note.split()) if isinstance(note, str) else ""
    if not words:
        raise Refused("invalid", "Write a word or two into the note.", "note")
    if len(words) > NOTE:
        raise Refused("invalid", f"A note has at most {NOTE} characters.", "note")
    return words


def stop_request(value: Any) -> int | None:
    """The lane to stop, None for all. Raises Refused."""
    lane = value.get("lane") if isinstance(value, dict) else None
    if lane is not None and (not isinstance(lane, int) or isinstance(lane, bool) or lane < 0):
        raise Refused("invalid", "`lane` is the number of a lane, or is left out to stop all.", "lane")
    return lane


def share_request(value: Any) -> tuple[LeftOut, str]:
    """(what a link leaves out, how long it lasts). Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("invalid", "Send a JSON object with `without`, `texts` and `lifetime`.")
    lifetime = _text(value, "lifetime", "lifetime") or USUAL
    if lifetime not in LIFETIMES:
        raise Refused("invalid", f"`lifetime` is one of {', '.join(LIFETIMES)}.", "lifetime")
    try:
        return left_out(_texts(value, "without"), _texts(value, "texts")), lifetime
    except ValueError as problem:
        raise Refused("invalid", str(problem), "without") from None


def models_request(value: Any) -> tuple[str, str, str]:
    """(target, base URL, key). Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("invalid", "Send a JSON object with `target`.")
    target, base_url = _target(value, "")
    return target, base_url, _text(value, "key", "key")


def usage_request(value: Any) -> tuple[LaneRequest, str]:
    """(the lane that was sent, without its body; the x-request-id of its answer). Raises Refused."""
    if not isinstance(value, dict):
        raise Refused("invalid", "Send a JSON object with `request_id`.")
    format = _text(value, "format", "format")
    if format not in FORMATS:
        raise Refused("invalid", f"`format` is one of {', '.join(FORMATS)}.", "format")
    request_id = _text(value, "request_id", "request_id")
    if not re.fullmatch(r"[!-~]{1,200}", request_id):
        raise Refused("invalid", "`request_id` is the x-request-id of an answer.", "request_id")
    target, base_url = _target(value, "")
    headers, key = _headers(value.get("headers"), "headers"), _text(value, "key", "key")
    return LaneRequest(format=format, target=target, base_url=base_url, body=b"", headers=headers, key=key), request_id


def _lane(value: Any, field: str, marked: tuple[str, ...]) -> LaneRequest:
    if not isinstance(value, dict):
        raise Refused("invalid", "A lane is a JSON object.", field)
    format = _text(value, "format", f"{field}.format")
    if format not in FORMATS:
        raise Refused("invalid", f"`format` is one of {', '.join(FORMATS)}.", f"{field}.format")
    target, base_url = _target(value, f"{field}.")
    path = _text(value, "path", f"{field}.path")
    if path and not path.startswith("/"):
        raise Refused("invalid", "A path begins with a slash.", f"{field}.path")
    body = _text(value, "body", f"{field}.body")
    try:
        encoded = body.encode()
    except UnicodeEncodeError:
        raise Refused(
            "invalid", "The body contains half a character; write it as a JSON escape.", f"{field}.body"
        ) from None
    return LaneRequest(
        format=format,
        target=target,
        base_url=base_url,
        path=path,
        method=_text(value, "method", f"{field}.method") or "POST",
        body=encoded,
        headers=_headers(value.get("headers"), f"{field}.headers"),
        key=_text(value, "key", f"{field}.key"),
        marked=marked,
    )


def sessions_request(value: Any) -> list[str]:
    """The ids of the sessions that something is to be done with. Raises Refused."""
    ids = value.get("ids") if isinstance(value, dict) else None
    if not isinstance(ids, list) or not ids or not all(isinstance(id, str) and "\0" not in id for id in ids):
        raise Refused("invalid", "`ids` is a list of ids of sessions.", "ids")
    if len(ids) > MOST_SESSIONS:
        raise Refused("invalid", f"Choose at most {MOST_SESSIONS} sessions at once.", "ids")
    return ids


def tags_request(value: Any) -> tuple[list[str], list[str], list[str]]:
    """(ids of sessions, tags to give, tags to take away). Raises Refused."""
    ids = sessions_request(value)
    return ids, _tags(value, "add"), _tags(value, "remove")


def shelf_request(query: Mapping[str, str]) -> Wanted:
    """What the address of a list asks for; names that mean nothing here are passed over."""
    texts = {name: query[name].replace("\0", " ").strip() for name in _WANTED if query.get(name)}
    return Wanted(**texts, deleted=query.get("deleted") == "1")


def _tags(value: dict[str, Any], name: str) -> list[str]:
    tags = value.get(name, [])
    if not isinstance(tags, list) or len(tags) > MOST_TAGS or not all(isinstance(tag, str) for tag in tags):
        raise Refused("invalid", f"`{name}` is a list of at most {MOST_TAGS} tags.", name)
    if any(len(tag.strip()) > TAG for tag in tags):
        raise Refused("invalid", f"A tag may have {TAG} characters.", name)
    return tags


def _title(value: dict[str, Any]) -> str:
    title = _text(value, "title", "title").strip()
    if len(title) > TITLE:
        raise Refused("invalid", f"A title may have {TITLE} characters.", "title")
    return title


def _target(value: dict[str, Any], prefix: str) -> tuple[str, str]:
    target = _text(value, "target", f"{prefix}target") or GATEWAY
    if target not in {GATEWAY, "custom"}:
        raise Refused("invalid", "`target` is gateway or custom.", f"{prefix}target")
    base_url = _text(value, "base_url", f"{prefix}base_url").strip()
    if target == "custom" and not re.match(r"https?://[^/?#]", base_url, re.I):
        raise Refused(
            "invalid", "Give the base URL of the endpoint, for example https://api.openai.com/v1.", f"{prefix}base_url"
        )
    return target, base_url


def _headers(value: Any, field: str) -> Headers:
    if value is None:
        return ()
    pairs = isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in value
    )
    if not pairs or len(value) > MOST_HEADERS:
        raise Refused("invalid", f"`headers` is a list of at most {MOST_HEADERS} pairs [name, value].", field)
    return tuple((name.strip(), text) for name, text in value if name.strip())


def _texts(value: dict[str, Any], name: str) -> list[str]:
    texts = value.get(name, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Refused("invalid", f"`{name}` is a list of strings.", name)
    return texts


def _text(value: dict[str, Any], name: str, field: str) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise Refused("invalid", f"`{name}` is a string.", field)
    return text
