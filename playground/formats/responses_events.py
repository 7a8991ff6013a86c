"""Events about output items and their parts: an event in, its updates out. Called by responses.py alone.

Which item an event belongs to is found by responses_items.py; which value stands is decided by responses_parts.py.
"""

from __future__ import annotations

from typing import Any, Final

from playground.formats.responses_calls import base64_text, fields_of, text_of
from playground.formats.responses_items import Items
from playground.formats.responses_shapes import CONTENT, DELTA, DONE, INDEXES, PART, SUMMARY, Part, entry
from playground.formats.typed import Reader, label, mapping
from playground.formats.updates import END, Key, PartKind, Update

# stem of the event types: the type of the item, where the part stands in it, the part's kind, its field when done
TEXTS: Final[dict[str, tuple[str, int, PartKind, str]]] = {
    "response.output_text": ("message", CONTENT, "text", "text"),
    "response.refusal": ("message", CONTENT, "refusal", "refusal"),
    "response.reasoning_text": ("reasoning", CONTENT, "reasoning", "text"),
    "response.reasoning_summary_text": ("reasoning", SUMMARY, "reasoning", "text"),
}
# stem: the type of the item, the field when done
ARGUMENTS: Final = {
    "response.function_call_arguments": ("function_call", "arguments"),
    "response.custom_tool_call_input": ("custom_tool_call", "input"),
    "response.mcp_call_arguments": ("mcp_call", "arguments"),
    "response.code_interpreter_call_code": ("code_interpreter_call", "code"),
}
_STATES: Final = {
    "code_interpreter_call": ("in_progress", "interpreting", "completed"),
    "file_search_call": ("in_progress", "searching", "completed"),
    "image_generation_call": ("in_progress", "generating", "completed"),
    "mcp_call": ("in_progress", "completed", "failed"),
    "mcp_list_tools": ("in_progress", "completed", "failed"),
    "web_search_call": ("in_progress", "searching", "completed"),
    "compaction": ("compacting",),
}
AUDIO: Final = "audio"


class ItemEvents:
    """`readers` has a reader for each of these event types. `running` leads a common delta straight to its part:
    (type, output_index, content_index or summary_index, if it has one) -> (part, field)."""

    def __init__(self, items: Items) -> None:
        self.running: dict[tuple[Any, ...], tuple[Key, str]] = {}
        self._items = items
        self._parts = items.parts
        self._audio: str | None = None
        self.readers: dict[str, Reader] = {
            "response.output_item.added": self._item_added,
            "response.output_item.done": self._item_done,
            "response.content_part.added": self._part_added,
            "response.content_part.done": self._part_done,
            "response.reasoning_summary_part.added": self._part_added,
            "response.reasoning_summary_part.done": self._part_done,
            "response.output_text.annotation.added": self._annotation,
            "response.image_generation_call.partial_image": self._partial_image,
            "response.shell_call_command.added": self._command,
            "response.shell_call_command.delta": self._command,
            "response.shell_call_command.done": self._command,
            "response.shell_call_output_content.delta": self._output,
            "response.shell_call_output_content.done": self._output,
            "response.audio.delta": self._sound,
            "response.audio.done": self._sound,
            "response.audio.transcript.delta": self._sound,
            "response.audio.transcript.done": self._sound,
        }
        self.readers |= {f"{stem}.delta": self._text_delta for stem in TEXTS}
        self.readers |= {f"{stem}.done": self._text_done for stem in TEXTS}
        self.readers |= {f"{stem}.delta": self._argument_delta for stem in ARGUMENTS}
        self.readers |= {f"{stem}.done": self._arguments_done for stem in ARGUMENTS}
        self.readers |= {f"response.{of}.{state}": self._state for of, states in _STATES.items() for state in states}

    def end(self, updates: list[Update]) -> None:
        """The stream is over: what nothing closed was broken off."""
        self._parts.end(updates)
        if self._audio == "open":
            updates.append(("set", AUDIO, "broken", True))

    def _text_delta(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        of, where, part_kind, _ = TEXTS[kind.removesuffix(".delta")]
        item = self._items.of(value, of)
        index = INDEXES[where]
        part = self._parts.part(updates, item, where, part_kind, label(value.get(index)), DELTA)
        if part:
            self._parts.say(updates, item, part, _text(value.get("delta")), DELTA)
            self._run(part, kind, value.get("output_index"), value.get(index))
        return updates

    def _argument_delta(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        item = self._items.of(value, ARGUMENTS[kind.removesuffix(".delta")][0])
        part = self._parts.alone(updates, item, {})
        self._parts.say(updates, item, part, text_of(value.get("delta")) or "", DELTA)
        self._run(part, kind, value.get("output_index"))
        return updates

    def _run(self, part: Part, kind: str, *indexes: Any) -> None:
        """The next delta of this kind and these indexes only lets the part grow."""
        if part.filled and part.level == DELTA and all(label(index) is not None for index in indexes):
            self.running[kind, *indexes] = (part.key, part.field)

    def _text_done(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        of, where, part_kind, field = TEXTS[kind.removesuffix(".done")]
        item = self._items.of(value, of)
        part = self._parts.part(updates, item, where, part_kind, label(value.get(INDEXES[where])), DONE)
        if part:
            self._parts.say(updates, item, part, _text(value.get(field)), DONE)
        return updates

    def _arguments_done(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        of, field = ARGUMENTS[kind.removesuffix(".done")]
        item = self._items.of(value, of)
        part = self._parts.alone(updates, item, {})
        self._parts.say(updates, item, part, text_of(value.get(field)) or "", DONE)
        return updates

    def _part_added(self, kind: str, value: dict[str, Any]) -> list[Update]:
        return self._part(kind, value, DELTA)

    def _part_done(self, kind: str, value: dict[str, Any]) -> list[Update]:
        return self._part(kind, value, PART)

    def _part(self, kind: str, value: dict[str, Any], level: int) -> list[Update]:
        updates: list[Update] = []
        fields = value.get("part")
        if not isinstance(fields, dict):
            return updates
        where = SUMMARY if kind.startswith("response.reasoning_summary") else CONTENT
        of = "reasoning" if where == SUMMARY or fields.get("type") == "reasoning_text" else "message"
        item, one = self._items.of(value, of), entry(fields, of)
        part = self._parts.part(updates, item, where, one.kind, label(value.get(INDEXES[where])), level)
        if part is None:
            return updates
        before = len(updates)
        if level == DELTA:
            self._parts.start(updates, item, part, one)
        else:
            self._parts.finish(updates, item, part, one, level)
            self._parts.close(updates, item, part)
        if len(updates) == before:
            updates.append(("link", part.key))
        return updates

    def _annotation(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        item = self._items.of(value, "message")
        part = self._parts.part(updates, item, CONTENT, "text", label(value.get("content_index")), DELTA)
        if part and mapping(value.get("annotation")):
            self._parts.cite(updates, part, label(value.get("annotation_index")), value["annotation"])
        return updates

    def _item_added(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        if isinstance(value.get("item"), dict):
            self._items.added(updates, value)
        return updates

    def _item_done(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        if isinstance(value.get("item"), dict):
            self._items.done(updates, value)
        return updates

    def _state(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        of, _, state = kind.removeprefix("response.").rpartition(".")
        part = self._parts.alone(updates, self._items.of(value, of), {})
        self._parts.describe(updates, part, {"status": state}, DONE)
        return updates or [("link", part.key)]

    def _partial_image(self, kind: str, value: dict[str, Any]) -> list[Update]:
        updates: list[Update] = []
        item = self._items.of(value, "image_generation_call")
        part = self._parts.alone(updates, item, {})
        self._parts.describe(updates, part, fields_of(item.kind, value), DELTA)
        self._parts.picture(updates, part, base64_text(_text(value.get("partial_image_b64"))))
        return updates

    def _command(self, kind: str, value: dict[str, Any]) -> list[Update]:
        """Shell commands, a line each; they have an index and no id."""
        updates: list[Update] = []
        item = self._items.of(value, "shell_call")
        part = self._parts.alone(updates, item, {})
        text = _text(value.get("command" if kind.endswith(".added") else "delta"))
        if not text or item.done:
            return updates or [("link", part.key)]
        index = label(value.get("command_index"))
        if part.filled and index != part.index:
            text = "\n" + text
        part.index = index or 0
        part.filled = True
        updates.append(("append", part.key, "input", text))
        return updates

    def _output(self, kind: str, value: dict[str, Any]) -> list[Update]:
        """What a shell command prints, as it comes."""
        updates: list[Update] = []
        part = self._parts.alone(updates, self._items.of(value, "shell_call_output"), {})
        delta = mapping(value.get("delta"))
        for name in ("stdout", "stderr"):
            if text := _text(delta.get(name)):
                updates.append(("append", part.key, "text", text))
        return updates or [("link", part.key)]

    def _sound(self, kind: str, value: dict[str, Any]) -> list[Update]:
        """Audio belongs to no item: it has neither id nor index, so there is one part of it."""
        updates: list[Update] = []
        if self._audio is None:
            updates.append(("open", AUDIO, "audio", {}, END))
        field = "transcript" if kind.startswith("response.audio.transcript") else "data"
        if text := _text(value.get("delta")):
            updates.append(("append", AUDIO, field, text))
        if kind == "response.audio.done":
            updates.append(("close", AUDIO))
        self._audio = "closed" if kind == "response.audio.done" else "open"
        return updates or [("link", AUDIO)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
