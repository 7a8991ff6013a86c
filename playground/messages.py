"""Every message between server and browser, typed, in one place; docs/wire.md explains them.

A Step goes in, JSON text comes out. Encoded once, however many people watch.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import orjson

from playground.formats.interface import dumps
from playground.pipeline import Step
from playground.reads import End, Head
from playground.transcript import Operation

# [number, kind, name, start, end, data]; its read and time are those of the step it comes in.
RowMessage = tuple[int, str, str, int, int, str]


# [rule, severity, rows, start, end, part, detail]: what the step added to a finding. `start`, `end` (bytes of the
# decoded body), `part` and `detail` belong to its first occurrence in the step; null and "" where it points to nothing.
FindingMessage = tuple[str, str, tuple[int, ...], int | None, int | None, int | None, str]


class HeadMessage(TypedDict):
    """`started`: when the request was written, seconds since 1970 by the server's clock, None when unknown."""

    status: int | None
    reason: str
    headers: list[tuple[str, str]]
    started: float | None


class EndMessage(TypedDict):
    """`body`: stream, json, ndjson, html, empty or gzip-text; `notes`: what was odd about its content coding."""

    how: str
    detail: str
    word: str
    complete: bool
    body: str
    notes: list[str]


class StepMessage(TypedDict, total=False):
    """`step`, `time` (microseconds or null), `size` (bytes of the read), `offset` (decoded body behind it) always."""

    step: int
    time: int | None
    size: int
    offset: int
    rows: list[RowMessage]
    operations: list[Operation]
    findings: list[FindingMessage]
    head: HeadMessage
    end: EndMessage


class LaneMessage(TypedDict):
    lane: int
    format: str
    target: str
    model: str
    method: str
    url: str
    request_headers: list[tuple[str, str]]
    request_body: str
    word: str
    last_step: int | None


class SessionMessage(TypedDict):
    """First message of a socket: the session and its lanes. Steps follow, for each lane from the first it lacks.

    `left_out`: what this viewer does not see of the session (system, tools, headers, body, texts). Over a share link
    `id` is "".
    """

    type: Literal["session"]
    id: str
    title: str
    created: float
    tags: list[str]
    left_out: list[str]
    lanes: list[LaneMessage]


class StepsMessage(TypedDict):
    """A frame: steps of one lane without a gap. The browser answers {"type": "ack", "frame": frame}."""

    type: Literal["steps"]
    lane: int
    frame: int
    steps: list[StepMessage]


class PieceMessage(TypedDict):
    """A message too large for one frame, in pieces: the JSON text is the join of all `text`."""

    type: Literal["piece"]
    frame: int
    piece: int
    of: int
    text: str


class BehindMessage(TypedDict):
    """This viewer does not keep up: steps are no longer pushed. `last_step` grows; the server goes on by itself when
    acknowledgements arrive."""

    type: Literal["behind"]
    lane: int
    last_step: int


class ErrorMessage(TypedDict):
    type: Literal["error"]
    code: str
    message: str


class AckMessage(TypedDict):
    type: Literal["ack"]
    frame: int


class StopMessage(TypedDict, total=False):
    """From the browser: stop one lane, or all when `lane` is missing."""

    type: Literal["stop"]
    lane: int


SERVER_MESSAGES = ("session", "steps", "piece", "behind", "error")
BROWSER_MESSAGES = ("ack", "stop")


def encode(message: Any) -> str:
    """JSON text. orjson first; lone UTF-16 halves travel as JSON escapes by the standard module."""
    try:
        return orjson.dumps(message).decode()
    except (TypeError, ValueError):
        return dumps(message, ensure_ascii=True)


def lane_message(
    lane: int, format: str, target: str, model: str, head: Head, *, word: str, last_step: int | None
) -> LaneMessage:
    """`last_step` is None while the lane has no end."""
    return {
        "lane": lane,
        "format": format,
        "target": target,
        "model": model,
        "method": head.method,
        "url": head.url,
        "request_headers": list(head.request_headers),
        "request_body": head.request_body.decode(errors="replace"),
        "word": word,
        "last_step": last_step,
    }


def head_message(head: Head) -> HeadMessage:
    return {
        "status": head.status,
        "reason": head.reason,
        "headers": list(head.headers),
        "started": head.started,
    }


def end_message(step: Step, end: End, *, word: str, complete: bool) -> EndMessage:
    return {
        "how": end.how,
        "detail": end.detail,
        "word": word,
        "complete": complete,
        "body": step.body or "",
        "notes": list(step.notes),
    }


def encode_step(step: Step, *, word: str, complete: bool) -> str:
    """A Step as JSON text (StepMessage); `word` and `complete` are the lane's, they travel with the last step."""
    message: dict[str, Any] = {"step": step.number, "time": step.time, "size": step.size, "offset": step.offset}
    if step.rows:
        message["rows"] = [(row.number, row.kind, row.name, row.start, row.end, row.data) for row in step.rows]
    if step.operations:
        message["operations"] = step.operations
    if step.findings:
        message["findings"] = [tuple(found) for found in step.findings]
    if step.head is not None:
        message["head"] = head_message(step.head)
    if step.end is not None:
        message["end"] = end_message(step, step.end, word=word, complete=complete)
    return encode(message)


def encode_frame(lane: int, frame: int, steps: list[str]) -> str:
    """A StepsMessage out of steps that were encoded before."""
    return f'{{"type":"steps","lane":{lane},"frame":{frame},"steps":[{",".join(steps)}]}}'
