"""What is odd in an answer's events, before they are bytes. Named by scenarios.py, applied by performance.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playground.formats.interface import compact
from playground.gateway.faults import Moment
from playground.lens import usage
from playground.lens.interface import DONE, Event, Writer

_ENDS = frozenset({"message_stop", "response.completed", "response.incomplete"})
_BROKEN_DELTA = 6
_TOKENS_BETWEEN_COUNTS = 8


def no_end(moments: Iterator[Moment], writer: Writer) -> Iterator[Moment]:
    """The event that says that nothing follows does not come."""
    for moment in moments:
        yield moment._replace(events=[(name, value) for name, value in moment.events if not _is_end(name, value)])


def no_finish(moments: Iterator[Moment], writer: Writer) -> Iterator[Moment]:
    """Nothing says why the answer ended: Chat's finish chunk is left out, elsewhere the word is empty."""
    for moment in moments:
        yield moment._replace(events=[event for event in map(_unfinished, moment.events) if event is not None])


def bad_json(moments: Iterator[Moment], writer: Writer) -> Iterator[Moment]:
    """One fragment's event stops in the middle of its JSON; the lines around it are whole."""
    deltas = 0
    for moment in moments:
        events: list[Event] = []
        for name, value in moment.events:
            if isinstance(value, dict) and _is_delta(name, value):
                deltas += 1
                if deltas == _BROKEN_DELTA:
                    text = compact(value)
                    value = text[: len(text) * 2 // 3]
            events.append((name, value))
        yield moment._replace(events=events)


def usage_everywhere(moments: Iterator[Moment], writer: Writer) -> Iterator[Moment]:
    """Usage so far, again and again: on Chat's every chunk, in events of its own elsewhere."""
    spoken = told = added = 0
    for moment in moments:
        spoken += moment.tokens
        counts = {**(writer.transcript.lane.fields.get("usage") or {}), "output": spoken}
        events: list[Event] = []
        for name, value in moment.events:
            if isinstance(value, dict) and "sequence_number" in value:
                value = {**value, "sequence_number": value["sequence_number"] + added}
            if isinstance(value, dict) and value.get("choices"):
                value = {**value, "usage": usage.chat(counts)}
            events.append((name, value))
        if writer.name != "chat" and events and moment.tokens and spoken - told >= _TOKENS_BETWEEN_COUNTS:
            told = spoken
            events.append(_count(writer, counts, events[-1]))
            added += 1
        yield moment._replace(events=events)


def odd_tools(moments: Iterator[Moment], writer: Writer) -> Iterator[Moment]:
    """Fragments of calls without their index, and with ids on each of them."""
    id = ""
    for moment in moments:
        events: list[Event] = []
        for name, value in moment.events:
            if isinstance(value, dict):
                id = _call_id(value) or id
                value = _odd(name, value, id)
            events.append((name, value))
        yield moment._replace(events=events)


def _is_end(name: str, value: Any) -> bool:
    return value == DONE or name in _ENDS


def _is_delta(name: str, value: dict[str, Any]) -> bool:
    """The event tells a piece of what is said."""
    if name:
        return name.endswith(("_delta", ".delta")) and name != "message_delta"
    return any(choice["delta"].get("content") for choice in value.get("choices", ()))


def _unfinished(event: Event) -> Event | None:
    name, value = event
    if not isinstance(value, dict):
        return event
    if any(choice.get("finish_reason") for choice in value.get("choices", ())):
        return None
    if name == "message_delta":
        return name, {**value, "delta": {**value["delta"], "stop_reason": None}}
    if name in _ENDS and "response" in value:
        return name, {**value, "response": {**value["response"], "status": None}}
    return event


def _count(writer: Writer, counts: dict[str, Any], last: Event) -> Event:
    """An event that tells usage so far, to stand behind `last`."""
    if writer.name == "messages":
        delta = {"stop_reason": None, "stop_sequence": None}
        return "message_delta", {"type": "message_delta", "delta": delta, "usage": usage.messages(counts)}
    assert isinstance(last[1], dict)
    response = {**writer.whole(), "status": "in_progress", "output": [], "usage": usage.responses(counts)}
    number = last[1]["sequence_number"] + 1
    return "response.in_progress", {"type": "response.in_progress", "sequence_number": number, "response": response}


def _call_id(value: dict[str, Any]) -> str:
    """The id of the call that an event opens, "" when it opens none."""
    block, item = value.get("content_block"), value.get("item")
    for choice in value.get("choices", ()):
        for call in choice["delta"].get("tool_calls", ()):
            return str(call.get("id") or "")
    if isinstance(block, dict):
        return str(block["id"]) if block.get("type") == "tool_use" else "-"
    if isinstance(item, dict):
        return str(item["call_id"]) if item.get("type") == "function_call" else "-"
    return ""


def _odd(name: str, value: dict[str, Any], id: str) -> dict[str, Any]:
    for choice in value.get("choices", ()):
        calls = choice["delta"].get("tool_calls")
        if calls:
            bare = [{key: field for key, field in call.items() if key != "index"} | {"id": id} for call in calls]
            return {**value, "choices": [{**choice, "delta": {"tool_calls": bare}}]}
    if id.startswith(("toolu_", "call_")):
        if name.startswith("content_block_"):
            return {key: field for key, field in value.items() if key != "index"} | {"id": id}
        if name.startswith(("response.function_call", "response.output_item")):
            return {key: field for key, field in value.items() if key != "output_index"} | {"call_id": id}
    return value
