"""What it all adds up to. Takes updates, keeps parts, answers with operations for the browser; knows no vendor.

The browser applies the operations to a model of its own (static/js/model/transcript.js) and must come to the same
parts after every step; a Node test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from playground.formats.updates import ABANDONED, END, GROWING, SUPERSEDED, Key, Update

LANE_PART: Final = 0
"""The part number of the lane's own fields."""

# (row, "open", part, kind, fields, after)   after: the part it stands right behind, 0 for the front, None for the end
# (row, "append", part, field, text)
# (row, "set", part, field, value)
# (row, "link", part)
# (row, "close", part)
# (row, "reset")
Operation = tuple[Any, ...]

HEAVY: Final = "data"
"""The growing field that never travels to the browser: base64 of images and audio."""

_GIVEN_UP: Final = (ABANDONED, SUPERSEDED)


def join_halves(text: str) -> str:
    """UTF-16 halves that stand side by side become one character; a half alone stays what it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text


def shown(text: str) -> str:
    """Text as a person sees it: halves joined, a half that stays alone is U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class Part:
    """A piece of what was said. `fields` holds what was set, `pieces` what grew, by field name."""

    __slots__ = ("closed", "fields", "key", "kind", "next", "number", "pieces")

    def __init__(self, number: int, key: Key, kind: str, fields: dict[str, Any]) -> None:
        self.number = number
        self.key = key
        self.kind = kind
        self.fields = fields
        self.pieces: dict[str, list[str]] = {}
        self.closed = False
        self.next: Part | None = None

    def joined(self, field: str = "text") -> str:
        """All that a growing field has so far, halves joined."""
        pieces = self.pieces.get(field)
        if not pieces:
            return ""
        if len(pieces) > 1:
            pieces[:] = [join_halves("".join(pieces))]
        return pieces[0]

    def value(self, field: str) -> Any:
        """A field as a person sees it: what grew, else what was set, else None."""
        value = self.joined(field) if field in self.pieces else self.fields.get(field)
        return shown(value) if isinstance(value, str) else value


class Transcript:
    """The parts of one lane, in order, and the lane's own fields (id, model, finish, usage, complete, ...)."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.lane = Part(LANE_PART, None, "lane", {})
        self._parts: dict[Key, Part] = {None: self.lane}
        self._last = self.lane
        self._count = 0
        self.failed = False  # an error was said

    def __iter__(self) -> Iterator[Part]:
        """The parts in the order in which they stand, the lane's own left out."""
        part = self.lane.next
        while part is not None:
            yield part
            part = part.next

    def part(self, key: Key) -> Part | None:
        return self._parts.get(key)

    def apply(self, row: int, updates: Iterable[Update]) -> list[Operation]:
        """Fold the updates of one row; the operations that the browser must apply, each with the row's number."""
        operations: list[Operation] = []
        self.fold(row, updates, operations)
        return operations

    def fold(self, row: int, updates: Iterable[Any], operations: list[Operation]) -> None:
        """The same, the operations appended to those that are there. Nearly all updates of a stream are appends."""
        for update in updates:
            name = update[0]
            if name == "append":
                _, key, field, text = update
                part = self._parts[key]
                try:
                    part.pieces[field].append(text)
                except KeyError:
                    part.pieces[field] = [text]
                if field == HEAVY:
                    operations.append(self._weigh(row, part, len(text)))
                else:
                    operations.append((row, "append", part.number, field, text))
            else:
                operations.append(self._change(row, update))

    def _change(self, row: int, update: Any) -> Operation:
        name = update[0]
        if name == "open":
            return self._open(row, *update[1:])
        if name == "reset":
            self._clear()
            return (row, "reset")
        part = self._parts[update[1]]
        if name == "set":
            return self._set(row, part, *update[2:])
        if name == "final":
            return self._final(row, part, *update[2:])
        if name == "close":
            part.closed = True
        return (row, name, part.number)

    def _open(self, row: int, key: Key, kind: str, fields: dict[str, Any], after: Key) -> Operation:
        before = self._last if after is END else self._parts[after]
        self._count += 1
        part = self._parts[key] = Part(self._count, key, kind, {})
        for field, value in fields.items():
            if field in GROWING:
                part.pieces[field] = [value]
            else:
                part.fields[field] = value
        if HEAVY in fields:
            self._weigh(row, part, len(fields[HEAVY]))
            fields = {**fields, "size": part.fields["size"]}
            del fields[HEAVY]
        part.next, before.next = before.next, part
        if before is self._last:
            self._last = part
        if kind == "error":
            self.failed = True
        return (row, "open", part.number, kind, fields, None if after is END else before.number)

    def _weigh(self, row: int, part: Part, more: int) -> Operation:
        """Base64 stays here: the browser is told its size and fetches it from an address of its own."""
        size = part.fields["size"] = part.fields.get("size", 0) + more
        return (row, "set", part.number, "size", size)

    def _set(self, row: int, part: Part, field: str, value: Any) -> Operation:
        if field == HEAVY:
            part.pieces[field] = [value]
            return self._weigh(row, part, len(value) - part.fields.get("size", 0))
        if field in GROWING:
            part.pieces[field] = [value]
        else:
            part.fields[field] = value
        return (row, "set", part.number, field, value)

    def _final(self, row: int, part: Part, field: str, text: str) -> Operation:
        standing = part.joined(field)
        text = join_halves(text)
        if text == standing or (standing and not text):
            return (row, "link", part.number)
        return self._set(row, part, field, text)


_PART_FIELDS: Final = {
    "text": ("text",),
    "refusal": ("text",),
    "reasoning": ("text", "signature", "encrypted", "summary", "format"),
    "tool_call": ("id", "name", "arguments"),
    "server_tool": ("id", "name", "input", "query", "results", "error"),
    "citation": ("url", "cited_text", "title"),
    "image": ("id", "url", "size"),
    "audio": ("id", "transcript", "size"),
    "extra": ("name", "value"),
}


def said(transcript: Transcript, *, events: int, complete: bool) -> dict[str, Any]:
    """The transcript as plain values: the flat fields and the parts that tests/streams/*/expect.json have."""
    standing = [part for part in transcript if part.fields.get("status") not in _GIVEN_UP]
    shown_parts = [_plain(part) for part in standing if part.kind in _PART_FIELDS and not _is_empty(part)]
    first = [part for part in shown_parts if "choice" not in part]
    usage = transcript.lane.fields.get("usage")
    return {
        "text": _sum(first, "text"),
        "reasoning": _sum(first, "reasoning"),
        "refusal": _sum(first, "refusal"),
        "tool_calls": [
            {"id": part.get("id"), "name": part.get("name"), "arguments": part.get("arguments", "")}
            for part in shown_parts
            if part["kind"] == "tool_call"
        ],
        "finish": transcript.lane.value("finish"),
        "usage": usage and {name: usage[name] for name in ("input", "output", "reasoning", "cached")},
        "errors": [part.value("message") for part in transcript if part.kind == "error" and "message" in part.fields],
        "complete": complete,
        "events": events,
        "parts": shown_parts,
    }


def _sum(parts: Sequence[dict[str, Any]], kind: str) -> str:
    return "".join(part["text"] for part in parts if part["kind"] == kind)


def _is_empty(part: Part) -> bool:
    if part.kind not in {"text", "reasoning", "refusal"}:
        return False
    return not (part.joined() or part.fields.get("signature") or part.fields.get("encrypted"))


def _plain(part: Part) -> dict[str, Any]:
    plain: dict[str, Any] = {"kind": part.kind}
    for field in _PART_FIELDS[part.kind]:
        value = part.value(field)
        if field in {"signature", "encrypted", "summary"}:
            if value:
                plain[field] = True
        elif value is not None or (field == "id" and part.kind == "tool_call"):
            plain[field] = value
    if part.kind in {"text", "reasoning", "refusal"}:
        plain.setdefault("text", "")
    if part.kind == "tool_call":
        plain.setdefault("arguments", "")
    if part.kind == "citation" and "url" in plain:
        plain.pop("cited_text", None)
    if part.kind == "image" and "url" in plain:
        plain.pop("size", None)
    if part.fields.get("choice"):
        plain["choice"] = part.fields["choice"]
    return plain
