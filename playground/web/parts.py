"""Parts of a lane at addresses of their own: exact bytes, images and audio, the text rendered as Markdown.

Everything here came from an upstream and is not trusted: no answer may run anything or be taken for something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import nh3
from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from markdown_it import MarkdownIt

from playground import runs
from playground.recordings.media import content_of, media_type
from playground.recordings.veil import NOTHING, LeftOut
from playground.runs import Refused
from playground.web.answers import door

MOST_BYTES = 16 * 1024 * 1024

SEALED = "default-src 'none'; sandbox"
PREVIEW = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@door("GET")
async def exact_bytes(request: HttpRequest, session: str, lane: int) -> HttpResponse:
    return await bytes_answer(request, session, lane)


@door("GET")
async def media(request: HttpRequest, session: str, lane: int, part: int) -> HttpResponse:
    return await media_answer(session, lane, part)


@door("GET")
async def preview(request: HttpRequest, session: str, lane: int) -> HttpResponse:
    return await preview_answer(request, session, lane)


async def bytes_answer(request: HttpRequest, session: str, lane: int, without: LeftOut = NOTHING) -> HttpResponse:
    """Bytes `from` to `to` of the decoded body."""
    start, end = _number(request, "from"), _number(request, "to")
    if not start <= end <= start + MOST_BYTES:
        raise Refused("invalid", f"`from` to `to` is a stretch of at most {MOST_BYTES} bytes.", "to")
    body = await runs.body(session, lane, start, end, without)
    return HttpResponse(_found(body), content_type="application/octet-stream", headers=_sealed(SEALED))


async def media_answer(session: str, lane: int, part: int, without: LeftOut = NOTHING) -> HttpResponse:
    """The image or the audio of a part, as what its first bytes say it is."""
    cursor = _found(await runs.transcript(session, lane, without))
    found = next((each for each in cursor.pipeline.transcript if each.number == part), None)
    content = None if found is None else await database_sync_to_async(content_of, thread_sensitive=False)(found)
    if not content:
        raise Refused("no-such-part", "This part of the lane is no image and no audio.", status=404)
    return HttpResponse(content, content_type=media_type(content), headers=_sealed(SEALED))


async def preview_answer(request: HttpRequest, session: str, lane: int, without: LeftOut = NOTHING) -> HttpResponse:
    """A document for a sandboxed frame: the lane's text as Markdown."""
    cursor = _found(await runs.transcript(session, lane, without))
    html = await database_sync_to_async(markdown, thread_sensitive=False)(
        part.value("text") for part in cursor.pipeline.transcript if part.kind == "text" and "status" not in part.fields
    )
    response = render(request, "preview.html", {"html": html})
    for name, value in _sealed(PREVIEW).items():
        response[name] = value
    return response


def markdown(texts: Iterable[Any]) -> str:
    """Safe HTML: HTML in the text is shown as text, images are left out, links open nowhere but in a new window."""
    html = _markdown.render("\n\n".join(text for text in texts if text))
    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https", "mailto"})


def _number(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise Refused("invalid", f"`{name}` is a byte offset, a whole number.", name)
    return int(text)


def _found(value: Any) -> Any:
    if value is None:
        raise Refused("no-such-lane", "There is no such lane here. Its session may have been deleted.", status=404)
    return value


def _sealed(policy: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }


_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
