"""Findings about UTF-16 halves: characters that came in two JSON strings, and halves that stay alone.

Called by the judges for events that hold such an escape, before the transcript has their updates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from playground.formats.updates import ABANDONED, GROWING, SUPERSEDED, Key
from playground.lint.findings import Findings, Place, Spot
from playground.transcript import Transcript

ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_HIGH: Final = re.compile("[\ud800-\udbff]")
_LOW: Final = re.compile("[\udc00-\udfff]")
_HALF: Final = re.compile("[\ud800-\udfff]")


class Halves:
    """The halves of one lane. Remembers which parts have some, not their text."""

    def __init__(self, findings: Findings, transcript: Transcript) -> None:
        self._findings = findings
        self._transcript = transcript
        self._touched: dict[tuple[Key, str], Spot] = {}

    def look(self, place: Place, updates: Sequence[Any]) -> None:
        """The updates of one row, which are not in the transcript yet."""
        last: dict[tuple[Key, str], str] = {}
        for update in updates:
            name = update[0]
            if name == "append":
                self._grow(place, update[1], update[2], update[3], last)
            elif name in {"set", "final"} and update[2] in GROWING:
                self._touch(place, update[1], update[2], update[3])
            elif name == "open":
                for field in GROWING & update[3].keys():
                    self._touch(place, update[1], field, update[3][field])
                    last[update[1], field] = update[3][field][-1:]

    def end(self) -> None:
        """The stream is over: a half without its other half stays alone."""
        for (key, field), spot in self._touched.items():
            part = self._transcript.part(key)
            if part is None or part.fields.get("status") in (ABANDONED, SUPERSEDED):
                continue
            alone = _HALF.search(part.joined(field))
            if alone:
                self._findings.add("lone-surrogate", spot, f"U+{ord(alone[0]):04X} in {field}", part=part.number)

    def _grow(self, place: Place, key: Key, field: str, text: str, last: dict[tuple[Key, str], str]) -> None:
        part = self._transcript.part(key)
        pieces = part.pieces.get(field, []) if part else []
        before = last.get((key, field)) or next((piece[-1] for piece in reversed(pieces) if piece), "")
        if _LOW.match(text) and _HIGH.match(before):
            whole = (before + text[0]).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
            self._findings.add("split-surrogate-pair", place, whole, part=part.number if part else None)
        last[key, field] = text[-1:] or before
        self._touch(place, key, field, text)

    def _touch(self, place: Place, key: Key, field: str, text: Any) -> None:
        if isinstance(text, str) and _HALF.search(text):
            self._touched[key, field] = Spot(place.number, place.start, place.end)
