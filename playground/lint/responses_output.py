"""Findings about output items and their parts. Called by responses.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.formats.responses_calls import text_of
from playground.formats.responses_events import ARGUMENTS, TEXTS
from playground.formats.responses_shapes import CONTENT as IN_CONTENT
from playground.formats.responses_shapes import entry
from playground.formats.typed import label, string
from playground.lint.findings import Findings
from playground.lint.judge import judge_arguments, judge_id, spot
from playground.lint.responses_finals import ARGUMENT_FIELDS, Finals
from playground.lint.responses_items import CONTENT, SUMMARY, Item, Items, Part, kind_of, output_index, touched
from playground.lint.sse import quoted
from playground.sse.rows import Row
from playground.transcript import Transcript

# Events about an output item; all of them should have an output_index.
_INDEXED: Final = (
    "response.output_item.", "response.content_part.", "response.output_text.", "response.refusal.",
    "response.custom_tool_call_input.", "response.reasoning_text.", "response.reasoning_summary_text.",
)  # fmt: skip
_INDEXES: Final = {CONTENT: "content_index", SUMMARY: "summary_index"}

Ordinary = tuple[str, Any, str | None, Any]
"""Type of a delta, output_index, name and value of the index of its part (None without one)."""


class Output:
    """`ordinary` has, by item_id, what a delta looks like that tells nothing new."""

    def __init__(self, findings: Findings, transcript: Transcript) -> None:
        self.items = Items()
        self.ordinary: dict[Any, Ordinary] = {}
        self._findings = findings
        self._transcript = transcript
        self._finals = Finals(findings, transcript)

    def read(self, row: Row, kind: str, value: dict[str, Any], updates: Sequence[Any]) -> bool:
        """An event that is neither an error nor about the whole response. Whether it says something."""
        if (kind.startswith(_INDEXED) or "_arguments." in kind) and output_index(value) is None:
            self._findings.add("missing-output-index", row, kind)
        stem, _, state = kind.rpartition(".")
        if stem == "response.output_item":
            return self._item(row, state, value, updates)
        if stem in ("response.content_part", "response.reasoning_summary_part"):
            return self._part(row, stem, state, value, updates)
        if stem in TEXTS:
            return self._text(row, stem, state, value, updates)
        if stem in ARGUMENTS:
            return self._arguments(row, stem, state, value, updates)
        if stem == "response.output_text.annotation":
            self._index(row, value, "message")
            item = self._of(row, value, "message")
            item.part(CONTENT, label(value.get("content_index")), "text", spot(row))
        elif hosted := _hosted(stem):
            item = self._of(row, value, hosted)
            item.key = item.key or touched(updates)
        return state in ("delta", "partial_image")

    @property
    def streamed(self) -> int:
        """How many items came, those of the terminal response alone left out."""
        return sum(item.streamed for item in self.items.all)

    def terminal(self, row: Row, output: Sequence[dict[str, Any]]) -> None:
        """The items of a terminal response."""
        for fields, partner in zip(output, self.items.partners(output), strict=True):
            name = string(fields.get("id"))
            item = partner or self.items.open(None, name, kind_of(fields), spot(row))
            item.streamed = item.streamed and partner is not None
            self._same_id(row, item, name)
            self._finals.item(row, item, fields, None)
            self.items.learn(item, fields)

    def end(self, *, early: bool) -> None:
        """The stream is over."""
        calls = {item.key: item for item in self.items.all if item.key is not None}
        for item in self.items.all:
            part = self._transcript.part(item.key) if item.key is not None else None
            number = part.number if part else None
            if item.added and not item.done and not early:
                self._findings.add("item-not-done", item.place, f"{item.kind} {item.id or ''}".strip(), part=number)
            if item.kind in ("function_call", "custom_tool_call"):
                self._brought(item, number, early=early)
            if item.done or not early:
                for one in item.ordered(CONTENT):
                    if one.kind in ("text", "refusal") and one.said and not one.done:
                        shown = self._transcript.part(one.key) if one.key is not None else None
                        self._findings.add("text-done-missing", one.place, part=shown.number if shown else None)
        for part in self._transcript:
            if part.kind != "tool_call" or part.fields.get("status") == "superseded":
                continue
            of = calls.get(part.key)
            judge_id(self._findings, part, of.place if of else None)
            if not part.fields.get("custom") and (of is None or of.done or not early):
                judge_arguments(self._findings, part, of.place if of else None)

    def _brought(self, item: Item, number: int | None, *, early: bool) -> None:
        if item.streamed and not item.arguments_done and (item.done or not early):
            self._findings.add("arguments-done-missing", item.place, part=number)
        if item.brought & {"added", "delta"}:
            return
        if "done" in item.brought:
            self._findings.add("arguments-done-only", item.place, part=number)
        elif "item" in item.brought:
            self._findings.add("arguments-in-item-only", item.place, part=number)

    def _item(self, row: Row, state: str, value: dict[str, Any], updates: Sequence[Any]) -> bool:
        fields = value.get("item")
        if not isinstance(fields, dict):
            return False
        self.ordinary.clear()
        index, name, call = output_index(value), string(fields.get("id")), string(fields.get("call_id"))
        kind = kind_of(fields)
        if state == "added":
            item = self.items.added(index, name, kind, call) or self.items.open(index, name, kind, spot(row))
            item.added = True
            if text_of(fields.get(ARGUMENT_FIELDS.get(kind, ""))):
                item.brought.add("added")
        else:
            item = self.items.find(index, name, kind, call) or self.items.open(index, name, kind, spot(row))
            self._finals.item(row, item, fields, updates)
            item.done = True
        if item.kind not in ("message", "reasoning"):
            item.key = item.key or touched(updates)
        self.items.learn(item, fields)
        self._same_id(row, item, name)
        return True

    def _part(self, row: Row, stem: str, state: str, value: dict[str, Any], updates: Sequence[Any]) -> bool:
        fields = value.get("part")
        where = CONTENT if stem == "response.content_part" else SUMMARY
        fields = fields if isinstance(fields, dict) else {}
        of = "reasoning" if where == SUMMARY or fields.get("type") == "reasoning_text" else "message"
        if where == CONTENT:
            self._index(row, value, of)
        item, one = self._of(row, value, of), entry(fields, of)
        index = label(value.get(_INDEXES[where]))
        if state == "added":
            count = len(item.parts[where])
            if where == CONTENT and index is not None and index != count:
                self._findings.add("content-index-gap", row, f"content_index {index}, {count} parts so far")
        part = self._settle(item, where, index, one.kind, row, updates)
        if state == "added":
            part.added = True
        elif one.kind != "extra":
            self._finals.text(row, part.key, one.text)
        return bool(one.text)

    def _text(self, row: Row, stem: str, state: str, value: dict[str, Any], updates: Sequence[Any]) -> bool:
        of, place, kind, field = TEXTS[stem]
        where = CONTENT if place == IN_CONTENT else SUMMARY
        if where == CONTENT:
            self._index(row, value, of)
        item = self._of(row, value, of)
        index = label(value.get(_INDEXES[where]))
        part = self._settle(item, where, index, kind, row, updates)
        if state == "done":
            part.done = True
            self._finals.text(row, part.key, value.get(field))
            return bool(value.get(field))
        if of == "message" and not part.added:
            self._findings.add("missing-content-part", row, f"content_index {index}")
        part.said = True
        if index is not None and (part.added or of != "message"):
            self._learn(value, item, _INDEXES[where])
        return bool(value.get("delta"))

    def _arguments(self, row: Row, stem: str, state: str, value: dict[str, Any], updates: Sequence[Any]) -> bool:
        of, field = ARGUMENTS[stem]
        item = self._of(row, value, of)
        item.key = item.key or touched(updates)
        if state == "done":
            item.arguments_done = True
            if text_of(value.get(field)):
                item.brought.add("done")
            if item.kind in ARGUMENT_FIELDS:
                self._finals.arguments(row, item, value.get(field))
            return bool(value.get(field))
        if text_of(value.get("delta")):
            item.brought.add("delta")
            self._learn(value, item, None)
        return bool(value.get("delta"))

    def _index(self, row: Row, value: dict[str, Any], of: str) -> None:
        if of == "message" and label(value.get("content_index")) is None:
            self._findings.add("missing-content-index", row, quoted(string(value.get("type")) or row.name))

    def _of(self, row: Row, value: dict[str, Any], kind: str) -> Item:
        """The item that an event about an item of this type belongs to; opened when there is none."""
        index, name = output_index(value), string(value.get("item_id"))
        item = self.items.find(index, name, kind)
        if item is None:
            item = self.items.open(index, name, kind, spot(row))
            self._findings.add("delta-without-item", row, f"output_index {index}, item_id {name}")
        self._same_id(row, item, name)
        return item

    def _same_id(self, row: Row, item: Item, name: str | None) -> None:
        if not name:
            return
        if item.id is None:
            item.id = name
        elif name != item.id:
            self._findings.add("item-id-changes", row, f"{quoted(name)} after {quoted(item.id)}")

    def _settle(self, item: Item, where: str, index: float | None, kind: str, row: Row, updates: Sequence[Any]) -> Part:
        part = item.part(where, index, kind, spot(row))
        if part.key is None:
            part.key = touched(updates)
        return part

    def _learn(self, value: dict[str, Any], item: Item, index: str | None) -> None:
        """More deltas like this one tell nothing new."""
        if item.id is not None and value.get("item_id") == item.id and output_index(value) is not None:
            self.ordinary[item.id] = (
                value.get("type", ""), value["output_index"], index, index and value[index],
            )  # fmt: skip


def _hosted(stem: str) -> str:
    """The type of item that an event of a hosted tool is about, "" for all other events."""
    kind = stem.removeprefix("response.").partition(".")[0]
    if kind == "shell_call_command":
        return "shell_call"
    if kind == "shell_call_output_content":
        return "shell_call_output"
    return kind if kind.endswith(("_call", "_list_tools")) or kind == "compaction" else ""
