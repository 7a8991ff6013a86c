"""Calls whose argument is free text (Responses' custom tools), told by formats whose arguments are JSON objects.

The text becomes the string of one member, piece by piece as it comes. Used by the writers.
"""

from __future__ import annotations

import json
from typing import Final

from playground.formats.interface import compact
from playground.transcript import Part

OPENING: Final = '{"input":"'
CLOSING: Final = '"}'


def is_free(part: Part) -> bool:
    """Responses marks such a call as custom, Chat by its type."""
    return part.kind == "tool_call" and bool(part.fields.get("custom") or part.fields.get("type") == "custom")


def piece(text: str) -> str:
    """Text as it stands inside of a JSON string; half a character as an escape, which its other half may follow."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(text)[1:-1]
    return compact(text)[1:-1]


def wrapped(text: str) -> str:
    return OPENING + piece(text) + CLOSING


def arguments_of(part: Part) -> str:
    """The arguments of a call as JSON text."""
    text = part.joined("arguments")
    return wrapped(text) if is_free(part) else text
