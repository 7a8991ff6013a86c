"""What a request came to, as the target's ledger tells it over HTTP: GET /v1/usage. Called by hall.py."""

from __future__ import annotations

from typing import Any

from playground.formats import FALLBACK
from playground.recordings.masking import Mask
from playground.runs.calls import Clients, base_of, own_headers, rules
from playground.runs.models import PATIENCE
from playground.runs.requests import LaneRequest, Refused
from playground.upstream.calls import Call, usage_call
from playground.upstream.errors import UpstreamError

_SHAPE = {
    "id": str,
    "model": str,
    "input_tokens": int,
    "output_tokens": int,
    "cost_micros": int,
    "ended": str,
    "replayed": bool,
}


async def ask_usage(clients: Clients, lane: LaneRequest, request_id: str) -> dict[str, Any]:
    """{"ledger": whether the target has one, "charge": the request's row of it or None}. Raises Refused.

    A row has id, model, input_tokens, output_tokens, cost_micros, ended ("running" while it is not over), replayed.
    """
    call = _call(lane, request_id)
    mask = Mask(key=lane.key, url=call.url, headers=call.headers, body=b"")
    try:
        status, value = await clients.client(lane.target).fetch_json(call, PATIENCE)
    except UpstreamError as error:
        raise Refused(error.how, mask.text(error.detail), "base_url", 502) from None
    entries = value.get("data") if isinstance(value, dict) and "total_cost_micros" in value else None
    if status != 200 or not isinstance(entries, list):
        return {"ledger": False, "charge": None}
    # A ledger that takes no notice of `request_id` lists other requests too.
    found = (charge for entry in entries if (charge := _charge(entry)) and charge["id"] == request_id)
    return {"ledger": True, "charge": next(found, None)}


def _call(lane: LaneRequest, request_id: str) -> Call:
    headers = (*lane.headers, *own_headers(lane.target))
    try:
        call = usage_call(
            lane.format or FALLBACK, base_of(lane.target, lane.base_url), request_id, key=lane.key, headers=headers
        )
        call.sent_headers(call.target(rules(lane.target)))
    except UpstreamError as error:
        raise Refused(error.how, error.detail, "base_url") from None
    return call


def _charge(entry: Any) -> dict[str, Any] | None:
    """The fields of a row that the page shows, None when it is no such row."""
    if not isinstance(entry, dict):
        return None
    charge = {name: entry.get(name) for name in _SHAPE}
    return charge if all(type(charge[name]) is kind for name, kind in _SHAPE.items()) else None
