"""Every golden stream through the corridor, to hold the browser's model against: `python -m tests.support.corridor`.

A line of JSON for each case and cutting: {"case", "cut", "steps": [what the socket carries], "parts": [the transcript
after each step, null where a step has no operations], "words": [the lane's word after each step], "latency": its
figures at the end, "histogram": how many gaps there are in each class}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playground import messages
from playground.pipeline import Pipeline, Step
from playground.reads import End, Head, Read
from playground.transcript import HEAVY, Part

STREAMS = Path(__file__).resolve().parent.parent / "streams"
SMALL = 3000
"""Bodies up to so many bytes are also fed byte by byte."""
MICROSECONDS = 1500
"""Between two reads, more or less, so that times are there to be told."""


def cuttings(folder: Path, body: bytes) -> Iterator[tuple[str, list[int]]]:
    """How a body is cut, by name: the offsets at which reads end."""
    yield "whole", [len(body)]
    ends = folder / "chunks.json"
    if ends.exists():
        recorded = [end for end in json.loads(ends.read_text()) if 0 < end < len(body)]
        yield "recorded", [*recorded, len(body)]
    if len(body) <= SMALL:
        yield "bytes", list(range(1, len(body) + 1))


def moment(number: int) -> int:
    """The time of a read: uneven, so that gaps differ."""
    return number * MICROSECONDS + number * 7919 % 1000


Encoded = tuple[str, list[dict[str, Any]] | None, str]
"""A step as the socket carries it, the parts that stand after it, and the lane's word then."""


def walked(pipeline: Pipeline, folder: Path, body: bytes, ends: list[int]) -> Iterator[Encoded]:
    http = folder / "http.json"
    answer = json.loads(http.read_text()) if http.exists() else {}
    headers = tuple(answer.get("headers", {"content-type": "text/event-stream"}).items())
    head = Head(
        "POST", "http://upstream.example/v1", (), b"", status=answer.get("status", 200), headers=headers, time=0
    )
    yield encoded(pipeline, pipeline.head(head))
    start = 0
    for number, end in enumerate(ends, 1):
        yield encoded(pipeline, pipeline.feed(Read(number, moment(number), body[start:end])))
        start = end
    yield encoded(pipeline, pipeline.end(End("closed", moment(len(ends) + 1))))


def encoded(pipeline: Pipeline, step: Step) -> Encoded:
    word = pipeline.word
    text = messages.encode_step(step, word=word, complete=pipeline.complete)
    transcript = pipeline.transcript
    parts = [plain(part) for part in (transcript.lane, *transcript)] if step.operations else None
    return text, parts, word


def plain(part: Part) -> dict[str, Any]:
    """A part as the browser must have it: what was set, and what grew but for what does not travel."""
    grown = {field: part.joined(field) for field in part.pieces if field != HEAVY}
    return {
        "number": part.number,
        "kind": part.kind,
        "closed": part.closed,
        "fields": dict(part.fields),
        "grown": grown,
    }


def main() -> None:
    for folder in sorted(path for path in STREAMS.iterdir() if path.is_dir()):
        body = (folder / "stream.sse").read_bytes()
        for cut, ends in cuttings(folder, body):
            pipeline = Pipeline(None)
            steps, parts, words = zip(*walked(pipeline, folder, body, ends), strict=True)
            line: dict[str, Any] = {"case": folder.name, "cut": cut, "parts": parts, "words": words}
            line["latency"] = pipeline.latency.summary(pipeline.transcript)
            line["histogram"] = [count for _, count in pipeline.latency.histogram()]
            sys.stdout.write(f'{json.dumps(line)[:-1]},"steps":[{",".join(steps)}]}}\n')


if __name__ == "__main__":
    main()
