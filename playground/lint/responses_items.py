"""The output items that the judge of Responses knows, and which of them an event belongs to. Called by responses.py.

Items are found as in formats/responses_items.py. Kept are indexes, ids and what came of each, never the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from playground.formats.typed import label, string
from playground.formats.updates import Key
from playground.lint.findings import Spot

SUMMARY: Final = "summary"
CONTENT: Final = "content"
_FAMILIES: Final = {"function_call": "call", "custom_tool_call": "call", "mcp_call": "call"}
_CHANGES: Final = ("append", "final", "link", "open")


class Part:
    """A part of an item. `added`: by content_part.added; `said`: by deltas; `done`: by its *.done."""

    __slots__ = ("added", "done", "key", "kind", "place", "said")

    def __init__(self, kind: str, place: Spot) -> None:
        self.kind = kind
        self.place = place
        self.added = self.said = self.done = False
        self.key: Key = None


class Item:
    """An output item. `brought`: what brought arguments (added, delta, done, item); `key`: its part if it has one."""

    __slots__ = (
        "_highest", "added", "arguments_done", "brought", "call", "done", "id", "index", "key", "kind", "number",
        "parts", "place", "streamed",
    )  # fmt: skip

    def __init__(self, number: int, kind: str, index: float | None, place: Spot) -> None:
        self.number = number
        self.kind = kind
        self.index = index
        self.place = place
        self.id: str | None = None
        self.call: str | None = None
        self.added = self.done = self.arguments_done = False
        self.streamed = True  # not only in the terminal response
        self.brought: set[str] = set()
        self.key: Key = None
        # Each list by index and kind, in the order in which they appeared.
        self.parts: dict[str, dict[tuple[float, str], Part]] = {CONTENT: {}, SUMMARY: {}}
        self._highest: dict[str, float] = {}

    def part(self, where: str, index: float | None, kind: str, place: Spot) -> Part:
        """A part, new if need be; without an index it is the highest so far."""
        parts = self.parts[where]
        if index is None:
            index = self._highest.get(where, 0)
        found = parts.get((index, kind))
        if found is None:
            found = parts[index, kind] = Part(kind, place)
            self._highest[where] = max(index, self._highest.get(where, index))
        return found

    def ordered(self, where: str) -> list[Part]:
        return [part for _, part in sorted(self.parts[where].items(), key=lambda entry: entry[0][0])]


class Items:
    """All items in the order in which they appeared."""

    def __init__(self) -> None:
        self.all: list[Item] = []
        self._at: dict[tuple[float, str], Item] = {}
        self._named: dict[str, Item] = {}
        self._called: dict[str, Item] = {}

    def find(self, index: float | None, name: str | None, kind: str, call: str | None = None) -> Item | None:
        """By output_index, else by an id, else the last one if it has the type and is not done."""
        family = _family(kind)
        if index is not None and (found := self._at.get((index, family))):
            return found
        for item in (self._named.get(name or ""), self._called.get(call or "")):
            if item and _family(item.kind) == family:
                return self._moved(item, index)
        last = self.all[-1] if self.all else None
        if index is not None or last is None or last.done or _family(last.kind) != family:
            return None
        return None if call and last.call and call != last.call else last

    def added(self, index: float | None, name: str | None, kind: str, call: str | None) -> Item | None:
        """The item that output_item.added speaks of, when something of it came before."""
        last = self.all[-1] if self.all else None
        item: Item | None = None
        if index is not None and (index, _family(kind)) in self._at:
            item = self._at[index, _family(kind)]
        elif name and (named := self._named.get(name)) and (index is None or named.index is None):
            item = self._moved(named, index)
        elif index is None and last and last.kind == kind and not last.added and not last.done:
            item = last
        if item and (item.kind != kind or (item.added and (item.done or (call and item.call != call)))):
            return None
        return item

    def open(self, index: float | None, name: str | None, kind: str, place: Spot) -> Item:
        item = Item(len(self.all) + 1, kind, index, place)
        self.all.append(item)
        if index is not None:
            self._at[index, _family(kind)] = item
        if name:
            self._named.setdefault(name, item)
        return item

    def learn(self, item: Item, fields: dict[str, Any]) -> None:
        if name := string(fields.get("id")):
            self._named[name] = item
        if call := string(fields.get("call_id")):
            self._called[call] = item
            item.call = call

    def partners(self, output: Sequence[dict[str, Any]]) -> Iterable[Item | None]:
        """For each item of the terminal output the one that was streamed."""
        partners: list[Item | None] = [None] * len(output)
        if len(output) == len(self.all):
            streamed = self.all
            if all(item.index is not None for item in streamed):
                streamed = sorted(streamed, key=lambda item: item.index or 0)
            partners = [item if item.kind == kind_of(one) else None for one, item in zip(output, streamed, strict=True)]
        taken = {item.number for item in partners if item}
        for position, one in enumerate(output):
            if partners[position] is not None:
                continue
            for item in (
                self._called.get(string(one.get("call_id")) or ""),
                self._named.get(string(one.get("id")) or ""),
            ):
                if item and item.kind == kind_of(one) and item.number not in taken:
                    taken.add(item.number)
                    partners[position] = item
                    break
        return partners

    def _moved(self, item: Item, index: float | None) -> Item:
        if index is not None:
            if item.index is None:
                item.index = index
            self._at[index, _family(item.kind)] = item
        return item


def kind_of(fields: dict[str, Any]) -> str:
    kind = fields.get("type")
    return kind if isinstance(kind, str) else ""


def output_index(value: dict[str, Any]) -> float | None:
    return label(value.get("output_index"))


def touched(updates: Sequence[Any]) -> Key:
    """The key of the part that the updates of one event are about."""
    return next((update[1] for update in updates if update[0] in _CHANGES), None)


def _family(kind: str) -> str:
    return _FAMILIES.get(kind, kind)
