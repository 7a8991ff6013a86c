"""The golden streams, and ways to cut a body into reads. Used by the tests of every room that reads bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "streams"
CASES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def body(case: str) -> bytes:
    return (FOLDER / case / "stream.sse").read_bytes()


def expected(case: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / case / "expect.json").read_text()))


def recorded_cuts(case: str) -> list[int]:
    """Where the network's reads ended, as far as that was recorded."""
    path = FOLDER / case / "chunks.json"
    return list(json.loads(path.read_text())) if path.exists() else []


def is_stream(case: str) -> bool:
    """Whether the whole body is an event stream, and not one document, NDJSON, HTML, nothing or damage."""
    findings = expected(case)["findings"]
    return not any(name.startswith("not-sse") or name == "compressed-body-corrupted" for name in findings)


def cut(whole: bytes, cuts: Sequence[int]) -> list[bytes]:
    """The pieces of `whole` between the offsets."""
    edges = [0, *sorted(cuts), len(whole)]
    return [whole[start:end] for start, end in pairwise(edges)]


def cut_at_random(whole: bytes, seed: int) -> list[bytes]:
    chance = random.Random(seed)
    return cut(whole, [chance.randint(0, len(whole)) for _ in range(chance.randint(1, 40))])


def bytewise(whole: bytes) -> list[bytes]:
    return [whole[at : at + 1] for at in range(len(whole))]
