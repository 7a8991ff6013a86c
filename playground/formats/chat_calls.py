"""The tool calls of one choice: entries of `tool_calls` and `function_call` go in, updates of calls come out.

Called by chat_choice.py. On the wire an index is a label, not a position: it may be missing, always 0, or have gaps;
an id may be missing, repeated, or new with every fragment; a name may be repeated or come in pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from playground.formats.interface import compact
from playground.formats.updates import GROWING, Key, PartKind, Update

Begin = Callable[[PartKind, dict[str, Any], list[Update]], Key]
"""Opens a part of the choice: kind, first fields, the updates so far; answers with its key."""

_KNOWN: Final = GROWING | {"index", "id", "type", "function", "custom", "name", "choice", "status", "size"}


def label(value: Any) -> str:
    """A name or id as text, '' for what says nothing."""
    if isinstance(value, str):
        return value
    return compact(value) if value else ""


class Call:
    """What is known of a tool call: its part, and the id and name so far."""

    __slots__ = ("id", "key", "name")

    def __init__(self, key: Key, id: str, name: str) -> None:
        self.key = key
        self.id = id
        self.name = name


class Calls:
    """`by_index` has the last call of every index."""

    def __init__(self, begin: Begin) -> None:
        self.by_index: dict[Any, Call] = {}
        self._begin = begin
        self._last: Call | None = None
        self._by_id: dict[str, Call] = {}
        self._legacy: Call | None = None

    def entry(self, entry: dict[str, Any], updates: list[Update]) -> None:
        """An entry of `tool_calls`. What a vendor adds to it becomes fields of the part: it must go back."""
        function = entry.get("function")
        if not isinstance(function, dict):
            custom = entry.get("custom")
            function = {**custom, "arguments": custom.get("input")} if isinstance(custom, dict) else {}
        index = entry.get("index")
        if not isinstance(index, int | float | str):
            index = None
        id = label(entry.get("id"))
        name = label(function.get("name"))
        fields = {field: value for field, value in entry.items() if field not in _KNOWN and value is not None}
        if entry.get("type") not in (None, "", "function"):
            fields["type"] = entry["type"]
        call = self._find(index, id, name)
        if call is None:
            if index is not None:
                fields["index"] = index
            call = self._last = self._open(id, name, fields, updates)
            if index is not None:
                self.by_index[index] = call
            fields = {}
        elif id and not call.id:
            call.id = id
            updates.append(("set", call.key, "id", id))
        if call.id:
            self._by_id[call.id] = call
        self._grow(call, name, function.get("arguments"), fields, updates)

    def legacy(self, function: dict[str, Any], updates: list[Update]) -> bool:
        """The deprecated `function_call`, one a choice; whether it says or said anything."""
        name = label(function.get("name"))
        arguments = function.get("arguments")
        if self._legacy is None:
            if not name and arguments in (None, ""):
                return False
            self._legacy = self._open("", name, {}, updates)
        self._grow(self._legacy, name, arguments, {}, updates)
        return True

    def _find(self, index: Any, id: str, name: str) -> Call | None:
        """The call that an entry goes to, None when it opens one."""
        if index is not None:
            call = self.by_index.get(index)
            opens = call is not None and id and name and call.id and id != call.id
            return None if opens else call
        if id:
            return self._by_id.get(id)
        last = self._last
        return None if last is not None and name and last.name else last

    def _open(self, id: str, name: str, fields: dict[str, Any], updates: list[Update]) -> Call:
        if id:
            fields["id"] = id
        if name:
            fields["name"] = name
        return Call(self._begin("tool_call", fields, updates), id, name)

    def _grow(self, call: Call, name: str, arguments: Any, fields: dict[str, Any], updates: list[Update]) -> None:
        before = len(updates)
        if name and name != call.name:
            call.name += name
            updates.append(("set", call.key, "name", call.name))
        for field, value in fields.items():
            updates.append(("set", call.key, field, value))
        if arguments is not None:
            text = arguments if isinstance(arguments, str) else compact(arguments)
            if text:
                updates.append(("append", call.key, "arguments", text))
        if len(updates) == before:
            updates.append(("link", call.key))
