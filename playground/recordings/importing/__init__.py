"""Files of any known kind in, records out. The list of kinds; adding one costs one line here and one file beside it.

Called by doors with an open file; taking.py keeps what comes out. What cannot be kept raises ImportRefused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from playground.recordings.importing import body, curl, har, jsonl, recording
from playground.recordings.importing.case import file_of, is_case, read_case
from playground.recordings.importing.interface import Kind
from playground.recordings.importing.source import MOST, ImportRefused, Source
from playground.recordings.importing.zipped import zip_kind
from playground.recordings.records import Record

__all__ = ["KINDS", "ImportRefused", "Kind", "read", "read_together", "recognise"]


def _inside(source: Source) -> Iterator[Record]:
    """The one file of a zip: of any kind but a zip."""
    found = next(kind for kind in PLAIN if kind.recognises(source))
    return found.read(source)


PLAIN: tuple[Kind, ...] = (recording.KIND, har.KIND, curl.KIND, jsonl.KIND, body.KIND)
"""In the order in which they are asked: the first that recognises a source reads it. A raw body is what is left."""

KINDS: dict[str, Kind] = {kind.name: kind for kind in (zip_kind(_inside), *PLAIN)}


def recognise(source: Source) -> Kind:
    return next(kind for kind in KINDS.values() if kind.recognises(source))


def read(name: str, file: BinaryIO, kind: str = "", most: int = MOST) -> Iterator[Record]:
    """The records of a file that stands at its start. `kind` is a name of KINDS, "" recognises it.

    Raises ImportRefused, at once or while the records are taken.
    """
    source = Source(name, file, most)
    if kind and kind not in KINDS:
        raise ImportRefused("unknown-kind", f"There is no kind {kind[:40]!r}; take one of {', '.join(KINDS)}.")
    if not source.start:
        body.refuse(source)
    return (KINDS[kind] if kind else recognise(source)).read(source)


def read_together(files: Mapping[str, BinaryIO], kind: str = "", most: int = MOST) -> Iterator[Record]:
    """The records of files that were given together: one file of any kind, or a case folder's."""
    names = list(files)
    if len(names) == 1:
        return read(names[0], files[names[0]], kind, most)
    if not is_case(names):
        raise ImportRefused(
            "several-files",
            "Import one file at a time, or the files of one case folder together (stream.sse and what is beside it).",
        )
    return read_case(0, {file_of(name): file for name, file in files.items()})
