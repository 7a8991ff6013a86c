"""An output item, its parts, and the authority of what is said of them: what responses_parts.py keeps.

Only indexes, names and small fields are kept, never the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, Final, NamedTuple

from playground.formats.citations import Citations
from playground.formats.typed import listed
from playground.formats.updates import Key, PartKind

# Authority: deltas and what an added item brings; *.done; content_part.done; output_item.done; the terminal response.
DELTA, DONE, PART, ITEM, TERMINAL = range(5)

# Where a part stands within its item.
SUMMARY, CONTENT, ALONE = range(3)
INDEXES: Final = {SUMMARY: "summary_index", CONTENT: "content_index"}

_KINDS: Final[dict[str, PartKind]] = {
    "output_text": "text",
    "text": "text",
    "refusal": "refusal",
    "reasoning_text": "reasoning",
    "summary_text": "reasoning",
}


class Entry(NamedTuple):
    """An element of a `content` or `summary` list, or the `part` of an event. `value` is the element itself."""

    kind: PartKind
    text: str
    annotations: list[dict[str, Any]]
    value: dict[str, Any]


def entry(value: dict[str, Any], item: str) -> Entry:
    """Whatever stands in a reasoning item is reasoning; an element of an unknown type is an extra."""
    kind = value.get("type")
    found = _KINDS.get(kind, "extra") if isinstance(kind, str) else "extra"
    if item == "reasoning":
        found = "reasoning"
    text = value.get("refusal" if found == "refusal" else "text") if found != "extra" else None
    return Entry(found, text if isinstance(text, str) else "", listed(value.get("annotations")), value)


class Part:
    """A part of an item. `level` is the authority of the text that stands, `ranks` that of its other fields."""

    __slots__ = ("citations", "cited", "field", "fields", "filled", "index", "key", "kind", "level", "ranks", "where")

    def __init__(self, key: Key, kind: PartKind, where: int, index: float, field: str, fields: dict[str, Any]) -> None:
        self.key = key
        self.kind = kind
        self.where = where
        self.index = index  # content_index, summary_index
        self.field = field  # the one that grows
        self.level = DELTA
        self.filled = False  # something was said
        self.fields = fields
        self.ranks: dict[str, int] = {}
        self.citations = Citations(key)
        self.cited = DELTA  # the authority of the citations

    @property
    def order(self) -> tuple[int, float]:
        return (self.where, self.index)


class Item:
    """An output item. `number` is its place in the order of appearance, `name` its first id, `call` its call_id."""

    __slots__ = (
        "added", "call", "done", "encrypted", "index", "kind", "marked", "name", "number", "open", "parts", "sealed",
        "settled", "spoken",
    )  # fmt: skip

    def __init__(self, number: int, kind: str, index: float | None, name: str | None) -> None:
        self.number = number
        self.kind = kind
        self.index = index
        self.name = name
        self.call: str | None = None
        self.added = self.done = False
        self.parts: list[Part] = []  # in the order in which they stand
        self.open: dict[Key, Part] = {}
        self.settled = {SUMMARY: DELTA, CONTENT: DELTA}  # the authority of the lists that came whole
        self.spoken = False  # reasoning: there is reasoning text, so that the summaries do not count
        self.encrypted = ""
        self.sealed = DELTA  # the authority of `encrypted`
        self.marked: Part | None = None  # the part that carries `encrypted`

    def among(self, where: int) -> slice:
        """Where the parts of one list stand."""
        start = bisect_left(self.parts, where, key=lambda part: part.where)
        return slice(start, bisect_right(self.parts, where, lo=start, key=lambda part: part.where))

    def last(self, where: int) -> Part | None:
        among = self.among(where)
        return self.parts[among.stop - 1] if among.stop > among.start else None

    def at(self, where: int, index: float, kind: PartKind) -> Part | None:
        position = bisect_left(self.parts, (where, index), key=lambda part: part.order)
        for part in self.parts[position : position + len(_KINDS)]:
            if part.order == (where, index) and part.kind == kind:
                return part
        return None
