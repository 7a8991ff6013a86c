"""The doors of the library: each reads the request, calls the shelf, answers."""

from __future__ import annotations

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse

from playground.recordings import shelf
from playground.runs import Refused
from playground.web.answers import door, json_body
from playground.web.forms import title_request

GONE = "There is no such session here. It may have been deleted."


@door("POST")
async def rename(request: HttpRequest, session: str) -> HttpResponse:
    title = await database_sync_to_async(shelf.rename)(session, title_request(json_body(request)))
    if title is None:
        raise Refused("no-such-session", GONE, status=404)
    return JsonResponse({"title": title})
