"""What stands around every answer: the content security policy, and the access token of a server open to a network."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.cookie import parse_cookie
from django.shortcuts import render

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

COOKIE = "playground-access"
HEADER = "x-playground-token"
OPEN = ("/static/", "/healthz", "/s/")
OPEN_SOCKETS = ("/ws/s/",)
"""What needs no access token: addresses that begin so. A share link is a secret of its own."""


class ContentSecurityPolicy:
    """The strict policy on every answer that has none of its own."""

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        response = await self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class AccessToken:
    """With settings.ACCESS_TOKEN set, whoever has not shown it sees nothing. `?token=` once gives a cookie."""

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.ACCESS_TOKEN or request.path_info.startswith(OPEN):
            return await self.get_response(request)
        if is_token(request.GET.get("token", "")) and request.method in {"GET", "HEAD"}:
            return _with_cookie(request)
        shown = [request.COOKIES.get(COOKIE, ""), request.GET.get("token", "")]
        shown += header_tokens(request.headers)
        if any(map(is_token, shown)):
            return await self.get_response(request)
        return render(request, "403.html", status=403)


class SocketAccessToken:
    """The same for WebSockets: a socket without the token is refused before it opens."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if settings.ACCESS_TOKEN and not scope["path"].startswith(OPEN_SOCKETS):
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            shown = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])
            shown += [parse_cookie(headers.get("cookie", "")).get(COOKIE, ""), *header_tokens(headers)]
            if not any(map(is_token, shown)):
                await send({"type": "websocket.close"})
                return
        await self.application(scope, receive, send)


def is_token(text: str) -> bool:
    return bool(settings.ACCESS_TOKEN) and secrets.compare_digest(text.encode(), settings.ACCESS_TOKEN.encode())


def header_tokens(headers: Any) -> list[str]:
    """Where a client that is no browser shows the token: as the key of either API, or beside one."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    return [bearer.strip() if scheme.lower() == "bearer" else "", headers.get("x-api-key", ""), headers.get(HEADER, "")]


def _with_cookie(request: HttpRequest) -> HttpResponse:
    """The same address without the token in it: a token in the address bar is soon a token in a screenshot."""
    query = request.GET.copy()
    del query["token"]
    address = request.path + (f"?{query.urlencode()}" if query else "")
    response = HttpResponseRedirect(address if not address.startswith("//") else "/")
    response.set_cookie(COOKIE, settings.ACCESS_TOKEN, httponly=True, samesite="Lax", secure=request.is_secure())
    return response
