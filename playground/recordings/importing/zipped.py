"""A zip: case folders, a lane each, or one file of another kind. What unpacks to too much is refused, not unpacked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final, cast

from playground.recordings.cases import BODY_FILE, CUTS_FILE, HEAD_FILE
from playground.recordings.importing.case import file_of, read_case
from playground.recordings.importing.interface import Kind
from playground.recordings.importing.source import ImportRefused, Source, too_large
from playground.recordings.records import Record

_FILES: Final = 10_000
_LANES: Final = 12
_SURE: Final = 4 * 1024 * 1024
"""Bytes below which no ratio is asked for."""
_RATIO: Final = 200
"""How much smaller than itself a stream may be; real ones are 10 to 40."""

_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    KeyError,
)
Read = Callable[[Source], Iterator[Record]]


def zip_kind(read_file: Read) -> Kind:
    """`read_file` reads the one file of a zip that has no case in it."""
    return Kind(
        "case",
        "A case folder",
        f"{BODY_FILE}, {CUTS_FILE} and {HEAD_FILE} as a zip or dropped together. There are no times and no request.",
        lambda source: source.start.startswith(b"PK\x03\x04") or source.start.startswith(b"PK\x05\x06"),
        lambda source: _read(source, read_file),
    )


def _read(source: Source, read_file: Read) -> Iterator[Record]:
    try:
        archive = zipfile.ZipFile(_seekable(source))
        members = [member for member in archive.infolist() if not _is_passed_over(member)]
    except _DAMAGE as error:
        raise _damaged(error) from None
    if len(members) > _FILES:
        raise ImportRefused(
            "too-many-files", f"The zip has {len(members)} files; put one case folder or one stream in it."
        )
    unpacked = _Unpacked(source.most)
    cases: dict[str, dict[str, BinaryIO]] = {}
    for member in members:
        if file_of(member.filename) in {BODY_FILE, CUTS_FILE, HEAD_FILE}:
            folder = str(PurePosixPath(member.filename.replace("\\", "/")).parent)
            cases.setdefault(folder, {})[file_of(member.filename)] = _opened(archive, member, unpacked)
    found = [cases[folder] for folder in sorted(cases) if BODY_FILE in cases[folder]]
    if len(found) > _LANES:
        raise ImportRefused(
            "too-many-lanes", f"The zip has {len(found)} case folders; at most {_LANES} go into one session."
        )
    if found:
        for lane, files in enumerate(found):
            yield from read_case(lane, files)
        return
    if len(members) != 1:
        raise ImportRefused(
            "no-case",
            f"The zip has {len(members)} files and no {BODY_FILE} among them; put one case folder or one stream in it.",
        )
    yield from read_file(Source(file_of(members[0].filename), _opened(archive, members[0], unpacked), source.most))


def _is_passed_over(member: zipfile.ZipInfo) -> bool:
    return member.is_dir() or member.filename.startswith("__MACOSX/") or file_of(member.filename).startswith(".")


def _seekable(source: Source) -> BinaryIO:
    if not source.file.seekable():
        raise ImportRefused("not-seekable", "A zip cannot be read from a pipe; name the file.")
    return source.file


class _Unpacked:
    """How much came out of all members together."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.bytes = 0


class _Member:
    """One file of the zip, opened with the first read; every damage becomes a refusal."""

    def __init__(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, unpacked: _Unpacked) -> None:
        self._archive = archive
        self._info = member
        self._all = unpacked
        self._bytes = 0
        self._file: Any = None

    def read(self, size: int) -> bytes:
        try:
            if self._file is None:
                self._file = self._archive.open(self._info)
            block: bytes = self._file.read(size)
        except _DAMAGE as error:
            raise _damaged(error) from None
        self._bytes += len(block)
        self._all.bytes += len(block)
        if self._all.bytes > self._all.most:
            raise too_large(self._all.most)
        if self._bytes > _SURE and self._bytes > _RATIO * self._info.compress_size:
            raise ImportRefused(
                "zip-bomb", "The zip unpacks to far more than a stream would; import the file that is in it."
            )
        return block

    def seekable(self) -> bool:
        return False


def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo, unpacked: _Unpacked) -> BinaryIO:
    return cast(BinaryIO, _Member(archive, member, unpacked))


def _damaged(error: Exception) -> ImportRefused:
    if isinstance(error, ImportRefused):
        return error
    if isinstance(error, RuntimeError) and "password" in str(error):
        return ImportRefused("encrypted", "The zip is encrypted; unpack it and import what is inside.")
    return ImportRefused(
        "damaged-zip", f"The zip cannot be unpacked ({error}); make it again, or import what is inside."
    )
