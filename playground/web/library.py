"""The doors of the library: each reads the request, calls the shelf, answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie

from playground import runs
from playground.recordings import shelf
from playground.recordings.finding import ShelfError
from playground.runs import Refused
from playground.web.answers import GONE, door, json_body
from playground.web.forms import sessions_request, shelf_request, tags_request, title_request
from playground.web.views import start


@ensure_csrf_cookie
async def sessions(request: HttpRequest) -> HttpResponseBase:
    """The library; a post starts a session."""
    if request.method not in {"GET", "HEAD"}:
        return await start(request)
    return render(request, "library.html")


@door("GET")
async def page(request: HttpRequest) -> HttpResponse:
    return await _found(shelf.page, request)


@door("GET")
async def counts(request: HttpRequest) -> HttpResponse:
    return await _found(shelf.counts, request)


@door("GET")
async def some(request: HttpRequest) -> HttpResponse:
    """Entries that the page has already, as they are now."""
    ids = sessions_request({"ids": request.GET.get("ids", "").split(",")})
    return JsonResponse({"sessions": await database_sync_to_async(shelf.some)(ids)})


@door("POST")
async def rename(request: HttpRequest, session: str) -> HttpResponse:
    title = await database_sync_to_async(shelf.rename)(session, title_request(json_body(request)))
    if title is None:
        raise Refused("no-such-session", GONE, status=404)
    return JsonResponse({"title": title})


@door("POST")
async def tag(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"tags": await database_sync_to_async(shelf.tag)(*tags_request(json_body(request)))})


@door("POST")
async def delete(request: HttpRequest) -> HttpResponse:
    """What still streams is stopped first."""
    ids = sessions_request(json_body(request))
    for session in await database_sync_to_async(shelf.streaming)(ids):
        await runs.stop(session)
    return JsonResponse({"deleted": await database_sync_to_async(shelf.delete)(ids)})


@door("POST")
async def restore(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"restored": await database_sync_to_async(shelf.restore)(sessions_request(json_body(request)))})


@door("POST")
async def erase(request: HttpRequest) -> HttpResponse:
    """For good: the named ones that were deleted, or with `all` all of them."""
    value = json_body(request)
    ids = None if isinstance(value, dict) and value.get("all") is True else sessions_request(value)
    return JsonResponse({"erased": await database_sync_to_async(shelf.erase)(ids)})


async def _found(look: Callable[..., dict[str, Any]], request: HttpRequest) -> HttpResponse:
    try:
        return JsonResponse(await database_sync_to_async(look)(shelf_request(request.GET.dict())))
    except ShelfError as error:
        raise Refused(error.code, error.message, error.field) from None
