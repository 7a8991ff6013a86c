"""Messages (Anthropic): rows -> updates, a part a content block.

https://platform.claude.com/docs/en/build-with-claude/streaming; called by the pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from playground.formats.messages_blocks import Blocks
from playground.formats.typed import Reader, TypedEvents, counts, listed, mapping, same, string
from playground.formats.updates import ABANDONED, END, LANE, Key, Update

_OWN_KEYS = frozenset({"type", "message", "index", "content_block", "delta", "usage", "error", "request_id"})
_STARTED = ("id", "model", "role")
_ORDER = {"thinking": 0, "redacted_thinking": 0, "text": 1, "tool_use": 2}
"""In which order the blocks of a document are said; all others follow."""


class Messages(TypedEvents):
    """Decoder of the Messages format (see interface.Decoder)."""

    name: ClassVar[str] = "messages"
    title: ClassVar[str] = "Messages"
    path: ClassVar[str] = "/messages"

    def __init__(self) -> None:
        readers: dict[str, Reader] = {
            "content_block_delta": self._delta,
            "content_block_start": self._block_start,
            "content_block_stop": self._block_stop,
            "message_start": self._start,
            "message_delta": self._message_delta,
            "message_stop": self._stop,
            "ping": self._ping,
            "error": self._failed,
        }
        super().__init__(readers)
        self._blocks = Blocks()
        self._running = self._blocks.running
        self._number = 0  # of the message: 0 before its start
        self._id: str | None = None
        self._stopped = False
        self._usage: dict[str, Any] = {}
        self._extras: dict[str, tuple[Key, Any]] = {}

    @classmethod
    def recognises(cls, value: dict[str, Any], event: str) -> bool:
        kind = value.get("type")
        if not isinstance(kind, str):
            return event.startswith(("message_", "content_block_"))
        if kind == "message":
            return not event and "content" in value and "role" in value
        if kind == "error":
            return isinstance(value.get("error"), dict) and "sequence_number" not in value
        return kind in {
            "message_start", "message_delta", "message_stop",
            "content_block_start", "content_block_delta", "content_block_stop",
        }  # fmt: skip

    def document(self, value: dict[str, Any]) -> Sequence[Update]:
        answer = value.get("type") == "message" or isinstance(value.get("content"), list)
        updates = self._errors.document(value, answer=answer)
        if not answer:
            return updates
        self._begin(updates, value)
        blocks = listed(value.get("content"))
        for block in sorted(blocks, key=lambda block: _rank(block.get("type"))):
            self._blocks.whole(updates, block)
        self._say_stop(updates, value)
        return updates

    def end(self) -> Sequence[Update]:
        updates: list[Update] = []
        self._blocks.end(updates, broken=not self._stopped)
        return updates + self._errors.close()

    def _delta(self, kind: str, value: dict[str, Any]) -> Sequence[Update]:
        try:
            delta = value["delta"]
            key, source, field = self._running[value["index"], delta["type"]]
            text = delta[source]
        except (KeyError, TypeError):
            return self._any_delta(value)
        if text.__class__ is str and text and len(value) == 3:
            return (("append", key, field, text),)
        return self._any_delta(value)

    def _any_delta(self, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._blocks.delta(updates, value.get("index"), mapping(value.get("delta")))
        self._say_extras(updates, value)
        return updates

    def _block_start(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._blocks.start(updates, value.get("index"), value.get("content_block"))
        self._say_extras(updates, value)
        return updates

    def _block_stop(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._blocks.stop(updates, value.get("index"))
        self._say_extras(updates, value)
        return updates

    def _start(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        message = mapping(value.get("message"))
        if not self._number:
            self._begin(updates, message)
        elif string(message.get("id")) != self._id:
            self._abandon(updates, message)
            self._begin(updates, message)
        else:
            self._add_usage(updates, message.get("usage"))
        self._say_extras(updates, value)
        self._say_complete(updates)
        return updates or [("link", LANE)]

    def _begin(self, updates: list[Update], message: dict[str, Any]) -> None:
        self._number += 1
        self._id = string(message.get("id"))
        for field in _STARTED:
            if said := string(message.get(field)):
                self._tell(updates, field, said)
        self._say_stop(updates, message)
        self._add_usage(updates, message.get("usage"))

    def _abandon(self, updates: list[Update], message: dict[str, Any]) -> None:
        """A second message was spliced in: what the first one said no longer counts."""
        self._blocks.abandon(updates)
        for key, _ in self._extras.values():
            updates.append(("set", key, "status", ABANDONED))
        self._extras = {}
        self._stopped = self.complete = False
        self._usage = {}
        for field, value in self._lane.items():
            if value is not None and (field not in _STARTED or not string(message.get(field))):
                self._tell(updates, field, None)

    def _message_delta(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._say_stop(updates, mapping(value.get("delta")))
        self._add_usage(updates, value.get("usage"))
        self._say_extras(updates, value)
        self._say_complete(updates)
        return updates or [("link", LANE)]

    def _stop(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._stopped = True
        self._say_extras(updates, value)
        self._say_complete(updates)
        return updates or [("link", LANE)]

    def _ping(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        self._say_extras(updates, value)
        return updates

    def _failed(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates = self._error(kind, value)
        self._say_extras(updates, value)
        return updates

    def _say_stop(self, updates: list[Update], fields: dict[str, Any]) -> None:
        """What message_delta says of the whole message; null does not erase."""
        if reason := string(fields.get("stop_reason")):
            self._tell(updates, "finish", reason)
        for field in ("stop_sequence", "stop_details", "container"):
            if fields.get(field) is not None:
                self._tell(updates, field, fields[field])

    def _add_usage(self, updates: list[Update], usage: Any) -> None:
        """Cumulative totals: what is there replaces, what is not leaves the earlier count."""
        if not isinstance(usage, dict):
            return
        self._usage = {**self._usage, **{name: count for name, count in usage.items() if count is not None}}
        parts = [self._usage.get(f"{name}input_tokens") for name in ("", "cache_creation_", "cache_read_")]
        whole = sum(count for count in parts if type(count) is int) if type(parts[0]) is int else None
        self._tell(updates, "usage", counts(self._usage, whole_input=whole))
        if tier := string(self._usage.get("service_tier")):
            self._tell(updates, "service_tier", tier)

    def _say_extras(self, updates: list[Update], value: dict[str, Any]) -> None:
        """Keys that the format does not have: one part a name, its last value."""
        for name, extra in value.items():
            if name in _OWN_KEYS or extra is None:
                continue
            key, standing = self._extras.get(name, (None, None))
            if key is None:
                key = ("extra", self._number, name)
                updates.append(("open", key, "extra", {"name": name, "value": extra}, END))
                updates.append(("close", key))
            elif same(standing, extra):
                updates.append(("link", key))
            else:
                updates.append(("set", key, "value", extra))
            self._extras[name] = (key, extra)

    def _say_complete(self, updates: list[Update]) -> None:
        self.complete = bool(self._number and self._stopped and self._lane.get("finish"))
        if self.complete:
            self._tell(updates, "complete", True)


def _rank(kind: Any) -> int:
    return _ORDER.get(kind, 3) if isinstance(kind, str) else 3
