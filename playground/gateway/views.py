"""The gateway's doors: read the request, find the script, answer. All that is refused is said in the vendor's shape."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from channels.db import database_sync_to_async
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from playground.formats.interface import parse
from playground.gateway import answering, asking, ledger, pace, routes
from playground.gateway.asking import Ask
from playground.gateway.billing import micros
from playground.gateway.calls import Call
from playground.gateway.catalogue import JSON, MODELS
from playground.gateway.ledger import Bill, Wanted, account_of
from playground.gateway.models import Stored
from playground.gateway.performance import Identity
from playground.gateway.refused import Refused
from playground.gateway.routed import Routed
from playground.gateway.scenarios import SCENARIOS, scenario_of
from playground.gateway.scripted import Scripted
from playground.gateway.speaker import prompt_tokens
from playground.lens.encoding import encode_json

Door = Callable[[HttpRequest, str], Awaitable[HttpResponseBase]]

log = logging.getLogger(__name__)

_JSON = {"content-type": JSON}
_LONGEST_KEY = 255
_USUAL_LIMIT = 50
_LARGEST_LIMIT = 1_000


def _door(format: str, method: str, answer: Door) -> Callable[..., Coroutine[Any, Any, HttpResponseBase]]:
    """A view for `method` ("" takes any). Every answer has a request id; errors are told as `format` does."""

    async def view(request: HttpRequest, **address: str) -> HttpResponseBase:
        request_id = f"req_{secrets.token_hex(12)}"
        try:
            if method and request.method != method:
                raise Refused("method", f"Not allowed to {request.method} {request.path}: it takes {method}.")
            response = await answer(request, request_id)
        except Refused as refused:
            response = _refusal(refused, format, request_id)
            if refused.word == "method":
                response["allow"] = method
        except Exception:
            log.exception("%s failed", request.path)
            failure = Refused("failed", "The gateway failed while it prepared the answer.")
            response = _refusal(failure, format, request_id)
        response["x-request-id"] = request_id
        if format == "messages":
            response["request-id"] = request_id
        response["cache-control"] = "no-cache"
        return response

    return csrf_exempt(view)


def _refusal(refused: Refused, format: str, request_id: str) -> HttpResponse:
    status = refused.status(format)
    response = HttpResponse(encode_json(refused.body(format, request_id)), status=status, headers=_JSON)
    if refused.retry_after is not None or status in {429, 503, 529}:
        response["retry-after"] = str(refused.retry_after or 1)
    return response


async def _models(request: HttpRequest, request_id: str) -> HttpResponse:
    listed = {
        "object": "list",
        "data": [model.listed() for model in (*MODELS.values(), *routes.named())],
        "scenarios": [
            {"name": one.name, "look_for": one.look_for, "max_tokens": one.max_tokens} for one in SCENARIOS.values()
        ],
    }
    return HttpResponse(encode_json(listed), headers=_JSON)


async def _nothing(request: HttpRequest, request_id: str) -> HttpResponse:
    raise Refused("address", f"Unknown address {request.path}.")


def _completion(format: str) -> Door:
    async def answer(request: HttpRequest, request_id: str) -> HttpResponseBase:
        ask = asking.read(format, _body(request))
        speed = pace.read(request.headers.get(pace.HEADER, ""))
        wanted = _wanted(request, request_id, ask)
        source = _source(ask, speed)
        prompt = prompt_tokens(ask)
        call = Call(wanted, source, Bill(prompt, 0, micros(ask.model, prompt, 0, 0)))
        kept = await call.open()
        if kept is not None:
            response: HttpResponseBase = answering.again(kept)
        elif source.streams:
            response = answering.streaming(request, call)
        else:
            response = await answering.whole(request, call)
        if wanted.cache:
            response[answering.CACHE_HEADER] = "hit" if kept and kept.kind == Stored.CACHE else "miss"
        return response

    return answer


def _source(ask: Ask, speed: pace.Pace) -> Scripted | Routed:
    identity = Identity(secrets.token_hex(12), int(time.time()))
    return Routed(ask, identity) if ask.model.address else Scripted(ask, scenario_of(ask), speed, identity)


def _wanted(request: HttpRequest, request_id: str, ask: Ask) -> Wanted:
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > _LONGEST_KEY:
        raise Refused("invalid", f"An Idempotency-Key has at most {_LONGEST_KEY} characters.", "Idempotency-Key")
    cache = request.headers.get(answering.CACHE_HEADER, "").strip().lower()
    if cache not in {"", "on", "off"}:
        raise Refused("invalid", f"{answering.CACHE_HEADER} is `on` or `off`.", answering.CACHE_HEADER)
    return Wanted(
        id=request_id,
        account=_account(request),
        model=ask.name,
        path=request.path,
        streamed=ask.stream,
        digest=ask.digest,
        key=key,
        cache=cache == "on",
    )


def _account(request: HttpRequest) -> str:
    """The ledger's account of the key that the request brings; calls without a key share one."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    key = bearer.strip() if scheme.lower() == "bearer" else ""
    return account_of(key or request.headers.get("x-api-key", "").strip())


async def _usage(request: HttpRequest, request_id: str) -> HttpResponse:
    text = request.GET.get("limit", str(_USUAL_LIMIT))
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) or not 1 <= int(text) <= _LARGEST_LIMIT:
        raise Refused("invalid", f"`limit` must be a whole number from 1 to {_LARGEST_LIMIT}.", "limit")
    listed = await database_sync_to_async(_settled_and_listed)(
        _account(request), int(text), request.GET.get("request_id", "")[:40].replace("\0", "")
    )
    return HttpResponse(encode_json(listed), headers=_JSON)


def _settled_and_listed(account: str, limit: int, charge: str) -> dict[str, Any]:
    ledger.settle()
    return ledger.listed(account, limit, charge)


def _body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent. JSON has to be named: a page of another origin cannot do that unasked."""
    if request.content_type != "application/json":
        kind = request.content_type or "none"
        raise Refused("media-type", f"The content type must be application/json, not {kind[:80]}.")
    try:
        raw = request.body
    except RequestDataTooBig:
        raise Refused("too-large", "The request is larger than this gateway takes.") from None
    except UnreadablePostError:
        raise Refused("not-json", "The body ended too early.") from None
    try:
        body = parse(raw.decode())
    except (UnicodeDecodeError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise Refused("not-json", "We could not parse the JSON body of your request: it must be one JSON object.")
    return body


chat_completions = _door("chat", "POST", _completion("chat"))
messages = _door("messages", "POST", _completion("messages"))
responses = _door("responses", "POST", _completion("responses"))
models = _door("chat", "GET", _models)
usage = _door("chat", "GET", _usage)
nothing = _door("chat", "", _nothing)
