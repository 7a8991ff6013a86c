"""A request's conversation in words that the three formats share. Read from any format, written by rewording.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from playground.formats.interface import compact

PieceKind = Literal["text", "image", "call", "result"]


@dataclass(slots=True)
class Piece:
    """A part of a turn. text: `text`. image: `text` is its address, data: or https:.

    call: `id`, `name`, and `text` its arguments as JSON text. result: `id` of the call, `text` what came of it.
    """

    kind: PieceKind
    text: str
    id: str = ""
    name: str = ""


@dataclass(slots=True)
class Turn:
    """`speaker` is user, assistant or system."""

    speaker: str
    pieces: list[Piece] = field(default_factory=list)


def turns_of(format: str, body: dict[str, Any]) -> list[Turn]:
    """The conversation, neighbouring turns of one speaker joined; what no other format could say is left out."""
    turns: list[Turn] = []
    for speaker, piece in _READERS[format](body):
        if not turns or turns[-1].speaker != speaker:
            turns.append(Turn(speaker))
        turns[-1].pieces.append(piece)
    return turns


def _chat(body: dict[str, Any]) -> Iterator[tuple[str, Piece]]:
    for message in _objects(body.get("messages")):
        role = message.get("role")
        if role == "tool":
            yield "user", Piece("result", _joined(message.get("content")), id=_string(message.get("tool_call_id")))
            continue
        speaker = "system" if role in {"system", "developer"} else "assistant" if role == "assistant" else "user"
        for piece in _content(message.get("content")):
            yield speaker, piece
        for call in _objects(message.get("tool_calls")):
            function = call.get("function")
            named = function if isinstance(function, dict) else {}
            arguments, name = _string(named.get("arguments")), _string(named.get("name"))
            yield "assistant", Piece("call", arguments or "{}", id=_string(call.get("id")), name=name)


def _messages(body: dict[str, Any]) -> Iterator[tuple[str, Piece]]:
    for piece in _content(body.get("system")):
        yield "system", piece
    for message in _objects(body.get("messages")):
        speaker = "assistant" if message.get("role") == "assistant" else "user"
        content = message.get("content")
        if isinstance(content, str):
            yield speaker, Piece("text", content)
        for block in _objects(content):
            kind = block.get("type")
            if kind == "tool_use":
                arguments, name = compact(block.get("input") or {}), _string(block.get("name"))
                yield speaker, Piece("call", arguments, id=_string(block.get("id")), name=name)
            elif kind == "tool_result":
                yield speaker, Piece("result", _joined(block.get("content")), id=_string(block.get("tool_use_id")))
            elif kind == "image":
                yield speaker, Piece("image", _image(block.get("source")))
            elif kind == "text":
                yield speaker, Piece("text", _string(block.get("text")))


def _responses(body: dict[str, Any]) -> Iterator[tuple[str, Piece]]:
    for piece in _content(body.get("instructions")):
        yield "system", piece
    given = body.get("input")
    if isinstance(given, str):
        yield "user", Piece("text", given)
    for item in _objects(given):
        kind = item.get("type", "message")
        if kind == "function_call":
            arguments, name = _string(item.get("arguments")), _string(item.get("name"))
            yield "assistant", Piece("call", arguments or "{}", id=_string(item.get("call_id")), name=name)
        elif kind == "function_call_output":
            yield "user", Piece("result", _joined(item.get("output")), id=_string(item.get("call_id")))
        elif kind == "message":
            role = item.get("role")
            speaker = "system" if role in {"system", "developer"} else "assistant" if role == "assistant" else "user"
            for piece in _content(item.get("content")):
                yield speaker, piece


_READERS = {"chat": _chat, "messages": _messages, "responses": _responses}


def _content(content: Any) -> Iterator[Piece]:
    """Texts and images, whatever the format calls their parts."""
    if isinstance(content, str):
        yield Piece("text", content)
    for part in _objects(content):
        image = part.get("image_url")
        if isinstance(image, dict):
            image = image.get("url")
        if isinstance(image, str):
            yield Piece("image", image)
        elif isinstance(part.get("text"), str):
            yield Piece("text", part["text"])
        elif isinstance(part.get("refusal"), str):
            yield Piece("text", part["refusal"])


def _joined(content: Any) -> str:
    """What a tool said, as text."""
    if isinstance(content, str | list):
        return "\n".join(piece.text for piece in _content(content) if piece.kind == "text")
    return "" if content is None else compact(content)


def _image(source: Any) -> str:
    if not isinstance(source, dict):
        return ""
    if source.get("type") == "base64":
        return f"data:{_string(source.get('media_type'))};base64,{_string(source.get('data'))}"
    return _string(source.get("url"))


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
