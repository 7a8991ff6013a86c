"""What a finish means, whatever the format calls it, and what each format calls it. Used by the writers.

A raw value that nobody knows is OTHER, never a natural end.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

NATURAL: Final = "natural"
STOP_SEQUENCE: Final = "stop sequence"
LENGTH: Final = "length"
CONTEXT: Final = "context"
TOOLS: Final = "tools"
FILTERED: Final = "filtered"
PAUSED: Final = "paused"
COMPACTION: Final = "compaction"
STEERED: Final = "steered"
CANCELLED: Final = "cancelled"
FAILED: Final = "failed"
OTHER: Final = "other"

_CLASSES: Final[dict[str, tuple[str, ...]]] = {
    NATURAL: ("stop", "end_turn", "completed", "eos", "eos_token", "STOP"),
    STOP_SEQUENCE: ("stop_sequence",),
    LENGTH: ("length", "max_tokens", "model_length", "max_output_tokens", "MAX_TOKENS"),
    CONTEXT: ("model_context_window_exceeded",),
    TOOLS: ("tool_calls", "function_call", "tool_use"),
    FILTERED: ("content_filter", "refusal", "sensitive", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT"),
    PAUSED: ("pause_turn",),
    COMPACTION: ("compaction",),
    STEERED: ("steered",),
    CANCELLED: ("cancelled",),
    FAILED: ("error", "network_error", "failed", "insufficient_system_resource"),
}
_CLASS_OF: Final = {raw: name for name, raws in _CLASSES.items() for raw in raws}


class Words(NamedTuple):
    """What the three formats call a class. Responses: the status and, when incomplete, the reason."""

    chat: str
    messages: str
    responses: tuple[str, str | None]


WORDS: Final[dict[str, Words]] = {
    NATURAL: Words("stop", "end_turn", ("completed", None)),
    STOP_SEQUENCE: Words("stop", "stop_sequence", ("completed", None)),
    LENGTH: Words("length", "max_tokens", ("incomplete", "max_output_tokens")),
    CONTEXT: Words("length", "model_context_window_exceeded", ("incomplete", "max_output_tokens")),
    TOOLS: Words("tool_calls", "tool_use", ("completed", None)),
    FILTERED: Words("content_filter", "refusal", ("incomplete", "content_filter")),
    PAUSED: Words("stop", "pause_turn", ("completed", None)),
    COMPACTION: Words("stop", "compaction", ("completed", None)),
    STEERED: Words("stop", "end_turn", ("incomplete", "steered")),
    CANCELLED: Words("stop", "end_turn", ("cancelled", None)),
    OTHER: Words("stop", "end_turn", ("completed", None)),
}

# Classes that lose their meaning on the way into a format.
UNSAID: Final[dict[str, frozenset[str]]] = {
    "chat": frozenset({STOP_SEQUENCE, CONTEXT, PAUSED, COMPACTION, STEERED, CANCELLED, OTHER}),
    "messages": frozenset({STEERED, CANCELLED, OTHER}),
    "responses": frozenset({STOP_SEQUENCE, CONTEXT, PAUSED, COMPACTION, OTHER}),
}


def class_of(raw: Any, *, detail: Any = None, calls: bool) -> str:
    """The class of a raw finish value; `detail` is Responses' reason for an incomplete answer.

    `calls`: the answer calls tools, which Responses does not say in its status, nor do some dialects of Chat.
    """
    if raw is None:
        return TOOLS if calls else NATURAL
    if raw == "incomplete":
        return _CLASS_OF.get(str(detail), LENGTH)
    name = _CLASS_OF.get(str(raw), OTHER)
    return TOOLS if name == NATURAL and calls else name
