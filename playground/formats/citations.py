"""Citations: what a citation says, and the ones of a text in their order.

Called by the decoders.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from playground.formats.typed import same
from playground.formats.updates import SUPERSEDED, Key, Update

_TEXTS: Final = ("url", "title", "cited_text")
_FIELDS: Final = (
    "type", "start_index", "end_index", "file_id", "filename", "index", "container_id", "encrypted_index", "source",
    "document_index", "document_title", "search_result_index", "start_char_index", "end_char_index",
    "start_page_number", "end_page_number", "start_block_index", "end_block_index",
)  # fmt: skip


def citation(cited: dict[str, Any]) -> dict[str, Any]:
    """`url`, `title` and `cited_text` where they are strings, and the fields that say where it stands, as they are.

    Some gateways nest the fields, as Chat does: {"type": "url_citation", "url_citation": {...}}.
    """
    nested = cited.get("url_citation")
    if isinstance(nested, dict):
        cited = {**nested, "type": "url_citation"}
    fields = {name: cited[name] for name in _TEXTS if isinstance(cited.get(name), str)}
    if not fields.get("url"):
        fields.pop("url", None)
    return fields | {name: cited[name] for name in _FIELDS if cited.get(name) is not None}


class Citation:
    __slots__ = ("fields", "index", "key")

    def __init__(self, index: float, key: Key, fields: dict[str, Any]) -> None:
        self.index = index
        self.key = key
        self.fields = fields


class Citations:
    """The citations of one text part, right behind it, in the order of their index."""

    __slots__ = ("_count", "_key", "_list")

    def __init__(self, key: Key) -> None:
        self._key = key
        self._count = 0
        self._list: list[Citation] = []

    def __len__(self) -> int:
        return len(self._list)

    @property
    def tail(self) -> Key:
        """The last one, or the part itself: what comes next stands behind it."""
        return self._list[-1].key if self._list else self._key

    def put(self, updates: list[Update], cited: dict[str, Any], index: float | None = None) -> Key:
        """One more, or another for the same index. Without an index it comes last."""
        if index is None:
            index = self._list[-1].index + 1 if self._list else 0
        position = bisect_left(self._list, index, key=lambda citation: citation.index)
        if position < len(self._list) and self._list[position].index == index:
            return self._change(updates, self._list[position], citation(cited))
        self._count += 1
        one = Citation(index, (self._key, self._count), citation(cited))
        after = self._list[position - 1].key if position else self._key
        self._list.insert(position, one)
        updates.append(("open", one.key, "citation", one.fields, after))
        updates.append(("close", one.key))
        return one.key

    def put_all(self, updates: list[Update], cited: Sequence[dict[str, Any]]) -> None:
        """The final list: it pairs with what stands by order."""
        for standing, one in zip(self._list, cited, strict=False):
            self._change(updates, standing, citation(one))
        self.drop(updates, len(cited))
        for one in cited[len(self._list) :]:
            self.put(updates, one)

    def drop(self, updates: list[Update], kept: int = 0) -> None:
        """All but the first ones are replaced by something else."""
        updates += [("set", one.key, "status", SUPERSEDED) for one in self._list[kept:]]
        del self._list[kept:]

    def _change(self, updates: list[Update], one: Citation, fields: dict[str, Any]) -> Key:
        before = len(updates)
        for field in one.fields.keys() | fields.keys():
            if not same(one.fields.get(field), fields.get(field)):
                updates.append(("set", one.key, field, fields.get(field)))
        one.fields = fields
        if len(updates) == before:
            updates.append(("link", one.key))
        return one.key
