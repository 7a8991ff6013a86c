"""Long ordinary streams of each format: what most events of a real answer look like."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

WORDS = ("The", " tide", " turns", " at", " ten", ",", " and", " the", " ferry", " waits", ".", " Grüße", "\n")


def _event(value: dict[str, Any], name: str = "") -> bytes:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def _words(count: int) -> Iterator[str]:
    return (WORDS[number % len(WORDS)] for number in range(count))


def chat(count: int) -> bytes:
    """Chat Completions: a role chunk, `count` chunks of content, finish, usage, [DONE]."""

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {
            "id": "chatcmpl-7fq2",
            "object": "chat.completion.chunk",
            "created": 1767200000,
            "model": "orchid-2",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }

    usage = {"prompt_tokens": 18, "completion_tokens": count, "total_tokens": 18 + count}
    return b"".join(
        [
            _event(chunk({"role": "assistant", "content": ""})),
            *(_event(chunk({"content": word})) for word in _words(count)),
            _event(chunk({}, "stop")),
            _event({**chunk({}), "choices": [], "usage": usage}),
            b"data: [DONE]\n\n",
        ]
    )


def messages(count: int) -> bytes:
    """Messages: one text block of `count` deltas."""
    message = {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "heron-4",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 18, "output_tokens": 1},
    }
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
            for word in _words(count)
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": count},
        },
        {"type": "message_stop"},
    ]
    return b"".join(_event(event, event["type"]) for event in events)


def responses(count: int) -> bytes:
    """Responses: one message item with one text part of `count` deltas."""
    text = "".join(_words(count))
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    usage = {
        "input_tokens": 18,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": count,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 18 + count,
    }

    def response(status: str, output: list[Any], usage: dict[str, Any] | None) -> dict[str, Any]:
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1767200000,
            "status": status,
            "error": None,
            "incomplete_details": None,
            "model": "osprey-3",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage,
        }

    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": response("in_progress", [], None)},
        {"type": "response.in_progress", "response": response("in_progress", [], None)},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "status": "in_progress", "content": []},
        },
        {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
        *({"type": "response.output_text.delta", **place, "delta": word, "logprobs": []} for word in _words(count)),
        {"type": "response.output_text.done", **place, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response("completed", [item], usage)},
    ]
    return b"".join(_event({**event, "sequence_number": number}, event["type"]) for number, event in enumerate(events))


BODIES = {"chat": chat, "messages": messages, "responses": responses}
