"""Findings about final values: done events and final items against what was streamed. Called by responses.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.formats.responses_calls import text_of
from playground.formats.responses_shapes import entry
from playground.formats.typed import listed
from playground.formats.updates import Key
from playground.lint.findings import Findings
from playground.lint.responses_items import CONTENT, SUMMARY, Item, Part
from playground.lint.sse import quoted
from playground.sse.rows import Row
from playground.transcript import Transcript, join_halves, shown

ARGUMENT_FIELDS: Final = {"function_call": "arguments", "custom_tool_call": "input", "mcp_call": "arguments"}
"""Where an item has what counts as its arguments."""

_PART_FIELDS: Final = {"function_call": "arguments", "custom_tool_call": "arguments", "mcp_call": "input"}
"""Where the part of such an item has them."""

_PART_KINDS: Final = frozenset({"text", "refusal", "reasoning", "extra"})


class Finals:
    """Compares with the transcript as it stands before the event."""

    def __init__(self, findings: Findings, transcript: Transcript) -> None:
        self._findings = findings
        self._transcript = transcript

    def text(self, row: Row, key: Key, text: Any) -> None:
        """The text, refusal or reasoning of one part."""
        self._compare(row, key, self._standing(key, "text"), text if isinstance(text, str) else "")

    def arguments(self, row: Row, item: Item, value: Any) -> None:
        self._compare(row, item.key, self._standing(item.key, _PART_FIELDS[item.kind]), text_of(value) or "")

    def item(self, row: Row, item: Item, fields: dict[str, Any], updates: Sequence[Any] | None) -> None:
        """A final item. `updates` are its own, None where they are those of several items."""
        if item.kind in ARGUMENT_FIELDS:
            value = fields.get(ARGUMENT_FIELDS[item.kind])
            if text_of(value):
                item.brought.add("item")
            self.arguments(row, item, value)
        elif item.kind == "message":
            self._contents(row, item, CONTENT, fields, updates)
        elif item.kind == "reasoning":
            self._contents(row, item, SUMMARY, fields, updates)
            self._contents(row, item, CONTENT, fields, updates)

    def _contents(
        self, row: Row, item: Item, where: str, fields: dict[str, Any], updates: Sequence[Any] | None
    ) -> None:
        """A whole `content` or `summary` against the streamed parts: by order, or as one text if there are more or
        fewer, which then replace them."""
        entries = [entry(one, item.kind) for one in listed(fields.get(where))]
        parts = item.ordered(where)
        if [part.kind for part in parts] == [one.kind for one in entries]:
            for part, one in zip(parts, entries, strict=True):
                self._compare(row, part.key, self._standing(part.key, "text"), one.text)
            return
        said = False
        for kind in ("text", "refusal", "reasoning"):
            mine = [part for part in parts if part.kind == kind]
            before = "".join(self._standing(part.key, "text") for part in mine)
            after = "".join(one.text for one in entries if one.kind == kind)
            said = said or bool(after)
            self._compare(row, mine[0].key if mine else None, before, after)
        if said:
            self._replace(item, where, [one.kind for one in entries], updates or ())

    def _replace(self, item: Item, where: str, kinds: list[Any], updates: Sequence[Any]) -> None:
        """The final parts stand from here on."""
        keys = [update[1] for update in updates if update[0] == "open" and update[2] in _PART_KINDS]
        before = item.ordered(where)
        item.parts[where] = {}
        for index, kind in enumerate(kinds):
            part = item.parts[where][index, kind] = Part(kind, item.place)
            part.key = keys[index] if len(keys) == len(kinds) else None
            part.added = True
            part.done = all(one.done or not one.said for one in before)
            part.said = any(one.said for one in before)

    def _standing(self, key: Key, field: str) -> str:
        part = self._transcript.part(key) if key is not None else None
        return part.joined(field) if part else ""

    def _compare(self, row: Row, key: Key, before: str, after: str) -> None:
        if not before or join_halves(after) == before:
            return
        part = self._transcript.part(key)
        number = part.number if part else None
        if not after:
            self._findings.add("done-empty", row, f"after {quoted(shown(before))}", part=number)
        else:
            detail = f"{quoted(shown(after))} after {quoted(shown(before))}"
            self._findings.add("done-mismatch", row, detail, part=number)
