"""What the judges of Messages and Responses share: the type of an event, its name, its errors.

messages.py and responses.py build on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playground.lint.findings import Findings, Spot
from playground.lint.halves import Halves
from playground.lint.sse import odd_data, quoted
from playground.sse.rows import Row
from playground.transcript import Transcript


class TypedJudge:
    """Events whose object names their type. `known` are the types of the format."""

    def __init__(self, findings: Findings, transcript: Transcript, halves: Halves, known: frozenset[str]) -> None:
        self.errored = False
        self.usage: Spot | None = None
        self._halves = halves
        self._findings = findings
        self._transcript = transcript
        self._known = known

    def failed(self) -> None:
        self.errored = True

    def rules(self, row: Row, updates: Sequence[Any]) -> None:
        """An event through all rules."""
        value = row.json
        if not isinstance(value, dict):
            odd_data(self._findings, row, "done-sentinel")
            return
        kind = value.get("type")
        if not isinstance(kind, str):
            if value.get("error") and row.name != "error":
                self._findings.add("error-without-type", row, quoted(row.data))
                self._error(row)
                return
            kind = row.name
        if kind not in self._known:
            self._findings.add("unknown-event-type", row, quoted(kind))
            return
        if self.is_general(row, kind, value) and not row.name:
            self._findings.add("missing-event-name", row, kind)
        if row.name and row.name != kind:
            self._findings.add("event-name-mismatch", row, f"{quoted(row.name)}, type {kind}")
        self.read(row, kind, value, updates)

    def is_general(self, row: Row, kind: str, value: dict[str, Any]) -> bool:
        """Whether general findings may stand on the row: none that is more specific does."""
        return True

    def read(self, row: Row, kind: str, value: dict[str, Any], updates: Sequence[Any]) -> None:
        """An object of a known type."""
        raise NotImplementedError

    def _error(self, row: Row) -> None:
        self._findings.add("error-in-stream", row, quoted(row.data))
        self.failed()
