"""A test case folder in the layout of tests/streams, zipped: stream.sse, chunks.json, http.json, expect.json.

`manage.py read` takes the folder; it says what this playground reads out of the stream today, without times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from playground.pipeline import Pipeline
from playground.reads import End, Read
from playground.recordings.cases import BODY_FILE, CUTS_FILE, EXPECT_FILE, HEAD_FILE
from playground.recordings.exporting.interface import Kind, Taken, TakenLane, reads_of
from playground.recordings.exporting.zipped import Files, zipped


def write(taken: Taken) -> Iterator[bytes]:
    several = len(taken.lanes) > 1
    return zipped(file for lane in taken.lanes for file in _files(taken, lane, f"{folder(lane, several=several)}/"))


def folder(lane: TakenLane, *, several: bool) -> str:
    """The name of a lane's folder or file among others."""
    return f"lane-{lane.number + 1}-{lane.format or 'unknown'}" if several else lane.format or "stream"


def _files(taken: Taken, lane: TakenLane, place: str) -> Files:
    pipeline = Pipeline(None)
    pipeline.head(lane.head)
    ends: list[int] = []

    def body() -> Iterator[bytes]:
        size = 0
        for read in reads_of(taken, lane):
            pipeline.feed(Read(read.number, None, read.body))
            size += len(read.body)
            ends.append(size)
            yield read.body

    yield place + BODY_FILE, body()
    yield place + CUTS_FILE, [_json(ends)]
    yield place + HEAD_FILE, [_json({"status": lane.head.status or 200, "headers": _joined(lane)})]
    pipeline.end(End("closed"))
    findings = sorted(finding.rule.id for finding in pipeline.findings)
    said = pipeline.said()
    said["format"] = said["format"] or lane.format
    yield place + EXPECT_FILE, [_json({**said, "findings": findings}, indent=1)]


def _joined(lane: TakenLane) -> dict[str, str]:
    return {name.lower(): lane.head.header(name) for name, _ in lane.head.headers}


def _json(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, indent=indent, ensure_ascii=True).encode() + b"\n"


CASE = Kind(
    name="case",
    title="Test case",
    purpose="A folder with bytes, cuts, headers and what was read out of them. For manage.py read and test suites.",
    suffix=".case.zip",
    media_type="application/zip",
    write=write,
)
