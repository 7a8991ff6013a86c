"""A stream in files: a raw body, a case folder (stream.sse, chunks.json, http.json), or standard input, as reads.

Called by `manage.py read` and by the tests that walk the golden streams.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from playground.reads import Head, Read

READ_SIZE = 65536
BODY_FILE, CUTS_FILE, HEAD_FILE, EXPECT_FILE = "stream.sse", "chunks.json", "http.json", "expect.json"


class CaseError(Exception):
    """A file that cannot be read as a stream. The message is one sentence that names it."""


@dataclass(frozen=True, slots=True)
class Case:
    """What stands in a file or folder: the answer's head and its body as reads (without times)."""

    name: str
    head: Head
    reads: Iterator[Read]


def open_case(path: str, standard_input: BinaryIO) -> Case:
    """The stream at `path`: a file, a folder in the case layout, or `-` for standard input; else CaseError."""
    if path == "-":
        return Case("-", _head(200, {}), _stream(standard_input))
    place = Path(path)
    if place.is_dir():
        return _open_folder(place)
    try:
        file = place.open("rb")
    except OSError as error:
        raise CaseError(f"{path}: {_reason(error)}") from error
    return Case(path, _head(200, {}), _stream(file))


def cut(body: bytes, ends: list[int]) -> Iterator[Read]:
    """The body as reads that end at these byte offsets (and at its own end)."""
    start = 0
    for number, end in enumerate([*(end for end in ends if 0 < end < len(body)), len(body)], 1):
        yield Read(number, None, body[start:end])
        start = end


def _open_folder(folder: Path) -> Case:
    body = folder / BODY_FILE
    if not body.is_file():
        raise CaseError(f"{folder}: a folder without {BODY_FILE}; name a file, or a folder with {BODY_FILE} in it")
    http = _json(folder / HEAD_FILE, {})
    ends = _json(folder / CUTS_FILE, [])
    if not isinstance(http, dict) or not isinstance(http.get("headers", {}), dict):
        raise CaseError(f"{folder / HEAD_FILE}: not an object with status and headers")
    if not isinstance(ends, list) or not all(isinstance(end, int) for end in ends):
        raise CaseError(f"{folder / CUTS_FILE}: not a list of byte offsets")
    head = _head(http.get("status", 200), http.get("headers", {"content-type": "text/event-stream"}))
    if ends:
        return Case(str(folder), head, cut(body.read_bytes(), sorted(set(ends))))
    return Case(str(folder), head, _stream(body.open("rb")))


def _stream(file: BinaryIO) -> Iterator[Read]:
    """Reads as they come: on a pipe each is what one system call brought."""
    number = 0
    one_call = getattr(file, "read1", file.read)
    with file:
        while body := one_call(READ_SIZE):
            number += 1
            yield Read(number, None, body)


def _head(status: int, headers: dict[str, str]) -> Head:
    return Head(
        "POST", "", (), b"", status=status, headers=tuple((name, str(value)) for name, value in headers.items())
    )


def _json(path: Path, default: Any) -> Any:
    if not path.exists():
        return default
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CaseError(f"{path}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return error.strerror or str(error) if isinstance(error, OSError) else f"not JSON ({error})"
