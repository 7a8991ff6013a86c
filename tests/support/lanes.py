"""Lanes for tests of what keeps and shows them: rows in the tables, steps of golden streams, a viewer that collects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from playground.messages import encode_step
from playground.pipeline import Pipeline, Step
from playground.reads import End, Head, Read
from playground.recordings import keep
from playground.recordings.keep import Begun, NewLane, Seal
from tests.support import streams

REQUEST = Head("POST", "http://upstream.example/v1/chat/completions", (("Accept", "text/event-stream"),), b"{}")
ENDED = End("closed", 10_000_000, "")


def begin(lanes: int = 1, format: str = "chat", writer: str | None = None) -> Begun:
    """A session with rows for its lanes."""
    return keep.begin("a session", [NewLane(format, "gateway", "a-model", REQUEST)] * lanes, writer)


def head_of(case: str) -> Head:
    """The head that a golden stream came with."""
    path = streams.FOLDER / case / "http.json"
    answer = json.loads(path.read_text()) if path.exists() else {}
    headers = tuple(answer.get("headers", {"content-type": "text/event-stream"}).items())
    return Head("POST", REQUEST.url, (), b"", started=1.5e9, status=answer.get("status", 200), headers=headers, time=9)


def reads_of(pieces: Iterable[bytes], every: int = 1500) -> list[Read]:
    """Reads that follow one another, `every` so many microseconds; a piece without bytes is none."""
    return [Read(number, number * every, piece) for number, piece in enumerate(filter(None, pieces), 1)]


def walk(
    format: str, head: Head, reads: Sequence[Read], end: End = ENDED
) -> tuple[Pipeline, list[tuple[Step, Read | None]]]:
    """All steps of a lane as the relay gives them to its sinks."""
    pipeline = Pipeline(format or None)
    steps: list[tuple[Step, Read | None]] = [(pipeline.head(head), None)]
    steps += [(pipeline.feed(read), read) for read in reads]
    steps.append((pipeline.end(end), None))
    return pipeline, steps


def encoded(pipeline: Pipeline, steps: Iterable[tuple[Step, Read | None]]) -> list[str]:
    """What the socket must carry. The pipeline stands at the end."""
    return [
        encode_step(step, word=pipeline.word if step.end else "", complete=pipeline.complete and step.end is not None)
        for step, _ in steps
    ]


def seal_of(pipeline: Pipeline) -> Any:
    return lambda end: Seal(end, pipeline.word, pipeline.complete, {})


class Browser:
    """A viewer that keeps what it was sent: messages as they came, steps by lane as JSON text."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.steps: dict[int, list[dict[str, Any]]] = {}
        self.frames: list[int] = []
        self._pieces: list[str] = []

    def take(self, text: str) -> dict[str, Any]:
        """One message; the whole one when the last of its pieces came."""
        assert len(text.encode()) <= 256 * 1024
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "piece":
            self._pieces.append(message["text"])
            if len(self._pieces) < message["of"]:
                return message
            message = {**json.loads("".join(self._pieces)), "frame": message["frame"]}
            self._pieces = []
        self.messages.append(message)
        if message["type"] == "steps":
            self.frames.append(message["frame"])
            self.steps.setdefault(message["lane"], []).extend(message["steps"])
        return message

    def numbers(self, lane: int = 0) -> list[int]:
        return [step["step"] for step in self.steps.get(lane, [])]

    def is_over(self, lane: int = 0) -> bool:
        return bool(self.steps.get(lane)) and "end" in self.steps[lane][-1]
