"""Operations folded again, as simply as their description allows, to hold the transcript's own folding against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from playground.transcript import HEAVY, Operation, Transcript, join_halves

GROWS = ("text", "arguments", "input", "transcript")


class Applier:
    """`order` has the part numbers as they stand, `parts` by number: kind, fields, whether it is closed."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self.order: list[int] = []
        self.parts: dict[int, dict[str, Any]] = {0: {"kind": "lane", "fields": {}, "closed": False}}

    def apply(self, operations: Iterable[Operation]) -> None:
        for _row, name, *rest in operations:
            if name == "reset":
                self._reset()
            elif name == "open":
                number, kind, fields, after = rest
                assert number == len(self.parts)
                self.parts[number] = {"kind": kind, "fields": dict(fields), "closed": False}
                place = len(self.order) if after is None else 0 if after == 0 else self.order.index(after) + 1
                self.order.insert(place, number)
            else:
                self._change(name, *rest)

    def _change(self, name: str, number: int, *rest: Any) -> None:
        part = self.parts[number]
        if name == "append":
            field, text = rest
            assert field in GROWS
            part["fields"][field] = part["fields"].get(field, "") + text
        elif name == "set":
            field, value = rest
            part["fields"][field] = value
        elif name == "close":
            part["closed"] = True
        else:
            assert name == "link"

    def standing(self) -> list[dict[str, Any]]:
        """The lane's own part and the others in their order."""
        return [_joined(self.parts[number]) for number in (0, *self.order)]


def _joined(part: dict[str, Any]) -> dict[str, Any]:
    fields = {field: join_halves(value) if field in GROWS else value for field, value in part["fields"].items()}
    return {**part, "fields": fields}


def standing(transcript: Transcript) -> list[dict[str, Any]]:
    """A transcript in the words of Applier.standing."""
    return [
        {
            "kind": part.kind,
            "fields": {
                **part.fields,
                **{field: join_halves(part.joined(field)) for field in part.pieces if field != HEAVY},
            },
            "closed": part.closed,
        }
        for part in (transcript.lane, *transcript)
    ]
