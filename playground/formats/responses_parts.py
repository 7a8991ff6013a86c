"""What is said of an item: its parts, their places, and which of several values for the same thing stands.

Called by responses.py and responses_items.py. A value comes up to five times, each time with more authority; one of
less authority never changes what one of more has said, and an empty one never erases.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import Any

from playground.formats.responses_calls import SET_ONCE, fields_of, growing_field, grown, part_kind
from playground.formats.responses_shapes import ALONE, CONTENT, DELTA, INDEXES, SUMMARY, Entry, Item, Part, entry
from playground.formats.typed import listed, same, string
from playground.formats.updates import END, LANE, SUPERSEDED, Key, PartKind, Update


class Parts:
    """The parts of all items."""

    def __init__(self) -> None:
        self._count = 0
        self._items: list[Item] = []  # those that have parts, in order of appearance
        self._open_items: dict[Key, Item] = {}  # by their parts that nothing closed

    def apply(self, updates: list[Update], item: Item, fields: dict[str, Any], level: int) -> None:
        """An item as output_item.added, output_item.done or the terminal response has it."""
        before = len(updates)
        if item.kind == "message":
            self._contents(updates, item, CONTENT, fields.get("content"), level)
        elif item.kind == "reasoning":
            self._contents(updates, item, SUMMARY, fields.get("summary"), level)
            self._contents(updates, item, CONTENT, fields.get("content"), level)
            self._seal(updates, item, string(fields.get("encrypted_content")), level)
        else:
            part = self.alone(updates, item, fields)
            self.describe(updates, part, fields_of(item.kind, fields), level)
            text = grown(item.kind, fields)
            if text is not None and (level > DELTA or not part.filled):
                self.say(updates, item, part, text, level)
        if item.kind in {"message", "reasoning"} and item.parts and fields.get("status") == "incomplete":
            self.describe(updates, item.parts[-1], {"status": "incomplete"}, level)
        if len(updates) == before:
            self.link(updates, item)

    def part(
        self, updates: list[Update], item: Item, where: int, kind: PartKind, index: float | None, level: int
    ) -> Part | None:
        """The part of a message or reasoning item that an event speaks of, opened when it is new.

        Without an index it is the highest so far. None: the item's final list has no such part.
        """
        if index is None:
            last = item.last(where)
            index = last.index if last else 0
        part = item.at(where, index, kind)
        if part is None and level < item.settled[where]:
            self.link(updates, item)
            return None
        return part or self._open(updates, item, where, kind, index)

    def alone(self, updates: list[Update], item: Item, fields: dict[str, Any]) -> Part:
        """The one part of any other item, opened with these fields of the item when it is new."""
        if item.parts:
            return item.parts[0]
        kind = part_kind(item.kind)
        opened = fields_of(item.kind, fields)
        if kind in {"server_tool", "image"} and item.name:
            opened["id"] = item.name
        return self._open(updates, item, ALONE, kind, 0, growing_field(item.kind), opened)

    def describe(self, updates: list[Update], part: Part, fields: dict[str, Any], level: int) -> None:
        """Fields that do not grow."""
        for field, value in fields.items():
            if level < part.ranks.get(field, DELTA) or (field in SET_ONCE and field in part.fields):
                continue
            part.ranks[field] = level
            if field not in part.fields or not same(part.fields[field], value):
                part.fields[field] = value
                updates.append(("set", part.key, field, value))

    def say(self, updates: list[Update], item: Item, part: Part, text: str, level: int) -> None:
        """The text, arguments, input or base64 of a part: a piece of it (DELTA) or the whole."""
        if level < part.level or (not text and (level == DELTA or part.filled)):
            updates.append(("link", part.key))
            return
        if level == DELTA:
            updates.append(("append", part.key, part.field, text))
        else:
            updates.append(("final", part.key, part.field, text))
        if text:
            part.level = level
            if not part.filled:
                self._fill(updates, item, part)

    def picture(self, updates: list[Update], part: Part, image: str) -> None:
        """A partial image takes the place of the one before, until the final one is there."""
        if image and part.level == DELTA:
            part.filled = True
            updates.append(("final", part.key, part.field, image))
        else:
            updates.append(("link", part.key))

    def start(self, updates: list[Update], item: Item, part: Part, one: Entry) -> None:
        """What a part has when it is added: its deltas go on from there."""
        if one.text and not part.filled:
            self.say(updates, item, part, one.text, DELTA)
        self._finish(updates, part, one, DELTA)

    def finish(self, updates: list[Update], item: Item, part: Part, one: Entry, level: int) -> None:
        """A part in its final form."""
        if one.kind != "extra":
            self.say(updates, item, part, one.text, level)
        self._finish(updates, part, one, level)

    def cite(self, updates: list[Update], part: Part, index: float | None, cited: dict[str, Any]) -> None:
        """One annotation, put at its index."""
        if part.cited > DELTA:
            updates.append(("link", part.key))
        else:
            part.citations.put(updates, cited, index)

    def close(self, updates: list[Update], item: Item, part: Part) -> None:
        """Nothing more is expected for the part."""
        if item.open.pop(part.key, None):
            del self._open_items[part.key]
            updates.append(("close", part.key))

    def close_item(self, updates: list[Update], item: Item) -> None:
        """Nothing more is expected for any part of the item."""
        for key in item.open:
            del self._open_items[key]
            updates.append(("close", key))
        item.open = {}

    def close_all(self, updates: list[Update]) -> None:
        for key, item in self._open_items.items():
            item.open = {}
            updates.append(("close", key))
        self._open_items = {}

    def end(self, updates: list[Update]) -> None:
        """The stream is over: what nothing closed was broken off."""
        updates += [("set", key, "broken", True) for key in self._open_items]

    def link(self, updates: list[Update], item: Item) -> None:
        """The event speaks of the item and changes nothing."""
        if item.parts:
            updates.append(("link", item.parts[-1].key))

    def _contents(self, updates: list[Update], item: Item, where: int, value: Any, level: int) -> None:
        """A whole `content` or `summary`: it pairs with the streamed parts by order, or replaces them."""
        entries = [entry(one, item.kind) for one in listed(value)]
        if not entries or level < item.settled[where]:
            return
        if level == DELTA:
            for index, one in enumerate(entries):
                if part := self.part(updates, item, where, one.kind, index, level):
                    self.start(updates, item, part, one)
            return
        among = item.among(where)
        if any(one.text or one.kind == "extra" for one in entries):
            item.settled[where] = level
        elif any(item.parts[position].filled for position in range(among.start, among.stop)):
            return
        standing = item.parts[among] if among.stop - among.start == len(entries) else []
        if [part.kind for part in standing] != [one.kind for one in entries]:
            standing = self._replace(updates, item, where, entries)
        for part, one in zip(standing, entries, strict=True):
            self.finish(updates, item, part, one, level)

    def _replace(self, updates: list[Update], item: Item, where: int, entries: list[Entry]) -> list[Part]:
        """The streamed parts give way to the final ones, which stand right behind them."""
        among = item.among(where)
        after = item.parts[among.stop - 1].citations.tail if among.stop > among.start else None
        for part in item.parts[among]:
            part.citations.drop(updates)
            updates.append(("set", part.key, "status", SUPERSEDED))
        del item.parts[among]
        opened = []
        for index, one in enumerate(entries):
            opened.append(self._open(updates, item, where, one.kind, index, after=after))
            after = opened[-1].key
        return opened

    def _finish(self, updates: list[Update], part: Part, one: Entry, level: int) -> None:
        if one.kind == "extra":
            self.describe(updates, part, {"name": string(one.value.get("type")), "value": one.value}, level)
        if one.annotations and level >= part.cited:
            part.cited = level
            part.citations.put_all(updates, one.annotations)

    def _open(
        self,
        updates: list[Update],
        item: Item,
        where: int,
        kind: PartKind,
        index: float,
        field: str = "text",
        fields: dict[str, Any] | None = None,
        after: Key = None,
    ) -> Part:
        """A new part, in its place within the item, and the item in its own among the others."""
        self._count += 1
        fields = fields or {}
        part = Part(self._count, kind, where, index, field, fields)
        position = bisect_right(item.parts, part.order, key=lambda part: part.order)
        if after is None:
            after = item.parts[position - 1].citations.tail if position else self._before(item)
        if not item.parts:
            insort(self._items, item, key=lambda item: item.number)
        item.parts.insert(position, part)
        item.open[part.key] = part
        self._open_items[part.key] = item
        opened = dict(fields)
        if item.index is not None:
            opened["output_index"] = item.index
        if where in INDEXES:
            opened |= {INDEXES[where]: index, "item_id": item.name}
        if where == SUMMARY:
            opened["summary"] = True
            if item.spoken:
                opened["status"] = SUPERSEDED
        updates.append(("open", part.key, kind, opened, after))
        self._mark(updates, item)
        return part

    def _before(self, item: Item) -> Key:
        """What the first part of an item stands behind: the item that appeared before it, whatever came since."""
        if not self._items or self._items[-1].number < item.number:
            return END
        position = bisect_left(self._items, item.number, key=lambda item: item.number)
        return self._items[position - 1].parts[-1].citations.tail if position else LANE

    def _fill(self, updates: list[Update], item: Item, part: Part) -> None:
        """Something is said in the part for the first time. Reasoning text puts the summaries aside."""
        part.filled = True
        if item.kind == "reasoning" and part.where == CONTENT and not item.spoken:
            item.spoken = True
            updates += [("set", summary.key, "status", SUPERSEDED) for summary in item.parts[item.among(SUMMARY)]]
            self._mark(updates, item)

    def _seal(self, updates: list[Update], item: Item, encrypted: str | None, level: int) -> None:
        if encrypted and level >= item.sealed:
            item.sealed = level
            if encrypted != item.encrypted:
                item.encrypted, item.marked = encrypted, None
                self._mark(updates, item)

    def _mark(self, updates: list[Update], item: Item) -> None:
        """Encrypted content belongs to the whole item and is carried by its last part, if need be by an empty one."""
        if not item.encrypted:
            return
        last = item.last(CONTENT if item.spoken else SUMMARY) or item.last(CONTENT) or item.last(ALONE)
        if last is None:
            self._open(updates, item, ALONE, "reasoning", 0)
        elif last is not item.marked:
            if item.marked:
                updates.append(("set", item.marked.key, "encrypted", None))
                if item.marked.where == ALONE:
                    updates.append(("set", item.marked.key, "status", SUPERSEDED))
            item.marked = last
            updates.append(("set", last.key, "encrypted", item.encrypted))
