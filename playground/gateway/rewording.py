"""A request of one format -> the body of another one's, for a model that is routed to a real upstream.

Called by routed.py. What the other format has no field for is named in the second value.
"""

from __future__ import annotations

import re
from typing import Any

from playground.formats.interface import parse
from playground.gateway.asking import Ask, tools_of
from playground.gateway.conversation import Piece, Turn, turns_of
from playground.lens.interface import Loss

DEFAULT_MAX_TOKENS = 4096
"""Messages demands a limit, the other formats don't."""

# What every format has under the same name, and what is carried over below or belongs to the transport.
_SHARED = ("temperature", "top_p")
# fmt: off
_CARRIED = frozenset((
    "model", "messages", "input", "system", "instructions", "stream", "stream_options", "tools", "tool_choice",
    "parallel_tool_calls", "max_tokens", "max_completion_tokens", "max_output_tokens", "stop", "stop_sequences",
    "reasoning_effort", "reasoning",
))
# fmt: on

Body = dict[str, Any]


def reworded(ask: Ask) -> tuple[Body, list[Loss]]:
    """The body in the model's own format, always streamed and always with usage."""
    format = ask.model.native_format
    if format == ask.format:
        body = {**ask.body}
        lost: list[Loss] = []
    else:
        body = _WRITERS[format](ask, turns_of(ask.format, ask.body))
        body |= {name: ask.body[name] for name in _SHARED if ask.body.get(name) is not None}
        dropped = [name for name in ask.body if name not in _CARRIED and name not in _SHARED]
        lost = [Loss("request", f"`{name}` was not passed on: {format} has it elsewhere or not.") for name in dropped]
    body |= {"model": ask.model.upstream_name or ask.name, "stream": True}
    if format == "chat":
        body["stream_options"] = {"include_usage": True}
    return body, lost


def _chat(ask: Ask, turns: list[Turn]) -> Body:
    messages: list[Body] = []
    for turn in turns:
        results = [piece for piece in turn.pieces if piece.kind == "result"]
        calls = [piece for piece in turn.pieces if piece.kind == "call"]
        content = [_chat_part(piece) for piece in turn.pieces if piece.kind in {"text", "image"}]
        messages += [{"role": "tool", "tool_call_id": one.id, "content": one.text} for one in results]
        if content or calls:
            texts = [part["text"] for part in content if part["type"] == "text"]
            plain = "\n".join(texts) if len(texts) == len(content) else content
            message: Body = {"role": turn.speaker, "content": plain or None}
            if calls:
                message["tool_calls"] = [
                    {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": one.text}}
                    for one in calls
                ]
            messages.append(message)
    body: Body = {"messages": messages}
    if ask.max_tokens is not None:
        body["max_tokens"] = ask.max_tokens
    if stop := _stop(ask):
        body["stop"] = stop
    if effort := _effort(ask):
        body["reasoning_effort"] = effort
    if tools := tools_of(ask.format, ask.body):
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
            }
            for tool in tools
        ]
        word, name = _choice(ask)
        body["tool_choice"] = {"type": "function", "function": {"name": name}} if name else word
        if not ask.parallel:
            body["parallel_tool_calls"] = False
    return body


def _messages(ask: Ask, turns: list[Turn]) -> Body:
    system = [piece.text for turn in turns if turn.speaker == "system" for piece in turn.pieces]
    messages: list[Body] = []
    for turn in turns:
        if turn.speaker == "system":
            continue
        # Results stand before the words that go with them.
        pieces = sorted(turn.pieces, key=lambda piece: piece.kind != "result")
        blocks = [_block(piece) for piece in pieces if piece.text or piece.kind != "text"]
        if messages and messages[-1]["role"] == turn.speaker:
            messages[-1]["content"] += blocks
        elif blocks:
            messages.append({"role": turn.speaker, "content": blocks})
    body: Body = {"messages": messages, "max_tokens": ask.max_tokens or DEFAULT_MAX_TOKENS}
    if system:
        body["system"] = "\n\n".join(system)
    if stop := _stop(ask):
        body["stop_sequences"] = stop
    if tools := tools_of(ask.format, ask.body):
        body["tools"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "input_schema": {"type": "object", **tool.schema},
            }
            for tool in tools
        ]
        word, name = _choice(ask)
        choice: Body = {"type": "tool", "name": name} if name else {"type": {"required": "any"}.get(word, word)}
        if not ask.parallel and choice["type"] != "none":
            choice["disable_parallel_tool_use"] = True
        body["tool_choice"] = choice
    return body


def _responses(ask: Ask, turns: list[Turn]) -> Body:
    system = [piece.text for turn in turns if turn.speaker == "system" for piece in turn.pieces]
    items: list[Body] = []
    for turn in turns:
        for piece in turn.pieces if turn.speaker != "system" else ():
            if piece.kind == "call":
                call = {"type": "function_call", "call_id": piece.id, "name": piece.name, "arguments": piece.text}
                items.append(call)
            elif piece.kind == "result":
                items.append({"type": "function_call_output", "call_id": piece.id, "output": piece.text})
            else:
                said = "output_text" if turn.speaker == "assistant" else "input_text"
                part = (
                    {"type": "input_image", "image_url": piece.text}
                    if piece.kind == "image"
                    else {"type": said, "text": piece.text}
                )
                items.append({"type": "message", "role": turn.speaker, "content": [part]})
    body: Body = {"input": items, "store": False}
    if system:
        body["instructions"] = "\n\n".join(system)
    if ask.max_tokens is not None:
        body["max_output_tokens"] = ask.max_tokens
    if effort := _effort(ask):
        body["reasoning"] = {"effort": effort}
    if tools := tools_of(ask.format, ask.body):
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.schema,
                "strict": False,
            }
            for tool in tools
        ]
        word, name = _choice(ask)
        body["tool_choice"] = {"type": "function", "name": name} if name else word
        body["parallel_tool_calls"] = ask.parallel
    return body


_WRITERS = {"chat": _chat, "messages": _messages, "responses": _responses}


def _chat_part(piece: Piece) -> Body:
    if piece.kind == "image":
        return {"type": "image_url", "image_url": {"url": piece.text}}
    return {"type": "text", "text": piece.text}


def _block(piece: Piece) -> Body:
    if piece.kind == "call":
        value = parse(piece.text)
        return {
            "type": "tool_use",
            "id": piece.id,
            "name": piece.name,
            "input": value if isinstance(value, dict) else {},
        }
    if piece.kind == "result":
        return {"type": "tool_result", "tool_use_id": piece.id, "content": piece.text}
    if piece.kind == "image":
        inline = re.fullmatch(r"data:([^;,]*);base64,(.*)", piece.text, re.DOTALL)
        if inline:
            return {"type": "image", "source": {"type": "base64", "media_type": inline[1], "data": inline[2]}}
        return {"type": "image", "source": {"type": "url", "url": piece.text}}
    return {"type": "text", "text": piece.text}


def _choice(ask: Ask) -> tuple[str, str]:
    """auto, none or required; and the tool that must be called, "" when none must."""
    choice = ask.body.get("tool_choice")
    word = choice.get("type") if isinstance(choice, dict) else choice
    return {"any": "required", "required": "required", "none": "none"}.get(str(word), "auto"), ask.must_call


def _stop(ask: Ask) -> list[str]:
    given = ask.body.get("stop_sequences" if ask.format == "messages" else "stop")
    return [given] if isinstance(given, str) else [one for one in given if isinstance(one, str)] if given else []


def _effort(ask: Ask) -> str:
    reasoning = ask.body.get("reasoning")
    effort = reasoning.get("effort") if isinstance(reasoning, dict) else ask.body.get("reasoning_effort")
    return effort if isinstance(effort, str) else ""
