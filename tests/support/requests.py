"""Requests to the gateway, the same for the three formats."""

from __future__ import annotations

from typing import Any

from playground.gateway.asking import Ask, read
from playground.gateway.catalogue import MODELS
from playground.gateway.performance import Identity, streamed, writer_for, written
from playground.gateway.scenarios import scenario_of
from playground.lens.interface import Writer

PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
NATIVE = {model.native_format: model.name for model in MODELS.values()}
IDENTITY = Identity("7fq2", 1_767_200_000)
HEALTHY = [
    "",
    "text",
    "reasoning",
    "tools",
    "agent",
    "web-search",
    "refusal",
    "length",
    "unicode",
    "slow-start",
    "stall",
    "burst",
    "free-tier",
    "crlf",
    "keep-alive",
    "usage-everywhere",
]
FULL_SPEED = {"X-Gateway-Pace": "tps=0, first=0"}


def body(
    format: str, scenario: str = "", *, prompt: str = "Hello there", model: str = "", **fields: Any
) -> dict[str, Any]:
    """A streamed request to `model`, the format's own by default; fields that are None are left out."""
    name = (model or NATIVE[format]) + (f":{scenario}" if scenario else "")
    request: dict[str, Any] = {"model": name, "stream": True}
    if format == "responses":
        request["input"] = prompt
    else:
        request["messages"] = [{"role": "user", "content": prompt}]
    if format == "chat":
        request["stream_options"] = {"include_usage": True}
    if format == "messages":
        request["max_tokens"] = 200_000
    return {key: value for key, value in {**request, **fields}.items() if value is not None}


def answered(format: str, scenario: str = "", **fields: Any) -> tuple[bytes, Writer, Ask]:
    """What the gateway would stream, made in this process; the writer that wrote it; what was asked."""
    ask = read(format, body(format, scenario, **fields))
    writer = writer_for(ask, IDENTITY)
    return b"".join(piece.body for piece in streamed(ask, scenario_of(ask), writer)), writer, ask


def whole(format: str, scenario: str = "", **fields: Any) -> dict[str, Any]:
    """The whole answer, made in this process."""
    ask = read(format, body(format, scenario, **fields))
    writer = writer_for(ask, IDENTITY)
    for _ in written(ask, scenario_of(ask), writer):
        pass
    return writer.whole()
