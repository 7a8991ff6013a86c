"""The doors of markers: what was noted at places of a lane. Each reads the request, calls one function, answers."""

from __future__ import annotations

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse

from playground.recordings import markers
from playground.runs import Refused
from playground.web.answers import GONE, door, json_body
from playground.web.forms import marker_request, note_request

NO_SUCH_MARKER = "There is no such marker here any more. Load the page again."


@door("GET")
async def listed(request: HttpRequest, session: str) -> HttpResponse:
    found = await database_sync_to_async(markers.of_session)(session)
    if found is None:
        raise Refused("no-such-session", GONE, status=404)
    return JsonResponse({"markers": found})


@door("POST")
async def add(request: HttpRequest, session: str) -> HttpResponse:
    wanted = marker_request(json_body(request))
    try:
        marker = await database_sync_to_async(markers.add)(session, *wanted)
    except markers.TooManyMarkers:
        message = f"A session has room for {markers.MOST} markers. Delete some first."
        raise Refused("too-many-markers", message, status=409) from None
    if marker is None:
        raise Refused("no-such-lane", "There is no such lane here. Its session may have been deleted.", status=404)
    return JsonResponse(marker, status=201)


@door("POST")
async def edit(request: HttpRequest, session: str, marker: int) -> HttpResponse:
    found = await database_sync_to_async(markers.edit)(session, marker, note_request(json_body(request)))
    if found is None:
        raise Refused("no-such-marker", NO_SUCH_MARKER, status=404)
    return JsonResponse(found)


@door("POST")
async def delete(request: HttpRequest, session: str, marker: int) -> HttpResponse:
    if not await database_sync_to_async(markers.delete)(session, marker):
        raise Refused("no-such-marker", NO_SUCH_MARKER, status=404)
    return JsonResponse({})
