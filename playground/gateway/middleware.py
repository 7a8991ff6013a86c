"""Around everything below /v1/: what others refuse there is told in the vendor's shape, and who may read it elsewhere.

Stands first in MIDDLEWARE, so that a missing access token or a foreign Host is answered like any mistake of a caller.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from playground.gateway.catalogue import JSON
from playground.gateway.refused import Refused, word_of
from playground.lens.encoding import encode_json

PREFIX = "/v1/"
_SENTENCES = {
    400: "This server does not go by that Host.",
    403: "This server needs its access token, as the key or in X-Playground-Token.",
}
_READABLE = (
    "x-request-id, retry-after, x-zukko-cost-micros, x-fetch-balance-cents, idempotent-replayed, x-gateway-cache"
)


class VendorAnswers:
    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return await self.get_response(request)
        origin = request.headers.get("origin", "")
        allowed = origin != "" and origin in settings.GATEWAY_ORIGINS
        if allowed and request.method == "OPTIONS" and "access-control-request-method" in request.headers:
            response: HttpResponseBase = _preflight(request)
        else:
            response = await self.get_response(request)
            if response.status_code >= 400 and response.get("content-type", "").startswith("text/html"):
                response = _in_the_vendors_shape(request, response)
        if allowed:
            response["access-control-allow-origin"] = origin
            response["access-control-expose-headers"] = _READABLE
            response["vary"] = "origin"
        return response


def _preflight(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(status=204)
    response["access-control-allow-methods"] = "GET, POST"
    response["access-control-allow-headers"] = request.headers.get("access-control-request-headers", "content-type")
    response["access-control-max-age"] = "600"
    return response


def _in_the_vendors_shape(request: HttpRequest, page: HttpResponseBase) -> HttpResponse:
    """The same answer, its other headers kept."""
    status = page.status_code
    format = "messages" if request.path_info == f"{PREFIX}messages" else "chat"
    request_id = f"req_{secrets.token_hex(12)}"
    refused = Refused(word_of(status), _SENTENCES.get(status, "This server cannot answer that."))
    response = HttpResponse(encode_json(refused.body(format, request_id)), status=status, content_type=JSON)
    response["x-request-id"] = request_id
    for name, value in page.items():
        if name.lower() not in {"content-type", "content-length"}:
            response[name] = value
    return response
