"""The Play page and what it posts. Each door reads the request, calls the hall, answers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie

from playground import runs
from playground.formats import FORMATS
from playground.recordings.exporting import KINDS
from playground.runs import Refused
from playground.web.answers import GONE, door, error, json_body
from playground.web.forms import models_request, session_request, stop_request, usage_request
from playground.web.rules import lint_rules


@ensure_csrf_cookie
async def play(request: HttpRequest, session: str = "") -> HttpResponse:
    """The page, empty or with a session; a session that is not there is told with the same page and status 404."""
    found = not session or await runs.exists(session)
    if not found:
        return render(request, "404.html", {"deleted": await runs.deleted(session)}, status=404)
    if session:
        runs.expect(session)
    context = {
        "session_id": session,
        "play_settings": play_settings(),
        "export_kinds": export_kinds(),
        "lint_rules": lint_rules(),
    }
    return render(request, "play.html", context)


def play_settings() -> dict[str, Any]:
    """Models and scenarios are the gateway's to tell: the page asks for them with POST /models/."""
    return {
        "gateway": {"base_url": settings.GATEWAY_URL, "models": [], "scenarios": []},
        "formats": [{"name": each.name, "title": each.title, "path": each.path} for each in FORMATS.values()],
        "local": not settings.ACCESS_TOKEN,
    }


def export_kinds() -> list[dict[str, Any]]:
    """What the session's menu offers, in its order."""
    fields = ("name", "title", "purpose", "suffix", "one_lane")
    return [{field: getattr(kind, field) for field in fields} for kind in KINDS.values()]


@door("POST")
async def start(request: HttpRequest) -> HttpResponse:
    session = await runs.start(session_request(json_body(request)))
    return JsonResponse({"id": session, "address": f"/sessions/{session}/"}, status=201)


@door("POST")
async def stop(request: HttpRequest, session: str) -> HttpResponse:
    lane = stop_request(json_body(request) if request.body else {})
    if not await runs.stop(session, lane) and not await runs.exists(session):
        raise Refused("no-such-session", GONE, status=404)
    return JsonResponse({})


@door("POST")
async def models(request: HttpRequest) -> HttpResponse:
    return JsonResponse(await runs.models(*models_request(json_body(request))))


@door("POST")
async def usage(request: HttpRequest) -> HttpResponse:
    return JsonResponse(await runs.usage(*usage_request(json_body(request))))


async def gateway(request: HttpRequest) -> HttpResponse:
    """The page of the built-in gateway, which asks the gateway itself for all that it shows."""
    return render(request, "gateway.html", {"play_settings": play_settings()})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A post without the page's token, or from another page."""
    if request.content_type == "application/json":
        message = "The page is too old or came from another address; load it again."
        return error(Refused("csrf", message, status=403))
    return render(request, "403_csrf.html", status=403)


async def healthz(request: HttpRequest) -> HttpResponse:
    """The server answers and its database does."""
    return (
        JsonResponse({"status": "ok"}) if await runs.healthy() else JsonResponse({"status": "no database"}, status=503)
    )
