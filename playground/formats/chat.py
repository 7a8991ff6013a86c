"""Chat Completions: rows of a stream of chat.completion.chunk objects go in, updates come out.

Called by pipeline.py, once a row. What belongs to one choice is in chat_choice.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import orjson

from playground.formats.chat_choice import Choice
from playground.formats.documents import Errors
from playground.formats.interface import compact, parse
from playground.formats.typed import counts
from playground.formats.updates import END, LANE, Update
from playground.sse.rows import Row

_LANE_FIELDS: Final = ("id", "model", "created", "system_fingerprint", "service_tier")
_ERROR_FIELDS: Final = ("error", "error_message")
# Whatever else stands on a chunk is an extra.
_KNOWN_FIELDS: Final = {
    *_LANE_FIELDS,
    *_ERROR_FIELDS,
    "object",
    "choices",
    "usage",
    "obfuscation",
    "error_type",
}


class Chat:
    """One lane's decoder. Most chunks of a stream only let one part grow: event() has a short way for them."""

    name: ClassVar[str] = "chat"
    title: ClassVar[str] = "Chat Completions"
    path: ClassVar[str] = "/chat/completions"

    def __init__(self) -> None:
        self.complete = False
        self._choices: dict[int, Choice] = {}
        self._done = False
        self._whole = False
        self._lane: set[str] = set()
        self._usage: dict[str, Any] | None = None
        self._extras: dict[str, Any] = {}
        self._errors = Errors()
        # The keys of the last chunk that went the long way, and what must still hold for the short one.
        self._shape: tuple[str, ...] | None = None
        self._watched: tuple[tuple[str, str | None], ...] = ()

    @classmethod
    def recognises(cls, value: dict[str, Any], event: str) -> bool:
        kind = value.get("object")
        return isinstance(value.get("choices"), list) or (isinstance(kind, str) and kind.startswith("chat.completion"))

    def event(self, row: Row) -> Sequence[Update]:
        try:
            value = orjson.loads(row.data)
        except ValueError:
            return self._odd(row)
        row.json = value
        try:
            if tuple(value) == self._shape and (not self._watched or self._unchanged(value)):
                (choice,) = value["choices"]
                if not choice.get("finish_reason"):
                    mine = self._choices[choice["index"]]
                    delta = choice["delta"]
                    if mine.kind == "text" and len(delta) == 1 and "content" in delta:
                        text = delta["content"]
                        if text and type(text) is str:
                            return (("append", mine.key, "text", text),)
                    updates = mine.common(delta)
                    if updates is not None:
                        return updates
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # not the common shape
        return self._object(value, row.name) if isinstance(value, dict) else ()

    def line(self, row: Row) -> Sequence[Update]:
        return self._errors.line(row)

    def document(self, value: dict[str, Any]) -> Sequence[Update]:
        """A whole chat.completion, whose choices have a `message`, or an error document."""
        if "choices" in value:
            self._whole = True
            return self._object(value, "")
        updates: list[Update] = []
        self._count(value, updates)
        return [*updates, *self._errors.document(value, answer=False)]

    def end(self) -> Sequence[Update]:
        updates = [close for choice in self._choices.values() for close in choice.close()]
        updates += [("close", ("extra", name)) for name in self._extras]
        return updates + self._errors.close()

    def _odd(self, row: Row) -> Sequence[Update]:
        """An event that orjson does not read: the end of the stream, a lone half of a character, or no JSON."""
        if row.data.strip() == "[DONE]":
            self._done = True
            updates: list[Update] = []
            self._complete(updates)
            return updates
        row.json = value = parse(row.data)
        return self._object(value, row.name) if isinstance(value, dict) else ()

    def _object(self, value: dict[str, Any], event: str) -> list[Update]:
        updates: list[Update] = []
        if "choices" in value:
            for name in _LANE_FIELDS:
                if name not in self._lane:
                    self._tell(name, value.get(name), updates)
            if isinstance(value["choices"], list):
                for position, choice in enumerate(value["choices"]):
                    if isinstance(choice, dict):
                        self._choice(position, choice, updates)
            self._extra(value, updates)
        self._count(value, updates)
        self._fail(value, event, updates)
        if self._done:
            self._complete(updates)
        self._learn(value)
        return updates

    def _choice(self, position: int, value: dict[str, Any], updates: list[Update]) -> None:
        index = value.get("index")
        if isinstance(index, int) or (isinstance(index, float) and index.is_integer()):
            position = int(index)
        choice = self._choices.get(position)
        if choice is None:
            choice = self._choices[position] = Choice(position)
        delta = value.get("delta")
        if self._whole and not isinstance(delta, dict):
            delta = value.get("message")
        if isinstance(delta, dict):
            role = delta.get("role")
            if isinstance(role, str) and role:
                choice.has_role = True
                self._tell("role", role, updates)
            choice.delta(delta, updates)
        reason = value.get("finish_reason")
        if reason and reason != "null":
            reason = reason if isinstance(reason, str) else compact(reason)
            if reason != choice.finish:
                choice.finish = reason
                updates.append(("set", LANE, f"finish:{choice.index}" if choice.index else "finish", reason))
            updates += choice.close()

    def _tell(self, field: str, value: Any, updates: list[Update]) -> None:
        """A field of the lane: the first value that says something stands."""
        if value and field not in self._lane:
            self._lane.add(field)
            updates.append(("set", LANE, field, value))

    def _extra(self, value: dict[str, Any], updates: list[Update]) -> None:
        for name, extra in value.items():
            if name in _KNOWN_FIELDS or extra is None:
                continue
            key = ("extra", name)
            if name not in self._extras:
                updates.append(("open", key, "extra", {"name": name, "value": extra}, END))
            elif not _same(self._extras[name], extra):
                updates.append(("set", key, "value", extra))
            self._extras[name] = extra

    def _count(self, value: dict[str, Any], updates: list[Update]) -> None:
        usage = value.get("usage")
        if not isinstance(usage, dict):
            groq = value.get("x_groq")
            usage = groq.get("usage") if isinstance(groq, dict) else None
        if not isinstance(usage, dict):
            return
        if self._usage is not None and _same(usage, self._usage):
            updates.append(("link", LANE))
            return
        self._usage = usage
        updates.append(("set", LANE, "usage", _counts(usage)))

    def _fail(self, value: dict[str, Any], event: str, updates: list[Update]) -> None:
        before = len(updates)
        if value.get("error"):
            updates.append(self._errors.say(value["error"]))
        if value.get("error_message"):
            flat = {name: value[name] for name in ("error_type", "error_message") if name in value}
            updates.append(self._errors.say(value["error_message"], flat))
        groq = value.get("x_groq")
        if isinstance(groq, dict) and groq.get("error"):
            updates.append(self._errors.say(groq["error"]))
        if event == "error" and value and "choices" not in value and len(updates) == before:
            updates.append(self._errors.say(value))

    def _complete(self, updates: list[Update]) -> None:
        choices = self._choices.values()
        complete = self._done and bool(choices) and all(choice.finish for choice in choices)
        if complete != self.complete:
            self.complete = complete
            updates.append(("set", LANE, "complete", complete))

    def _unchanged(self, value: dict[str, Any]) -> bool:
        for name, known in self._watched:  # noqa: SIM110  (a generator costs more than all the rest)
            if value[name] != known:
                return False
        return True

    def _learn(self, value: dict[str, Any]) -> None:
        """Which chunks may take the short way: those with the same keys, where nothing but choices has news."""
        watched: list[tuple[str, str | None]] = []
        self._shape = None
        for name, known in value.items():
            if name in {"choices", "object", "obfuscation", "error_type"} or name in self._lane:
                continue
            if known is not None and (not isinstance(known, str) or name in _ERROR_FIELDS):
                return
            watched.append((name, known))
        self._shape = (*value,)
        self._watched = tuple(watched)


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON. Python takes 1, 1.0 and true for the same, and cannot compare what is nested very deep."""
    if isinstance(one, dict | list):
        return type(one) is type(other) and compact(one) == compact(other)
    return type(one) is type(other) and bool(one == other)


def _counts(usage: dict[str, Any]) -> dict[str, Any]:
    """Some gateways send Chat's names and, all zero, those of the other formats beside them."""
    if usage.get("prompt_tokens") is None and usage.get("completion_tokens") is None:
        return counts(usage)
    mine = {name: value for name, value in usage.items() if name not in {"input_tokens", "output_tokens"}}
    return {**counts(mine), "raw": usage}
