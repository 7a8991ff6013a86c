"""Legal streams of each format, by the state machines that docs and clients agree on. For hypothesis.

A stream is a list of (event name, JSON value or raw text such as [DONE]).
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

Event = tuple[str, Any]
DONE = "[DONE]"

WORDS = st.sampled_from(["The", " tide", " turns.", "Grüße ", "🦉", "\n", '"quoted"', "\\", "{", "a < b"])
TEXTS = st.lists(WORDS, min_size=1, max_size=4)
ARGUMENTS = st.sampled_from(["{}", '{"port":"Brest"}', '{"n":[1,2,{"deep":null}]}', '{"text":"\\u00fc\\n"}'])


def wire(events: list[Event]) -> bytes:
    """Text that is no JSON value of its own stands in the list as it is."""
    lines = []
    for name, value in events:
        text = value if isinstance(value, str) else json.dumps(value)
        lines.append((f"event: {name}\n" if name else "") + "data: " + text.replace("\n", "\ndata: ") + "\n\n")
    return "".join(lines).encode()


def cut(draw: st.DrawFn, text: str) -> list[str]:
    """A text in one to three pieces, none of them empty."""
    at = sorted({0, len(text), *draw(st.lists(st.integers(0, len(text)), max_size=2))})
    return [text[start:end] for start, end in pairwise(at)]


def interleaved(draw: st.DrawFn, queues: list[list[Any]]) -> list[Any]:
    """What stands in the queues, each in its order."""
    queues = [list(queue) for queue in queues if queue]
    merged = []
    while queues:
        queue = draw(st.sampled_from(queues))
        merged.append(queue.pop(0))
        queues = [one for one in queues if one]
    return merged


# Chat Completions


@st.composite
def chat(draw: st.DrawFn) -> list[Event]:
    names = draw(st.sampled_from([("reasoning_content",), ("reasoning",), ("reasoning_details",)]))
    queues = [_choice(draw, index, *names) for index in range(draw(st.integers(1, 3)))]
    extra = draw(st.sampled_from([{}, {"usage": None}, {"provider": "x"}, {"service_tier": "default"}]))
    events = [chunk([choice], **extra) for choice in interleaved(draw, queues)]
    if draw(st.booleans()):
        usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
        events.append(chunk([], usage=usage))
    return [*(("", event) for event in events), ("", DONE)]


def chunk(choices: list[Any], **fields: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        **fields,
    }


def _choice(draw: st.DrawFn, index: int, reasoning: str) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": draw(st.sampled_from(["", None]))}]
    calls = 0
    for kind in draw(st.lists(st.sampled_from(["text", "reasoning", "refusal", "call"]), min_size=1, max_size=4)):
        if kind == "call":
            deltas += _call(draw, calls, index)
            calls += 1
        elif kind == "reasoning" and reasoning == "reasoning_details":
            deltas += [
                {"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": text}]} for text in draw(TEXTS)
            ]
        else:
            field = {"text": "content", "refusal": "refusal", "reasoning": reasoning}[kind]
            deltas += [{field: text} for text in draw(TEXTS)]
    choices = [{"index": index, "delta": delta, "finish_reason": None} for delta in deltas]
    reason = "tool_calls" if calls else draw(st.sampled_from(["stop", "length", "content_filter"]))
    return [*choices, {"index": index, "delta": {}, "finish_reason": reason}]


def _call(draw: st.DrawFn, index: int, choice: int) -> list[dict[str, Any]]:
    function = {"name": "tide_table", "arguments": ""}
    first = {"index": index, "id": f"call_{choice}_{index}", "type": "function", "function": function}
    return [
        {"tool_calls": [first]},
        *({"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in cut(draw, draw(ARGUMENTS))),
    ]


# Messages


@st.composite
def messages(draw: st.DrawFn) -> list[Event]:
    usage = {"input_tokens": 9, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "usage": usage}
    values: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    kinds = draw(st.lists(st.sampled_from(["text", "thinking", "redacted", "tool", "server"]), min_size=1, max_size=4))
    index = 0
    for kind in kinds:
        blocks = _blocks(draw, kind, index)
        for block, deltas in blocks:
            values.append({"type": "content_block_start", "index": index, "content_block": block})
            values += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
            values.append({"type": "content_block_stop", "index": index})
            index += 1
    reason = "tool_use" if "tool" in kinds else "end_turn"
    values += [
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 4},
        },
        {"type": "message_stop"},
    ]
    for at in draw(st.lists(st.integers(1, len(values) - 1), max_size=2)):
        values.insert(at, {"type": "ping"})
    return [(value["type"], value) for value in values]


def _blocks(draw: st.DrawFn, kind: str, index: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """(content_block, deltas) of one or two blocks."""
    texts = draw(TEXTS)
    if kind == "text":
        return [({"type": "text", "text": ""}, [{"type": "text_delta", "text": text} for text in texts])]
    if kind == "thinking":
        thinking: list[dict[str, Any]] = [{"type": "thinking_delta", "thinking": text} for text in texts]
        return [
            (
                {"type": "thinking", "thinking": "", "signature": ""},
                [*thinking, {"type": "signature_delta", "signature": "s"}],
            )
        ]
    if kind == "redacted":
        return [({"type": "redacted_thinking", "data": "abc"}, [])]
    pieces = ["", *cut(draw, draw(ARGUMENTS))]
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    tool = {"id": f"tool_{index}", "name": "tide_table", "input": {}}
    if kind == "tool":
        return [({"type": "tool_use", **tool}, deltas)]
    result = {"type": "web_search_tool_result", "tool_use_id": tool["id"], "content": []}
    return [({"type": "server_tool_use", **tool}, deltas), (result, [])]


# Responses


@st.composite
def responses(draw: st.DrawFn) -> list[Event]:
    kinds = draw(
        st.lists(st.sampled_from(["message", "reasoning", "call", "custom", "search"]), min_size=1, max_size=4)
    )
    made = [_item(draw, kind, index) for index, kind in enumerate(kinds)]
    values = [
        {"type": "response.created", "response": _response("in_progress", [])},
        {"type": "response.in_progress", "response": _response("in_progress", [])},
        *interleaved(draw, [events for events, _ in made]),
    ]
    status = draw(st.sampled_from(["completed", "incomplete"]))
    values.append({"type": f"response.{status}", "response": _response(status, [item for _, item in made])})
    return [(value["type"], {**value, "sequence_number": number}) for number, value in enumerate(values)]


def _response(status: str, output: list[Any]) -> dict[str, Any]:
    usage = {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13} if output else None
    return {"id": "resp_1", "object": "response", "status": status, "error": None, "output": output, "usage": usage}


Made = tuple[list[dict[str, Any]], dict[str, Any]]
"""The events of an item, and the item in its final form."""


def _item(draw: st.DrawFn, kind: str, index: int) -> Made:
    make = {"message": _message, "reasoning": _reasoning, "call": _function, "custom": _function, "search": _search}
    first, events, final = make[kind](draw, f"item_{index}", kind)
    about = {"output_index": index}
    added = {"type": "response.output_item.added", **about, "item": first}
    done = {"type": "response.output_item.done", **about, "item": final}
    return [added, *({**event, **about, "item_id": final["id"]} for event in events), done], final


def _message(draw: st.DrawFn, id: str, kind: str) -> Any:
    events: list[dict[str, Any]] = []
    content = []
    for index in range(draw(st.integers(1, 2))):
        texts, refuses = draw(TEXTS), draw(st.booleans())
        stem, field = ("response.refusal", "refusal") if refuses else ("response.output_text", "text")
        part: dict[str, Any] = {"type": "refusal" if refuses else "output_text"}
        empty, whole = {**part, field: ""}, {**part, field: "".join(texts)}
        values = [
            {"type": "response.content_part.added", "part": empty},
            *({"type": f"{stem}.delta", "delta": text} for text in texts),
            {"type": f"{stem}.done", field: "".join(texts)},
            {"type": "response.content_part.done", "part": whole},
        ]
        events += [{**value, "content_index": index} for value in values]
        content.append(whole)
    item = {"id": id, "type": "message", "role": "assistant"}
    return {**item, "status": "in_progress", "content": []}, events, {**item, "status": "completed", "content": content}


def _reasoning(draw: st.DrawFn, id: str, kind: str) -> Any:
    texts = draw(TEXTS)
    whole = {"type": "summary_text", "text": "".join(texts)}
    stem = "response.reasoning_summary"
    values: list[dict[str, Any]] = [
        {"type": f"{stem}_part.added", "part": {"type": "summary_text", "text": ""}},
        *({"type": f"{stem}_text.delta", "delta": text} for text in texts),
        {"type": f"{stem}_text.done", "text": whole["text"]},
        {"type": f"{stem}_part.done", "part": whole},
    ]
    events = [{**value, "summary_index": 0} for value in values]
    item = {"id": id, "type": "reasoning"}
    return {**item, "summary": []}, events, {**item, "summary": [whole]}


def _function(draw: st.DrawFn, id: str, kind: str) -> Any:
    custom = kind == "custom"
    field, of = ("input", "custom_tool_call") if custom else ("arguments", "function_call")
    stem = "response.custom_tool_call_input" if custom else "response.function_call_arguments"
    text = "free text" if custom else draw(ARGUMENTS)
    events = [
        *({"type": f"{stem}.delta", "delta": piece} for piece in cut(draw, text)),
        {"type": f"{stem}.done", field: text},
    ]
    item = {"id": id, "type": of, "call_id": f"call_{id}", "name": "tide_table"}
    return {**item, field: ""}, events, {**item, field: text}


def _search(draw: st.DrawFn, id: str, kind: str) -> Any:
    events = [{"type": f"response.web_search_call.{state}"} for state in ("in_progress", "searching", "completed")]
    item = {"id": id, "type": "web_search_call", "status": "in_progress"}
    return item, events, {**item, "status": "completed", "action": {"type": "search", "query": "tide"}}


LEGAL = {"chat": chat(), "messages": messages(), "responses": responses()}
