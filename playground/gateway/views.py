"""The gateway's doors: read the request, find the script, answer. All that is refused is said in the vendor's shape."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.request import UnreadablePostError
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from playground.formats.interface import parse
from playground.gateway import asking, pace
from playground.gateway.asking import Ask
from playground.gateway.catalogue import MODELS
from playground.gateway.faults import Piece, two_thirds
from playground.gateway.performance import Identity, faulty, streamed, writer_for, written
from playground.gateway.playing import play, wait_for
from playground.gateway.refused import Refused
from playground.gateway.scenarios import SCENARIOS, Scenario, scenario_of
from playground.gateway.wire import wire_of
from playground.lens.interface import encode_json

Door = Callable[[HttpRequest, str], Awaitable[HttpResponseBase]]

log = logging.getLogger(__name__)

_EVENT_STREAM = {"content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no"}
_JSON = {"content-type": "application/json"}
_HTML = {"content-type": "text/html; charset=utf-8"}


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
    if status in {429, 503, 529}:
        response["retry-after"] = "1"
    return response


async def _models(request: HttpRequest, request_id: str) -> HttpResponse:
    listed = {
        "object": "list",
        "data": [model.listed() for model in MODELS.values()],
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
        scenario = scenario_of(ask)
        speed = pace.read(request.headers.get(pace.HEADER, ""))
        if scenario.full_speed:
            speed = pace.Pace(0, 0)
        if scenario.refusal is not None:
            raise Refused(*scenario.refusal)
        if scenario.page:
            return HttpResponse(scenario.page, headers=_HTML)
        if ask.stream and not scenario.never_streamed:
            return _stream(request, ask, scenario, speed)
        return await _whole(request, ask, scenario, speed)

    return answer


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


def _identity() -> Identity:
    return Identity(secrets.token_hex(12), int(time.time()))


def _stream(request: HttpRequest, ask: Ask, scenario: Scenario, speed: pace.Pace) -> StreamingHttpResponse:
    pieces = streamed(ask, scenario, writer_for(ask, _identity()))
    return StreamingHttpResponse(play(pieces, speed, _wire(request)), headers=_EVENT_STREAM)


async def _whole(request: HttpRequest, ask: Ask, scenario: Scenario, speed: pace.Pace) -> HttpResponseBase:
    writer = writer_for(ask, _identity())
    pieces = list(faulty(iter(list(written(ask, scenario, writer))), scenario, writer))
    await wait_for(pieces, speed)
    if writer.fault is not None:
        word = {"overloaded_error": "overloaded", "rate_limit_error": "rate-limit"}.get(writer.fault.kind.messages)
        raise Refused(word or "failed", writer.fault.message)
    body = scenario.on_whole(encode_json(writer.whole()))
    if any(piece.cut for piece in pieces):
        broken = [Piece(two_thirds(body), cut=True)]
        return StreamingHttpResponse(play(broken, pace.Pace(0, 0), _wire(request)), headers=_JSON)
    return HttpResponse(body, headers=_JSON)


def _wire(request: HttpRequest) -> Any:
    return wire_of(getattr(request, "scope", {}))


chat_completions = _door("chat", "POST", _completion("chat"))
messages = _door("messages", "POST", _completion("messages"))
responses = _door("responses", "POST", _completion("responses"))
models = _door("chat", "GET", _models)
nothing = _door("chat", "", _nothing)
