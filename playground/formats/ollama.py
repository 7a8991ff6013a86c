"""Ollama's native /api/chat: a body of JSON lines, no event stream. Objects go in, updates come out.

Called by pipeline.py for every line of an NDJSON body. It is no format that a person chooses, so it is in no list.
https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from playground.formats.chat_choice import Choice
from playground.formats.documents import Errors
from playground.formats.interface import usage_counts
from playground.formats.updates import LANE, Update

_COUNTS: Final = (
    "prompt_eval_count",
    "eval_count",
    "total_duration",
    "load_duration",
    "prompt_eval_duration",
    "eval_duration",
)


class Ollama:
    """One body's decoder. `complete` says whether the last object has done: true."""

    name: ClassVar[str] = "chat"

    def __init__(self) -> None:
        self.complete = False
        self._answer = Choice(0)
        self._errors = Errors()
        self._lane: dict[str, Any] = {}

    @classmethod
    def recognises(cls, value: dict[str, Any]) -> bool:
        """Whether a JSON object is an answer of this API, whole or a line of it."""
        return isinstance(value.get("message"), dict) and isinstance(value.get("done"), bool) and "choices" not in value

    def document(self, value: dict[str, Any]) -> Sequence[Update]:
        """One line: a piece of the message, its end with the counts, or an error."""
        updates: list[Update] = []
        self._tell("model", value.get("model"), updates)
        message = value.get("message")
        if isinstance(message, dict):
            self._tell("role", message.get("role"), updates)
            self._answer.delta(_delta(message), updates)
        self._tell("finish", value.get("done_reason"), updates)
        counts = {name: value[name] for name in _COUNTS if value.get(name) is not None}
        if "prompt_eval_count" in counts or "eval_count" in counts:
            usage = usage_counts(counts, input=counts.get("prompt_eval_count"), output=counts.get("eval_count"))
            updates.append(("set", LANE, "usage", usage))
        if value.get("error"):
            updates.append(self._errors.say(value["error"]))
        if (value.get("done") is True) != self.complete:
            self.complete = not self.complete
            updates.append(("set", LANE, "complete", self.complete))
        if self.complete:
            updates += self._answer.close()
        return updates

    def end(self) -> Sequence[Update]:
        return [*self._answer.close(), *self._errors.close()]

    def _tell(self, field: str, value: Any, updates: list[Update]) -> None:
        if isinstance(value, str) and value and self._lane.get(field) != value:
            self._lane[field] = value
            updates.append(("set", LANE, field, value))


def _delta(message: dict[str, Any]) -> dict[str, Any]:
    """The message of a line as the delta of a chat completion; every entry of its tool calls is a whole call."""
    calls = message.get("tool_calls")
    return {
        "reasoning": message.get("thinking"),
        "content": message.get("content"),
        "tool_calls": [{**call, "index": None} for call in calls if isinstance(call, dict)]
        if isinstance(calls, list)
        else None,
    }
