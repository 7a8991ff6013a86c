"""A lane as asked for becomes a call that can be sent and a request that may be kept. Called by hall.py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

from playground.formats import FALLBACK
from playground.formats.interface import parse
from playground.reads import Head
from playground.recordings.keep import NewLane
from playground.recordings.masking import Mask
from playground.runs.requests import GATEWAY, LaneRequest, Refused, SessionRequest
from playground.upstream.addresses import Rules
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call, call_for, check_headers
from playground.upstream.client import Upstream
from playground.upstream.errors import UpstreamError

TOKEN_HEADER = "X-Playground-Token"
"""Carries the access token of this server to its own gateway, beside the person's key."""


@dataclass(frozen=True, slots=True)
class PreparedLane:
    """`call` goes over the wire, secrets and all; `kept` has none."""

    call: Call
    kept: NewLane
    mask: Mask


class Clients:
    """The HTTP clients of this server: one that keeps to the rules, one for the gateway, which stands on loopback."""

    def __init__(self) -> None:
        self._clients: dict[str, Upstream] = {}

    def client(self, target: str) -> Upstream:
        name = GATEWAY if target == GATEWAY else ""
        if name not in self._clients:
            self._clients[name] = Upstream(rules(target))
        return self._clients[name]

    @staticmethod
    def timeouts() -> Timeouts:
        return Timeouts(settings.CONNECT_TIMEOUT, settings.FIRST_BYTE_TIMEOUT, settings.IDLE_TIMEOUT)

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()


def rules(target: str) -> Rules:
    """What may be called. The gateway may stand anywhere: its address comes from the settings, not from a person."""
    if target == GATEWAY:
        return Rules(allow_loopback=True, allow_private=True)
    return Rules(allow_loopback=settings.ALLOW_LOOPBACK, allow_private=settings.ALLOW_PRIVATE)


def prepare_all(request: SessionRequest) -> list[PreparedLane]:
    """Raises Refused."""
    return [prepare(lane, f"lanes.{number}") for number, lane in enumerate(request.lanes)]


def prepare(lane: LaneRequest, field: str) -> PreparedLane:
    """Raises Refused, with fields below `field`, for what cannot be sent."""
    if len(lane.body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2
        raise Refused("body-too-large", f"A request body may have {limit} MB here; shorten it.", f"{field}.body", 413)
    call = _call(lane, field)
    mask = Mask(key=lane.key, url=call.url, headers=call.headers, body=call.body, marked=lane.marked)
    head = mask.request(Head(method=call.method, url=call.url, request_headers=call.headers, request_body=call.body))
    return PreparedLane(call, NewLane(lane.format, lane.target, mask.text(_model(lane.body)), head), mask)


def base_of(target: str, base_url: str) -> str:
    return settings.GATEWAY_URL if target == GATEWAY else base_url


def _call(lane: LaneRequest, field: str) -> Call:
    base = base_of(lane.target, lane.base_url)
    with _refusing(f"{field}.headers"):
        check_headers(lane.headers)
    with _refusing(f"{field}.key"):
        headers = (*lane.headers, *own_headers(lane.target))
        call = call_for(lane.format or FALLBACK, base, lane.body, key=lane.key, headers=headers)
    if lane.path:
        parts = urlsplit(base)
        call = replace(call, url=urlunsplit((parts.scheme, parts.netloc, lane.path, "", "")))
    call = replace(call, method=lane.method)
    with _refusing(f"{field}.base_url"):
        target = call.target(rules(lane.target))
    with _refusing(f"{field}.method"):
        call.sent_headers(target)
    return call


@contextmanager
def _refusing(field: str) -> Iterator[None]:
    try:
        yield
    except UpstreamError as error:
        raise Refused(error.how, error.detail, field) from None


def own_headers(target: str) -> tuple[tuple[str, str], ...]:
    return ((TOKEN_HEADER, settings.ACCESS_TOKEN),) if target == GATEWAY and settings.ACCESS_TOKEN else ()


def _model(body: bytes) -> str:
    value: Any = parse(body.decode(errors="replace"))
    model = value.get("model") if isinstance(value, dict) else None
    return model if isinstance(model, str) else ""
