"""A raw body, as it was saved or pasted: `.sse`, `.txt`, what curl writes without options. The last of the kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from playground.formats import recognise
from playground.formats.interface import parse
from playground.formats.ollama import Ollama
from playground.reads import End, Read
from playground.recordings.importing.interface import NO_CUTS, NO_HEAD, NO_REQUEST, NO_TIMES, Kind, lane_head, missing
from playground.recordings.importing.source import ImportRefused, Source
from playground.recordings.records import EndRecord, ReadRecord, Record

_PAGES: Final = (b"<!doctype html", b"<html")
_FIELD: Final = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?(?:data|event|id|retry|error)?:|(?:^|[\r\n])data[\r\n]")
_DOCUMENT: Final = 32 * 1024 * 1024

_TAKEN: Final = (
    "Import an answer's body, curl's output with -i or -v, a HAR file, JSON lines of events, a case folder or a "
    "recording."
)


def read(source: Source) -> Iterator[Record]:
    """The body as it is. Raises ImportRefused for what is certainly none."""
    refuse(source)
    if source.text.startswith(b"{") and not is_lines_of_ollama(source.text):
        yield from _document(source)
        return
    if not (source.text.startswith(b"{") or has_fields(source)):
        raise ImportRefused("no-stream", f"It is text, but no event stream: no line begins with data:. {_TAKEN}")
    yield from bare(source.blocks())


def bare(blocks: Iterator[bytes]) -> Iterator[Record]:
    """A lane of which nothing is known but its body."""
    yield lane_head(0, missing(NO_REQUEST, NO_HEAD, NO_TIMES, NO_CUTS))
    for number, block in enumerate(blocks, 1):
        yield ReadRecord(0, Read(number, None, block))
    yield EndRecord(0, End("closed"))


def refuse(source: Source) -> None:
    """Raises ImportRefused when the first bytes are those of something else."""
    if not source.text:
        raise ImportRefused("empty", f"There is nothing in it. {_TAKEN}")
    if source.start.startswith(b"\x1f\x8b"):
        raise ImportRefused("compressed", "It is compressed with gzip; unpack it (gunzip) and import what is inside.")
    if source.binary:
        raise ImportRefused("binary", f"It is no text. {_TAKEN}")
    if source.text[:16].lower().startswith(_PAGES):
        raise ImportRefused(
            "html",
            "It is a web page. If an endpoint answered with it, import curl's output with -i: the status is in it.",
        )
    if source.text.startswith(b"<?xml"):
        raise ImportRefused("xml", f"It is XML. {_TAKEN}")


def has_fields(source: Source) -> bool:
    """Whether a line of the first ones is a field or a comment of an event stream."""
    return _FIELD.search(source.start) is not None


def is_lines_of_ollama(text: bytes) -> bool:
    """Whether the first line is one of Ollama's own stream."""
    value = parse(text.partition(b"\n")[0].decode(errors="replace"))
    return isinstance(value, dict) and Ollama.recognises(value)


def _document(source: Source) -> Iterator[Record]:
    """One JSON object: a whole answer, or an error document."""
    text = source.all(_DOCUMENT)
    value = _json(text)
    if value is None and b"\ndata:" not in text:
        raise ImportRefused("invalid-json", f"It begins like JSON and is none. {_TAKEN}")
    if isinstance(value, dict) and not (recognise(value, "") or Ollama.recognises(value) or "error" in value):
        raise ImportRefused("unknown-json", f"It is JSON, but no answer of a known format. {_TAKEN}")
    yield from bare(iter([text]))


def _json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


KIND = Kind(
    "body",
    "A raw body",
    "The bytes of an answer, as a file or pasted. There are no times and no request.",
    lambda source: True,
    read,
)
