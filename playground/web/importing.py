"""POST /sessions/import: a file as the body, or the files of a form; the answer names the new session."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from channels.db import database_sync_to_async
from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError

from playground.recordings.importing import ImportRefused, read_together
from playground.recordings.records import Record
from playground.recordings.taking import take_in
from playground.runs import Refused
from playground.web.answers import door

IN_MEMORY = 1024 * 1024
BLOCK = 65_536
STATUS = {"too-large": 413, "not-kept": 507, "unknown-kind": 400}


@door("POST")
async def take(request: HttpRequest) -> HttpResponse:
    """`?name=` is the file's where it is the body, `?kind=` one of importing.KINDS. 201 {"id", "address"}."""
    if _announced(request) > settings.IMPORT_BYTES:
        raise _too_large()
    stopped = threading.Event()
    try:
        session = await database_sync_to_async(_take)(request, stopped)
    except asyncio.CancelledError:
        stopped.set()  # the person left: what was taken in so far is thrown away
        raise
    except ImportRefused as refused:
        raise Refused(refused.code, refused.message, status=STATUS.get(refused.code, 422)) from None
    return JsonResponse({"id": session, "address": f"/sessions/{session}/"}, status=201)


def _announced(request: HttpRequest) -> int:
    size = request.META.get("CONTENT_LENGTH") or "0"
    return int(size) if size.isdecimal() else 0


def _take(request: HttpRequest, stopped: threading.Event) -> str:
    if request.content_type == "multipart/form-data":
        return _take_files(_uploaded(request), request, stopped)
    with SpooledTemporaryFile(IN_MEMORY) as file:
        _copy(request, cast(BinaryIO, file))
        return _take_files({request.GET.get("name", ""): cast(BinaryIO, file)}, request, stopped)


def _take_files(files: Mapping[str, BinaryIO], request: HttpRequest, stopped: threading.Event) -> str:
    records = read_together(files, request.GET.get("kind", ""), settings.IMPORT_BYTES)
    return take_in(_until(stopped, records), PurePosixPath(next(iter(files))).name)


def _until(stopped: threading.Event, records: Iterator[Record]) -> Iterator[Record]:
    for record in records:
        if stopped.is_set():
            raise ImportRefused("stopped", "The import was stopped; nothing of it was kept.")
        yield record


def _uploaded(request: HttpRequest) -> dict[str, BinaryIO]:
    """The form's files by name; Django has put large ones on the disk."""
    try:
        files = [file for _, listed in request.FILES.lists() for file in listed]
    except (MultiPartParserError, BadRequest, SuspiciousOperation, UnreadablePostError) as error:
        raise ImportRefused("unreadable", f"The form cannot be read ({error}); send it again.") from None
    if not files:
        raise ImportRefused("no-file", "There is no file in the form; choose one, or paste what is to be imported.")
    return {file.name or "": cast(BinaryIO, file.file) for file in files}


def _copy(request: HttpRequest, file: BinaryIO) -> None:
    """The body to the disk, where a zip can be searched in."""
    try:
        size = 0
        while block := request.read(BLOCK):
            size += len(block)
            if size > settings.IMPORT_BYTES:
                raise _too_large()
            file.write(block)
    except UnreadablePostError:
        raise ImportRefused("unreadable", "The upload broke off; send it again.") from None
    file.seek(0)


def _too_large() -> Refused:
    size = settings.IMPORT_BYTES // 1024**2
    return Refused(
        "too-large", f"An import may have {size} MB; cut it, or import it with manage.py import.", status=413
    )
