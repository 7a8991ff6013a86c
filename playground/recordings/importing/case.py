"""A case folder in files: stream.sse, and maybe chunks.json (where reads end) and http.json (status, headers).

Files come out of a zip (zipped.py) or were dropped together. What cases.py reads from a disk is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final

from playground.formats.interface import parse
from playground.reads import End, Headers, Read
from playground.recordings.cases import BODY_FILE, CUTS_FILE, HEAD_FILE
from playground.recordings.importing.interface import NO_CUTS, NO_HEAD, NO_REQUEST, NO_TIMES, lane_head, missing
from playground.recordings.importing.source import ImportRefused, Source
from playground.recordings.records import EndRecord, ReadRecord, Record

SMALL: Final = 16 * 1024 * 1024


def file_of(name: str) -> str:
    """The name without its folders."""
    return PurePosixPath(name.replace("\\", "/")).name.lower()


def is_case(names: list[str]) -> bool:
    """Whether files of these names are one case."""
    files = [file_of(name) for name in names]
    return files.count(BODY_FILE) == 1 and len(set(files)) == len(files)


def read_case(lane: int, files: Mapping[str, BinaryIO]) -> Iterator[Record]:
    """One lane of the files by name, of which one is stream.sse. Raises ImportRefused for what they should not be."""
    status, headers, told = _head(files)
    cuts = _cuts(files)
    unknown = [NO_REQUEST, *([] if told else [NO_HEAD]), NO_TIMES, *([] if cuts else [NO_CUTS])]
    yield lane_head(lane, missing(*unknown), status=status, headers=headers)
    body = Source(BODY_FILE, files[BODY_FILE])
    for number, piece in enumerate(_cut(body.blocks(), cuts), 1):
        yield ReadRecord(lane, Read(number, None, piece))
    yield EndRecord(lane, End("closed"))


def _head(files: Mapping[str, BinaryIO]) -> tuple[int | None, Headers, bool]:
    http = _json(files, HEAD_FILE)
    if http is None:
        return None, (), False
    status, headers = (http.get("status", 200), http.get("headers", {})) if isinstance(http, dict) else (None, None)
    if type(status) is not int or not 100 <= status < 1000 or not isinstance(headers, dict):
        raise ImportRefused(
            "invalid-case", f'{HEAD_FILE} is no object {{"status": 200, "headers": {{…}}}}; mend it or leave it out.'
        )
    return status, tuple((name, str(value)) for name, value in headers.items()), True


def _cuts(files: Mapping[str, BinaryIO]) -> list[int]:
    ends = _json(files, CUTS_FILE)
    if ends is not None and not (isinstance(ends, list) and all(type(end) is int and end >= 0 for end in ends)):
        raise ImportRefused("invalid-case", f"{CUTS_FILE} is no list of byte offsets; mend it or leave it out.")
    return sorted({end for end in ends or [] if end > 0})


def _json(files: Mapping[str, BinaryIO], name: str) -> Any:
    """None when there is no such file."""
    if name not in files:
        return None
    value = parse(Source(name, files[name]).all(SMALL).decode(errors="replace"))
    return {} if value is None else value


def _cut(blocks: Iterator[bytes], ends: list[int]) -> Iterator[bytes]:
    """The body in reads that end at these offsets; as it comes behind the last one, or where there are none."""
    held = bytearray()
    offset = 0
    waiting = iter(ends)
    end = next(waiting, None)
    for block in blocks:
        if end is None:
            yield block
            continue
        held += block
        while end is not None and end - offset <= len(held):
            yield bytes(held[: end - offset])
            del held[: end - offset]
            offset = end
            end = next(waiting, None)
        if end is None and held:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)
