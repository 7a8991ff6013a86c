"""The door that gives a session as a file, of any kind and size, also while it still streams."""

from __future__ import annotations

from channels.db import database_sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header

from playground.recordings.archive import take
from playground.recordings.exporting import KINDS, export
from playground.recordings.veiled import veiled_export
from playground.runs import Refused
from playground.web.answers import door, in_batches
from playground.web.sharing import preview_without

GONE = "There is no such session here, or no such lane in it. It may have been deleted."


@door("GET")
async def export_session(request: HttpRequest, session: str, kind: str) -> StreamingHttpResponse:
    """The file; with `?lane=0` that lane alone, with `?without=system,tools&text=...` without that, as a share link."""
    if kind not in KINDS:
        raise Refused("no-such-export", f"There is no export {kind}; there are {', '.join(KINDS)}.", status=404)
    text = request.GET.get("lane", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Refused("invalid", "`lane` is the number of a lane, from 0.", "lane")
    taken = await database_sync_to_async(take)(session, int(text) if text else None)
    if taken is None:
        raise Refused("no-such-session", GONE, status=404)
    file = export(veiled_export(taken, preview_without(request.META["QUERY_STRING"])), KINDS[kind])
    response = StreamingHttpResponse(in_batches(file.pieces), content_type=file.media_type)
    response["Content-Disposition"] = content_disposition_header(True, file.name)
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
