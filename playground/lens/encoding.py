"""A writer's events as bytes on the wire. Used by the gateway and by whoever shows a stream as another format."""

from __future__ import annotations

import json
from typing import Any

import orjson

from playground.lens.interface import Event


def encode(event: Event) -> bytes:
    """An event as bytes of an event stream, its blank line included."""
    name, value = event
    body = value.encode() if isinstance(value, str) else encode_json(value)
    if name:
        return b"event: %b\ndata: %b\n\n" % (name.encode(), body)
    return b"data: %b\n\n" % body


def encode_json(value: Any) -> bytes:
    """Compact JSON; lone UTF-16 halves as escapes, which orjson refuses."""
    try:
        return orjson.dumps(value)
    except (TypeError, ValueError):
        return json.dumps(value, separators=(",", ":")).encode()
