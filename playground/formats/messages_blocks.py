"""The content blocks of one message: block starts, deltas and stops in, updates out. Called by messages.py alone."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from playground.formats.citations import Citations
from playground.formats.interface import compact
from playground.formats.typed import label, listed, mapping, string
from playground.formats.updates import ABANDONED, END, Key, Update

# (type of block, type of delta): the field of the delta that grows, the field of the part that it grows
GROWS: Final = {
    ("text", "text_delta"): ("text", "text"),
    ("thinking", "thinking_delta"): ("thinking", "text"),
    ("tool_use", "input_json_delta"): ("partial_json", "arguments"),
    ("server_tool_use", "input_json_delta"): ("partial_json", "input"),
    ("mcp_tool_use", "input_json_delta"): ("partial_json", "input"),
}
# the type of a block that nothing started, told by its first delta
OPENS: Final = {
    "text_delta": "text",
    "citations_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "thinking",
    "input_json_delta": "tool_use",
    "compaction_delta": "compaction",
}
_STRAYS: Final = {"text_delta": ("text", "text"), "thinking_delta": ("reasoning", "thinking")}
"""What goes to a part of its own when its block has another type: the part's kind and the delta's field."""

_UNNUMBERED: Final = object()
"""The label of blocks that came without an index."""


class Block:
    """One content block. `key` is its part; a tool's result has that of the tool, or none."""

    __slots__ = ("citations", "field", "input", "key", "kind", "label", "shown", "strays")

    def __init__(self, kind: str, label: Hashable) -> None:
        self.kind = kind
        self.label = label
        self.key: Key | None = None
        self.field = ""  # of the part, that grows
        self.input: str | None = None  # of the start block, as long as no partial_json came
        self.shown = False  # that input stands in the part
        self.citations: Citations | None = None
        self.strays: dict[str, Key] = {}


class Blocks:
    """All blocks of the message that stands. `running` leads a common delta straight to its part:
    (label, type of delta) -> (part, field of the delta, field of the part)."""

    def __init__(self) -> None:
        self.running: dict[tuple[Hashable, str], tuple[Key, str, str]] = {}
        self._count = 0
        self._clear()

    def _clear(self) -> None:
        self.running.clear()
        self._keys: list[Key] = []
        self._at: dict[Hashable, Block] = {}
        self._last: Block | None = None
        self._unfinished: dict[Key, Block] = {}
        self._tools: dict[str, Key] = {}

    def start(self, updates: list[Update], index: Any, start: Any) -> None:
        """A block opens, whatever stood at its index before."""
        named = label(index)
        where: Hashable = _UNNUMBERED if named is None else named
        if not isinstance(start, dict):
            self._take_over(where, None)
            return
        kind = start.get("type")
        self._open(updates, Block(kind if isinstance(kind, str) else "", where), start)

    def delta(self, updates: list[Update], index: Any, delta: dict[str, Any]) -> None:
        """Any delta of any block, known or not, at its place or not."""
        kind = delta.get("type")
        where = self._label(index)
        block = self._at.get(where)
        if not isinstance(kind, str) or kind not in OPENS:
            self._link(updates, block)
            return
        if block is None:
            block = Block(OPENS[kind], where)
            self._open(updates, block, {})
        if (block.kind, kind) in GROWS:
            self._grow(updates, block, kind, delta)
        elif kind in _STRAYS:
            self._stray(updates, block, kind, delta)
        elif kind == "citations_delta" and block.kind == "text" and mapping(delta.get("citation")):
            self._cite(updates, block, delta["citation"])
        elif OPENS[kind] == block.kind:
            self._complete(updates, block, delta)
        else:
            self._link(updates, block)

    def stop(self, updates: list[Update], index: Any) -> None:
        block = self._at.get(self._label(index))
        if block is None:
            return
        unfinished = [key for key in (block.key, *block.strays.values()) if self._unfinished.get(key) is block]
        for key in unfinished:
            self._close(updates, key)
        if not unfinished:
            self._link(updates, block)

    def whole(self, updates: list[Update], block: dict[str, Any]) -> None:
        """A block out of a document."""
        self.start(updates, None, block)
        self.stop(updates, None)

    def end(self, updates: list[Update], *, broken: bool) -> None:
        """The stream is over. `broken`: it was cut before the message's own end, and so are the open blocks."""
        for key in list(self._unfinished):
            if broken:
                self._fill(updates, key)
                updates.append(("set", key, "broken", True))
            else:
                self._close(updates, key)

    def abandon(self, updates: list[Update]) -> None:
        """Another message begins: nothing of this one counts."""
        updates += [("set", key, "status", ABANDONED) for key in self._keys]
        self._clear()

    def _label(self, index: Any) -> Hashable:
        """Of a delta or stop: without an index, that of the block that was opened last."""
        named = label(index)
        if named is not None:
            return named
        return self._last.label if self._last else _UNNUMBERED

    def _part(self, updates: list[Update], block: Block, kind: Any, fields: dict[str, Any]) -> Key:
        key = self._count = self._count + 1
        self._keys.append(key)
        self._unfinished[key] = block
        updates.append(("open", key, kind, fields, END))
        return key

    def _take_over(self, where: Hashable, block: Block | None) -> None:
        """Deltas go to the block opened last under an index."""
        before = self._at.pop(where, None)
        if before:
            for kind in OPENS:
                self.running.pop((where, kind), None)
        if block:
            self._at[where] = self._last = block

    def _open(self, updates: list[Update], block: Block, start: dict[str, Any]) -> None:
        self._take_over(block.label, block)
        fields: dict[str, Any] = {}
        if label(block.label) is not None:
            fields["index"] = block.label
        if block.kind == "text":
            self._own(updates, block, "text", {**fields, "text": _text(start.get("text"))})
            for cited in listed(start.get("citations")):
                self._cite(updates, block, cited)
        elif block.kind == "thinking":
            fields |= {"signature": signature} if (signature := string(start.get("signature"))) else {}
            self._own(updates, block, "reasoning", {**fields, "text": _text(start.get("thinking"))})
        elif block.kind == "redacted_thinking":
            fields |= {"encrypted": encrypted} if (encrypted := string(start.get("data"))) else {}
            self._own(updates, block, "reasoning", {**fields, "text": ""})
        elif block.kind in {"tool_use", "server_tool_use", "mcp_tool_use"}:
            self._open_tool(updates, block, start, fields)
        elif block.kind.endswith("_tool_result"):
            self._result(updates, block, start)
        else:
            fields |= {"name": block.kind or None, "value": start or None}
            self._own(updates, block, "extra", fields)

    def _own(self, updates: list[Update], block: Block, kind: Any, fields: dict[str, Any]) -> None:
        block.key = self._part(updates, block, kind, fields)
        for (of, delta), (source, field) in GROWS.items():
            if of == block.kind:
                block.field = field
                if block.input is None:
                    self.running[block.label, delta] = (block.key, source, field)

    def _open_tool(self, updates: list[Update], block: Block, start: dict[str, Any], fields: dict[str, Any]) -> None:
        """Input that the start block has is shown at once, an empty one only when no partial_json came."""
        field = GROWS[block.kind, "input_json_delta"][1]
        value = start.get("input")
        block.input = None if value is None else compact(value)
        fields |= {name: start[name] for name in ("id", "name", "server_name") if isinstance(start.get(name), str)}
        block.shown = bool(value)
        fields[field] = block.input if value else ""
        self._own(updates, block, "tool_call" if block.kind == "tool_use" else "server_tool", fields)
        if block.kind != "tool_use" and "id" in fields and block.key is not None:
            self._tools[fields["id"]] = block.key

    def _result(self, updates: list[Update], block: Block, start: dict[str, Any]) -> None:
        """The result of a server tool belongs to the tool: how many there are, or its error."""
        name = start.get("tool_use_id")
        block.key = self._tools.get(name) if isinstance(name, str) else None
        if block.key is None:
            return
        content = start.get("content")
        if isinstance(content, list):
            updates.append(("set", block.key, "results", len(content)))
            if found := [one for one in content if isinstance(one, dict) and isinstance(one.get("url"), str)]:
                updates.append(("set", block.key, "found", found))
        elif isinstance(content, dict) and _is_error(content):
            updates.append(("set", block.key, "results", 0))
            if code := string(content.get("error_code")):
                updates.append(("set", block.key, "error", code))
        else:
            updates.append(("link", block.key))
        if start.get("is_error") is True:
            updates.append(("set", block.key, "is_error", True))

    def _grow(self, updates: list[Update], block: Block, kind: str, delta: dict[str, Any]) -> None:
        source, field = GROWS[block.kind, kind]
        text = delta.get(source)
        key = block.key
        if not isinstance(text, str) or not text:
            self._link(updates, block)
        else:
            updates.append(("set", key, field, text) if block.shown else ("append", key, field, text))
            block.input, block.shown = None, False
            self.running[block.label, kind] = (key, source, field)

    def _stray(self, updates: list[Update], block: Block, kind: str, delta: dict[str, Any]) -> None:
        """Text or thinking inside a block of another type: said in a part of its own."""
        part, field = _STRAYS[kind]
        text = _text(delta.get(field))
        if kind in block.strays:
            updates.append(("append", block.strays[kind], "text", text) if text else ("link", block.strays[kind]))
            return
        block.strays[kind] = self._part(updates, block, part, {"text": text, "misplaced": True})

    def _cite(self, updates: list[Update], block: Block, cited: dict[str, Any]) -> None:
        if block.citations is None:
            block.citations = Citations(block.key)
        self._keys.append(block.citations.put(updates, cited))

    def _complete(self, updates: list[Update], block: Block, fields: dict[str, Any]) -> None:
        """Fields that come whole and replace: a signature, a compaction."""
        before = len(updates)
        names = {"signature": "signature"} if block.kind == "thinking" else _COMPACTION
        for name, field in names.items():
            if value := string(fields.get(name)):
                updates.append(("set", block.key, field, value))
        if len(updates) == before:
            self._link(updates, block)

    def _fill(self, updates: list[Update], key: Key) -> None:
        """No partial_json came: the input is the start block's."""
        block = self._unfinished[key]
        if block.input is not None and key == block.key:
            updates.append(("final", key, block.field, block.input))
            block.shown = True

    def _close(self, updates: list[Update], key: Key) -> None:
        self._fill(updates, key)
        del self._unfinished[key]
        updates.append(("close", key))

    def _link(self, updates: list[Update], block: Block | None) -> None:
        if block and block.key is not None:
            updates.append(("link", block.key))


_COMPACTION: Final = {"content": "content", "encrypted_content": "encrypted"}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _is_error(content: dict[str, Any]) -> bool:
    kind = content.get("type")
    return "error_code" in content or (isinstance(kind, str) and kind.endswith("error"))
