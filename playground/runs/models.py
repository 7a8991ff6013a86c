"""Which models a target has, as it tells itself over HTTP: GET /v1/models. Called by hall.py."""

from __future__ import annotations

from typing import Any

from playground.formats import FALLBACK, FORMATS
from playground.recordings.masking import Mask
from playground.runs.calls import Clients, base_of, own_headers, rules
from playground.runs.requests import Refused
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call, models_call
from playground.upstream.errors import UpstreamError

PATIENCE = Timeouts(connect=5, first_byte=10, idle=5)

# Vendors that show a list only to their own header take no notice of the other one.
_FORMATS = (FALLBACK, "messages")


async def ask_models(clients: Clients, target: str, base_url: str, key: str) -> dict[str, Any]:
    """{"models": [{"id", "format"?}], "scenarios"?}. Raises Refused with what to do."""
    status, value, call = 0, None, None
    for format in _FORMATS if key else _FORMATS[:1]:
        call = _call(format, target, base_url, key)
        mask = Mask(key=key, url=call.url, headers=call.headers, body=b"")
        try:
            status, value = await clients.client(target).fetch_json(call, PATIENCE)
        except UpstreamError as error:
            raise Refused(error.how, mask.text(error.detail), "base_url", 502) from None
        if status not in {401, 403, 404}:
            break
    entries = value.get("data", value.get("models")) if isinstance(value, dict) else value
    if status != 200 or not isinstance(entries, list):
        raise Refused("no-models", _sentence(status), "base_url", 502)
    found: dict[str, Any] = {"models": [model for entry in entries if (model := _model(entry))]}
    scenarios = value.get("scenarios") if isinstance(value, dict) else None
    if isinstance(scenarios, list):
        found["scenarios"] = scenarios
    return found


def _call(format: str, target: str, base_url: str, key: str) -> Call:
    try:
        call = models_call(format, base_of(target, base_url), key=key, headers=own_headers(target))
        call.sent_headers(call.target(rules(target)))
    except UpstreamError as error:
        raise Refused(error.how, error.detail, "base_url") from None
    return call


def _model(entry: Any) -> dict[str, str] | None:
    """The gateway tells a model's own format; everybody else has names only."""
    if not isinstance(entry, dict):
        return {"id": entry} if isinstance(entry, str) else None
    name = entry.get("id", entry.get("name"))
    if not isinstance(name, str):
        return None
    format = entry.get("native_format", entry.get("format"))
    return {"id": name, "format": format} if format in FORMATS else {"id": name}


def _sentence(status: int) -> str:
    if status in {401, 403}:
        return f"The target shows its models only with a valid key (it answered {status}); type the model's name."
    return f"The target has no list of models (it answered {status}); type the model's name."
