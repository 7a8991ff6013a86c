"""Responses (OpenAI): rows -> updates; a part a content part, or an item where that is all it has.

https://platform.openai.com/docs/api-reference/responses-streaming; called by the pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from playground.formats.responses_events import ARGUMENTS, TEXTS, ItemEvents
from playground.formats.responses_items import Items
from playground.formats.responses_shapes import CONTENT
from playground.formats.typed import Reader, TypedEvents, counts, listed, mapping, string
from playground.formats.updates import LANE, Update

_TERMINAL: Final = ("completed", "incomplete", "failed")
# The order in which a document is said; what is not named here follows.
_ITEMS: Final = {"reasoning": 0, "message": 1, "function_call": 2, "custom_tool_call": 2}
_CONTENT: Final = {"output_text": 0, "text": 0, "refusal": 1}


class Responses(TypedEvents):
    """Decoder of the Responses format (see interface.Decoder).

    Deltas that only let a part grow take a short way; what leads them is forgotten at every other event.
    """

    name: ClassVar[str] = "responses"
    title: ClassVar[str] = "Responses"
    path: ClassVar[str] = "/responses"

    def __init__(self) -> None:
        self._items = Items()
        self._events = ItemEvents(self._items)
        self._running = self._events.running
        self._rest: dict[str, Reader] = {**self._events.readers, "keepalive": self._nothing, "error": self._error}
        self._rest |= {f"response.{state}": self._lifecycle for state in ("created", "queued", "in_progress")}
        self._rest |= {f"response.{state}": self._terminal for state in _TERMINAL}
        readers: dict[str, Reader] = dict.fromkeys(self._rest, self._any)
        for stem, (_, where, _, _) in TEXTS.items():
            readers[f"{stem}.delta"] = self._content_delta if where == CONTENT else self._summary_delta
        for stem in ARGUMENTS:
            readers[f"{stem}.delta"] = self._argument_delta
        super().__init__(readers)

    @classmethod
    def recognises(cls, value: dict[str, Any], event: str) -> bool:
        kind = value.get("type")
        if not isinstance(kind, str):
            return value.get("object") == "response" or event.startswith("response.")
        return kind.startswith("response.") or (kind == "error" and "sequence_number" in value)

    def document(self, value: dict[str, Any]) -> Sequence[Update]:
        answer = value.get("object") == "response" or isinstance(value.get("output"), list)
        updates = self._errors.document(value, answer=answer)
        if answer:
            self._say_lane(updates, value)
            self._say_end(updates, value, string(value.get("status")))
            output = sorted(listed(value.get("output")), key=lambda item: _rank(_ITEMS, item))
            self._items.terminal(updates, [_sorted(item) for item in output])
            self._items.parts.close_all(updates)
        return updates

    def end(self) -> Sequence[Update]:
        updates: list[Update] = []
        self._events.end(updates)
        return updates + self._errors.close()

    def _content_delta(self, kind: str, value: dict[str, Any]) -> Sequence[Update]:
        try:
            key, field = self._running[kind, value["output_index"], value["content_index"]]
            text = value["delta"]
        except (KeyError, TypeError):
            return self._rest[kind](kind, value)
        if text.__class__ is str and text:
            return (("append", key, field, text),)
        return self._rest[kind](kind, value)

    def _summary_delta(self, kind: str, value: dict[str, Any]) -> Sequence[Update]:
        try:
            key, field = self._running[kind, value["output_index"], value["summary_index"]]
            text = value["delta"]
        except (KeyError, TypeError):
            return self._rest[kind](kind, value)
        if text.__class__ is str and text:
            return (("append", key, field, text),)
        return self._rest[kind](kind, value)

    def _argument_delta(self, kind: str, value: dict[str, Any]) -> Sequence[Update]:
        try:
            key, field = self._running[kind, value["output_index"]]
            text = value["delta"]
        except (KeyError, TypeError):
            return self._rest[kind](kind, value)
        if text.__class__ is str and text:
            return (("append", key, field, text),)
        return self._rest[kind](kind, value)

    def _any(self, kind: str, value: dict[str, Any]) -> Sequence[Update]:
        self._running.clear()
        return self._rest[kind](kind, value)

    def _nothing(self, kind: str, value: dict[str, Any]) -> Sequence[Update]:
        return ()

    def _lifecycle(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._say_lane(updates, mapping(value.get("response")))
        return updates or [("link", LANE)]

    def _terminal(self, kind: str, value: dict[str, Any]) -> list[Update]:
        """The response is over; what it says of its output has the last word."""
        updates: list[Update] = []
        response = mapping(value.get("response"))
        ended = kind.removeprefix("response.")
        self._items.terminal(updates, response.get("output"))
        if ended == "completed":
            self._items.parts.close_all(updates)
        if response.get("error"):
            updates.append(self._errors.say(response["error"]))
        self._say_lane(updates, response)
        self._say_end(updates, response, string(response.get("status")) or ended)
        self.complete = True
        self._tell(updates, "complete", True)
        return updates or [("link", LANE)]

    def _say_lane(self, updates: list[Update], response: dict[str, Any]) -> None:
        for field in ("id", "model", "status", "service_tier"):
            if said := string(response.get(field)):
                self._tell(updates, field, said)

    def _say_end(self, updates: list[Update], response: dict[str, Any], finish: str | None) -> None:
        if finish:
            self._tell(updates, "finish", finish)
        if isinstance(response.get("usage"), dict):
            self._tell(updates, "usage", counts(response["usage"]))
        if reason := string(mapping(response.get("incomplete_details")).get("reason")):
            self._tell(updates, "incomplete_reason", reason)


def _rank(order: dict[str, int], value: dict[str, Any]) -> int:
    kind = value.get("type")
    return order.get(kind, len(order)) if isinstance(kind, str) else len(order)


def _sorted(item: dict[str, Any]) -> dict[str, Any]:
    if item.get("type") != "message":
        return item
    return {**item, "content": sorted(listed(item.get("content")), key=lambda one: _rank(_CONTENT, one))}
