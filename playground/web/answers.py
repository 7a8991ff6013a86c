"""JSON in and out of the doors: a body that is read or refused, an error with its code. Used by the views here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any

import orjson
from channels.db import database_sync_to_async
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from django.http.response import HttpResponseBase

from playground.runs import Refused

BATCH = 64 * 1024
GONE = "There is no such session here. If it was deleted, the library can bring it back."

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def door(method: str) -> Callable[[View], View]:
    """A view for one method; what is refused is said as JSON."""

    def decorate(view: View) -> View:
        @wraps(view)
        async def answer(request: HttpRequest, **address: Any) -> HttpResponseBase:
            if request.method != method and not (method == "GET" and request.method == "HEAD"):
                refusal = Refused("method", f"This address takes {method}.", status=405)
                response: HttpResponse = error(refusal)
                response["Allow"] = method
                return response
            try:
                return await view(request, **address)
            except Refused as refused:
                return error(refused)

        return answer

    return decorate


def error(refused: Refused) -> JsonResponse:
    body = {"code": refused.code, "message": refused.message}
    if refused.field:
        body["field"] = refused.field
    return JsonResponse(body, status=refused.status)


def json_body(request: HttpRequest) -> Any:
    """The request's JSON value. Raises Refused."""
    try:
        text = request.body
    except RequestDataTooBig:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2
        raise Refused("body-too-large", f"The request is larger than {limit} MB; shorten it.", status=413) from None
    except UnreadablePostError:
        raise Refused("unreadable", "The request broke off; send it again.") from None
    try:
        return orjson.loads(text)
    except ValueError as problem:
        raise Refused("invalid-json", f"The request is no JSON: {problem}.") from None


async def in_batches(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The body of an answer that is made as it is sent, in a thread, some pieces at once: a thread for each piece
    costs more than the piece."""
    batch = database_sync_to_async(_batch, thread_sensitive=False)
    while joined := await batch(pieces):
        yield joined


def _batch(pieces: Iterator[bytes]) -> bytes:
    joined = bytearray()
    for piece in pieces:
        joined += piece
        if len(joined) >= BATCH:
            break
    return bytes(joined)
