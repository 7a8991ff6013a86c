"""The doors of sharing: links made, listed and revoked; the page of a link, and of its preview, with its parts.

A link's page shows nothing but its session, without what the link leaves out; the preview shows the same to whoever is
about to make the link. What is left out of a preview stands in its query: `without=system,tools&text=...`.
"""

from __future__ import annotations

import datetime
from functools import wraps
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from playground import runs
from playground.formats import FORMATS
from playground.recordings import markers, sharing
from playground.recordings.sharing import Shared
from playground.recordings.veil import LeftOut, Veil, left_out
from playground.runs import Gone, Refused
from playground.web.answers import View, door, json_body
from playground.web.forms import share_request
from playground.web.lens import rows_answer, stream_answer
from playground.web.library import GONE
from playground.web.parts import bytes_answer, media_answer, preview_answer
from playground.web.rules import lint_rules

NO_LINK = "The session has no such link."


@door("GET")
async def shares(request: HttpRequest, session: str) -> HttpResponse:
    """The session's links, the newest first."""
    if not await runs.exists(session):
        raise Refused("no-such-session", GONE, status=404)
    links = await database_sync_to_async(sharing.of_session)(session)
    return JsonResponse({"shares": [share_message(link) for link in links]})


@door("POST")
async def make_share(request: HttpRequest, session: str) -> HttpResponse:
    """A new link; its address is told this once."""
    without, lifetime = share_request(json_body(request))
    try:
        made = await database_sync_to_async(sharing.make)(session, without, lifetime)
    except ValueError as problem:
        raise Refused("too-many-links", str(problem), status=409) from None
    if made is None:
        raise Refused("no-such-session", GONE, status=404)
    return JsonResponse({"address": f"/s/{made.token}/", "share": share_message(made.shared)}, status=201)


@door("POST")
async def revoke_share(request: HttpRequest, session: str, share: str) -> HttpResponse:
    """The link shows nothing any more, and whoever watches on it is cut off."""
    revoked = await runs.revoke(session, share)
    if revoked is None:
        raise Refused("no-such-link", NO_LINK, status=404)
    return JsonResponse({"share": share_message(revoked)})


def share_message(share: Shared) -> dict[str, Any]:
    """A link as the dialog lists it; `over` is "" while it shows something."""
    return {
        "id": share.id,
        "created": share.created,
        "expires": share.expires,
        "over": share.over or "",
        "without": sorted(share.without.parts),
        "texts": list(share.without.texts),
    }


class Sight(NamedTuple):
    """What a page of a link or of a preview shows."""

    session: str
    without: LeftOut
    link: Shared | None


def unlisted(view: View) -> View:
    """An answer that no search engine keeps, no cache holds, and whose address no other site is told."""

    @wraps(view)
    async def answer(request: HttpRequest, **address: Any) -> HttpResponseBase:
        response = await view(request, **address)
        response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        response["Referrer-Policy"] = "no-referrer"
        response["Cache-Control"] = "private, no-store"
        return response

    return answer


@unlisted
async def shared_page(request: HttpRequest, token: str = "", session: str = "") -> HttpResponse:
    """The page of a link or of its preview; of one that shows nothing, a page that says why."""
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    try:
        sight = await _sight(request, token, session)
    except Refused as refused:
        title, dot, rest = refused.message.partition(". ")
        return render(request, "share_gone.html", {"title": title + dot, "rest": rest}, status=refused.status)
    runs.expect(sight.session, sight.without)
    base = f"/s/{token}" if token else f"/sessions/{session}/shared-view"
    query = "" if token else request.META["QUERY_STRING"]
    expires = None if sight.link is None else datetime.datetime.fromtimestamp(sight.link.expires, datetime.UTC)
    formats = [{"name": each.name, "title": each.title.split()[0]} for each in FORMATS.values()]
    context = {"base": base, "query": query, "expires": expires, "lint_rules": lint_rules(address="")}
    return render(request, "share.html", {**context, "formats": formats})


@unlisted
@door("GET")
async def shared_bytes(request: HttpRequest, lane: int, token: str = "", session: str = "") -> HttpResponse:
    sight = await _sight(request, token, session)
    return await bytes_answer(request, sight.session, lane, sight.without)


@unlisted
@door("GET")
async def shared_media(request: HttpRequest, lane: int, part: int, token: str = "", session: str = "") -> HttpResponse:
    sight = await _sight(request, token, session)
    return await media_answer(sight.session, lane, part, sight.without)


@unlisted
@door("GET")
async def shared_preview(request: HttpRequest, lane: int, token: str = "", session: str = "") -> HttpResponse:
    sight = await _sight(request, token, session)
    return await preview_answer(request, sight.session, lane, sight.without)


@unlisted
@door("GET")
async def shared_lens(
    request: HttpRequest, lane: int, format: str, token: str = "", session: str = ""
) -> StreamingHttpResponse:
    sight = await _sight(request, token, session)
    return await rows_answer(sight.session, lane, format, sight.without)


@unlisted
@door("GET")
async def shared_lens_stream(
    request: HttpRequest, lane: int, format: str, token: str = "", session: str = ""
) -> StreamingHttpResponse:
    sight = await _sight(request, token, session)
    return await stream_answer(sight.session, lane, format, sight.without, name="shared")


@unlisted
@door("GET")
async def shared_markers(request: HttpRequest, token: str = "", session: str = "") -> HttpResponse:
    """What was noted at places of the lanes, to be read."""
    sight = await _sight(request, token, session)
    found = await database_sync_to_async(markers.of_session)(sight.session)
    if found is None:
        raise Refused("no-such-session", GONE, status=404)
    veil = Veil(sight.without)
    return JsonResponse({"markers": [{**marker, "note": veil.text(marker["note"])} for marker in found]})


def preview_without(query: str) -> LeftOut:
    """What a preview leaves out. Raises Refused."""
    asked = parse_qs(query)
    parts = [part for text in asked.get("without", []) for part in text.split(",")]
    try:
        return left_out(parts, asked.get("text", []))
    except ValueError as problem:
        raise Refused("invalid", str(problem), "without") from None


async def _sight(request: HttpRequest, token: str, session: str) -> Sight:
    """Raises Refused."""
    if token:
        try:
            link = await runs.shared(token)
        except Gone as gone:
            raise gone_refusal(gone) from None
        return Sight(link.session, link.without, link)
    without = preview_without(request.META["QUERY_STRING"])
    if not await runs.exists(session):
        raise Refused("no-such-session", GONE, status=404)
    return Sight(session, without, None)


def gone_refusal(gone: Gone) -> Refused:
    return Refused(f"share-{gone.why}", str(gone), status=404 if gone.why == "unknown" else 410)
