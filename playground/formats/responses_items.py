"""The output items of one response and which of them an event belongs to. Called by responses.py alone.

An item is found by its output_index, else by its id, else it is the last one if that fits; what is said of it then is
the business of responses_parts.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from playground.formats.responses_parts import Parts
from playground.formats.responses_shapes import DELTA, ITEM, TERMINAL, Item
from playground.formats.typed import label, listed, string
from playground.formats.updates import Update

_FAMILIES: Final = {"function_call": "call", "custom_tool_call": "call", "mcp_call": "call"}
"""Types whose events may stand for one another: arguments go to whatever call has the index."""


class Items:
    """All items in the order in which they appeared."""

    def __init__(self) -> None:
        self.parts = Parts()
        self._all: list[Item] = []
        self._at: dict[tuple[float, str], Item] = {}
        self._named: dict[str, Item] = {}
        self._called: dict[str, Item] = {}

    def of(self, value: dict[str, Any], kind: str) -> Item:
        """The item that an event about an item of this type belongs to; opened when there is none."""
        index, name = label(value.get("output_index")), string(value.get("item_id"))
        return self._find(index, name, kind) or self._open(index, name, kind)

    def added(self, updates: list[Update], value: dict[str, Any]) -> None:
        """response.output_item.added: an item, perhaps with its first values."""
        index, fields = label(value.get("output_index")), value["item"]
        name, kind, call = string(fields.get("id")), _kind(fields), string(fields.get("call_id"))
        item = self._standing(index, name, kind)
        if item and (item.kind != kind or (item.added and (item.done or (call and item.call != call)))):
            item = None
        item = item or self._open(index, name, kind)
        item.added = True
        self._learn(item, fields)
        self.parts.apply(updates, item, fields, DELTA)

    def done(self, updates: list[Update], value: dict[str, Any]) -> None:
        """response.output_item.done: an item in its final form."""
        index, fields = label(value.get("output_index")), value["item"]
        name, kind, call = string(fields.get("id")), _kind(fields), string(fields.get("call_id"))
        item = self._find(index, name, kind, call) or self._open(index, name, kind)
        self._learn(item, fields)
        self._finish(updates, item, fields, ITEM)

    def terminal(self, updates: list[Update], output: Any) -> None:
        """The output of a terminal response, in its order."""
        fields = listed(output)
        for one, item in zip(fields, self._partners(fields), strict=True):
            item = item or self._open(None, string(one.get("id")), _kind(one))
            self._learn(item, one)
            self._finish(updates, item, one, TERMINAL)

    def _partners(self, output: list[dict[str, Any]]) -> Iterable[Item | None]:
        """For each item of the terminal output the one that was streamed: by position if there are as many, else by
        call_id or id. Items of different types are never the same."""
        partners: list[Item | None] = [None] * len(output)
        if len(output) == len(self._all):
            streamed = self._all
            if all(item.index is not None for item in streamed):
                streamed = sorted(streamed, key=lambda item: item.index or 0)
            partners = [item if item.kind == _kind(one) else None for one, item in zip(output, streamed, strict=True)]
        taken = {item.number for item in partners if item}
        for position, one in enumerate(output):
            if partners[position] is None:
                for item in (
                    self._called.get(string(one.get("call_id")) or ""),
                    self._named.get(string(one.get("id")) or ""),
                ):
                    if item and item.kind == _kind(one) and item.number not in taken:
                        taken.add(item.number)
                        partners[position] = item
                        break
        return partners

    def _finish(self, updates: list[Update], item: Item, fields: dict[str, Any], level: int) -> None:
        item.done = True
        self.parts.apply(updates, item, fields, level)
        self.parts.close_item(updates, item)

    def _standing(self, index: float | None, name: str | None, kind: str) -> Item | None:
        """The item that output_item.added speaks of, when something of it came before."""
        if index is not None and (item := self._at.get((index, _family(kind)))):
            return item
        if name and (item := self._named.get(name)) and (index is None or item.index is None):
            return self._moved(item, index)
        last = self._all[-1] if self._all else None
        if index is None and last and last.kind == kind and not last.added and not last.done:
            return last
        return None

    def _find(self, index: float | None, name: str | None, kind: str, call: str | None = None) -> Item | None:
        family = _family(kind)
        if index is not None and (item := self._at.get((index, family))):
            return item
        for item in (self._named.get(name or ""), self._called.get(call or "")):
            if item and _family(item.kind) == family:
                return self._moved(item, index)
        last = self._all[-1] if self._all else None
        if index is not None or last is None or last.done or _family(last.kind) != family:
            return None
        return None if call and last.call and call != last.call else last

    def _moved(self, item: Item, index: float | None) -> Item:
        """Its output_index comes late, or is wrong: both lead to it from now on."""
        if index is not None:
            if item.index is None:
                item.index = index
            self._at[index, _family(item.kind)] = item
        return item

    def _open(self, index: float | None, name: str | None, kind: str) -> Item:
        item = Item(len(self._all) + 1, kind, index, name)
        self._all.append(item)
        if index is not None:
            self._at[index, _family(kind)] = item
        if name:
            self._named.setdefault(name, item)
        return item

    def _learn(self, item: Item, fields: dict[str, Any]) -> None:
        if name := string(fields.get("id")):
            self._named[name] = item
            item.name = item.name or name
        if call := string(fields.get("call_id")):
            self._called[call] = item
            item.call = call


def _kind(fields: dict[str, Any]) -> str:
    kind = fields.get("type")
    return kind if isinstance(kind, str) else ""


def _family(kind: str) -> str:
    return _FAMILIES.get(kind, kind)
