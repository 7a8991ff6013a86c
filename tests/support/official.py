"""The official Python clients, answered with a body in pieces: what they accumulate, in the fields of expect.json."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import anthropic
import openai

ASKED: dict[str, Any] = {"model": "any", "messages": [{"role": "user", "content": "Ahoy"}]}
READ_BYTES = 100
"""So many bytes a read: small enough that reads end inside of events and characters."""


def pieces(body: bytes) -> list[bytes]:
    return [body[at : at + READ_BYTES] for at in range(0, len(body), READ_BYTES)]


def http_client(official: ModuleType, body: bytes) -> Any:
    """An HTTP client, of the library that the official client is built on, that is answered with the stream."""
    library = importlib.import_module(official.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])

    class Body(library.SyncByteStream):  # type: ignore[misc, name-defined]
        def __iter__(self) -> Iterator[bytes]:
            return iter(pieces(body))

    def answer(request: Any) -> Any:
        return library.Response(200, headers={"content-type": "text/event-stream"}, stream=Body())

    return library.Client(transport=library.MockTransport(answer))


def judged_chat(body: bytes) -> dict[str, Any]:
    client = openai.OpenAI(api_key="key", http_client=http_client(openai, body))
    with client, client.chat.completions.stream(**ASKED) as stream:
        for _ in stream:
            pass
        completion = stream.current_completion_snapshot
    message = completion.choices[0].message
    extra = message.model_extra or {}
    details = "".join(
        detail.get("text") or detail.get("summary") or "" for detail in extra.get("reasoning_details", ())
    )
    return {
        "text": message.content or "",
        "reasoning": details or extra.get("reasoning_content") or extra.get("reasoning") or "",
        "refusal": message.refusal or "",
        "tool_calls": [
            {"id": call.id, "name": call.function.name, "arguments": call.function.arguments}
            for call in message.tool_calls or ()
        ],
        "finish": completion.choices[0].finish_reason,
        "usage": counted(
            completion.usage, "prompt_tokens", "completion_tokens", "completion_tokens_details", "prompt_tokens_details"
        ),
        "errors": [],
    }


def judged_messages(body: bytes) -> dict[str, Any]:
    client = anthropic.Anthropic(api_key="key", http_client=http_client(anthropic, body))
    with client, client.messages.stream(max_tokens=100, **ASKED) as stream:
        message = stream.get_final_message()
    usage = message.usage
    return {
        "text": "".join(block.text for block in message.content if block.type == "text"),
        "reasoning": "".join(block.thinking for block in message.content if block.type == "thinking"),
        "refusal": "",
        "tool_calls": [
            {"id": block.id, "name": block.name, "arguments": block.input}
            for block in message.content
            if block.type == "tool_use"
        ],
        "finish": message.stop_reason,
        "usage": {
            "input": usage.input_tokens,
            "output": usage.output_tokens,
            "reasoning": getattr(getattr(usage, "output_tokens_details", None), "thinking_tokens", None),
            "cached": usage.cache_read_input_tokens,
        },
        "errors": [],
    }


def judged_responses(body: bytes) -> dict[str, Any]:
    """The helper's own snapshot; a response that did not complete has only the one of its terminal event."""
    client = openai.OpenAI(api_key="key", http_client=http_client(openai, body))
    with client, client.responses.stream(model="any", input="Ahoy") as stream:
        response = None
        for event in stream:
            if event.type in {"response.incomplete", "response.failed"}:
                response = event.response
        response = response or stream.get_final_response()
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    return {
        "text": response.output_text,
        "reasoning": "".join(
            part.text for item in response.output if item.type == "reasoning" for part in (item.content or item.summary)
        ),
        "refusal": "".join(part.refusal for part in parts if part.type == "refusal"),
        "tool_calls": [
            {
                "id": item.call_id,
                "name": item.name,
                "arguments": item.arguments if item.type == "function_call" else item.input,
            }
            for item in response.output
            if item.type in {"function_call", "custom_tool_call"}
        ],
        "finish": response.status,
        "usage": counted(
            response.usage, "input_tokens", "output_tokens", "output_tokens_details", "input_tokens_details"
        ),
        "errors": [response.error.message] if response.error else [],
    }


def counted(usage: Any, input: str, output: str, of_output: str, of_input: str) -> dict[str, Any] | None:
    if usage is None:
        return None
    return {
        "input": getattr(usage, input),
        "output": getattr(usage, output),
        "reasoning": getattr(getattr(usage, of_output, None), "reasoning_tokens", None),
        "cached": getattr(getattr(usage, of_input, None), "cached_tokens", None),
    }


JUDGES: dict[str, Callable[[bytes], dict[str, Any]]] = {
    "chat": judged_chat,
    "messages": judged_messages,
    "responses": judged_responses,
}
