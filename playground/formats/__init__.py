"""rows -> updates. The list of formats; adding one costs one line here and one file beside it."""

from __future__ import annotations

from typing import Any

from playground.formats.chat import Chat
from playground.formats.interface import Decoder
from playground.formats.messages import Messages
from playground.formats.responses import Responses

FORMATS: dict[str, type[Decoder]] = {decoder.name: decoder for decoder in (Chat, Messages, Responses)}

FALLBACK = Chat.name
"""Read as this when nothing in a body tells its format."""


def recognise(value: dict[str, Any], event: str) -> str | None:
    """The one format whose object this is, None when it could be several or none."""
    names = [name for name, decoder in FORMATS.items() if decoder.recognises(value, event)]
    return names[0] if len(names) == 1 else None
