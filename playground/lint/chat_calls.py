"""Findings about the tool calls of one choice. Called by chat_choice.py.

Which call an entry belongs to is decided as in formats/chat_calls.py.
"""

from __future__ import annotations

from typing import Any

from playground.formats.chat_calls import label
from playground.formats.interface import compact
from playground.lint.findings import Findings, Spot
from playground.lint.sse import quoted
from playground.sse.rows import Row


class Call:
    """What is known of a call; `place` is where it opened."""

    __slots__ = ("id", "legacy", "name", "place")

    def __init__(self, id: str, name: str, place: Spot, legacy: bool) -> None:
        self.id = id
        self.name = name
        self.place = place
        self.legacy = legacy


class Calls:
    """`all` has the calls in the order in which they opened."""

    def __init__(self, findings: Findings) -> None:
        self.all: list[Call] = []
        self._findings = findings
        self._by_index: dict[Any, Call] = {}
        self._by_id: dict[str, Call] = {}
        self._last: Call | None = None
        self._legacy: Call | None = None

    def is_fragment(self, entries: Any) -> bool:
        """Whether a tool_calls only lets the arguments of a known call grow: index, perhaps type, and a string."""
        (entry,) = entries
        if len(entry) != 2 and (len(entry) != 3 or entry["type"] != "function"):
            return False
        function = entry["function"]
        return entry["index"] in self._by_index and len(function) == 1 and type(function["arguments"]) is str

    def delta(self, row: Row, entries: list[dict[str, Any]]) -> None:
        """The entries of one delta."""
        seen: set[tuple[Any, int]] = set()
        for entry in entries:
            index = entry.get("index")
            call = self._entry(row, entry)
            if isinstance(index, int | float | str):
                if (index, id(call)) in seen:
                    self._findings.add("tool-index-twice-in-chunk", row, f"index {index}")
                seen.add((index, id(call)))

    def function_call(self, row: Row, function: dict[str, Any]) -> None:
        """The deprecated single call."""
        name, arguments = label(function.get("name")), function.get("arguments")
        if self._legacy is None and (name or arguments not in (None, "")):
            self._legacy = self._open(row, "", name, legacy=True)

    def end(self) -> None:
        used = set(self._by_index)
        if used and used != set(range(len(used))):
            self._findings.add("tool-index-sparse", self.all[0].place, ", ".join(str(index) for index in used))

    def _entry(self, row: Row, entry: dict[str, Any]) -> Call:
        function = entry.get("function")
        if not isinstance(function, dict):
            custom = entry.get("custom")
            function = {"name": custom.get("name")} if isinstance(custom, dict) else {}
        index, own_id, name = entry.get("index"), label(entry.get("id")), label(function.get("name"))
        if index is None:
            self._findings.add("tool-index-missing", row, quoted(name or own_id))
        if function.get("id"):
            self._findings.add("tool-id-misplaced", row, quoted(label(function["id"])))
        self._arguments(row, function)
        if not isinstance(index, int | float | str):
            index = None
        call = self._find(row, index, own_id, name)
        if call is None:
            call = self._last = self._open(row, own_id, name)
            if index is not None:
                self._by_index[index] = call
        else:
            call.id = call.id or own_id
            self._name(row, call, name, function.get("name"))
        if call.id:
            self._by_id[call.id] = call
        return call

    def _arguments(self, row: Row, function: dict[str, Any]) -> None:
        if "arguments" not in function:
            return
        arguments = function["arguments"]
        if arguments is None:
            self._findings.add("tool-arguments-null", row)
        elif not isinstance(arguments, str):
            self._findings.add("tool-arguments-not-string", row, quoted(compact(arguments)))

    def _find(self, row: Row, index: Any, own_id: str, name: str) -> Call | None:
        if index is not None:
            call = self._by_index.get(index)
            if call is None or not own_id or not call.id or own_id == call.id:
                return call
            detail = f"{quoted(own_id)} after {quoted(call.id)}, index {index}"
            self._findings.add("tool-index-reused" if name else "tool-id-changes", row, detail)
            return None if name else call
        if own_id:
            return self._by_id.get(own_id)
        last = self._last
        return None if last is not None and name and last.name else last

    def _open(self, row: Row, own_id: str, name: str, *, legacy: bool = False) -> Call:
        call = Call(own_id, name, Spot(row.number, row.start, row.end), legacy)
        self.all.append(call)
        return call

    def _name(self, row: Row, call: Call, name: str, given: Any) -> None:
        """The name in a later entry of a call."""
        if not name:
            if given == "" and call.name:
                self._findings.add("tool-name-empty", row)
        elif not call.name:
            call.name = name
        elif name == call.name:
            self._findings.add("tool-name-repeated", row, quoted(name))
        else:
            self._findings.add("tool-name-split", row, f"{quoted(name)} after {quoted(call.name)}")
            call.name += name
