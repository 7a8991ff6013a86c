"""Findings about Responses: the rules of one lane. Made by linter.py, called once an event.

What concerns items and their parts is in responses_output.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.formats.responses_events import ItemEvents
from playground.formats.responses_items import Items
from playground.formats.typed import listed, string
from playground.lint.findings import Findings
from playground.lint.halves import ESCAPE, Halves
from playground.lint.judge import spot
from playground.lint.responses_output import Output
from playground.lint.sse import quoted
from playground.lint.typed import TypedJudge
from playground.sse.rows import Row
from playground.transcript import Transcript

_LIFECYCLE: Final = frozenset(
    f"response.{state}" for state in ("created", "queued", "in_progress", "completed", "incomplete", "failed")
)
_TERMINAL: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})
KNOWN: Final = frozenset(ItemEvents(Items()).readers) | _LIFECYCLE | {"keepalive", "error"}
"""The types of openai-python's ResponseStreamEvent, and keepalive."""


class ResponsesJudge(TypedJudge):
    """Ordinary events are deltas of a part that had one before, with the same keys and indexes."""

    def __init__(self, findings: Findings, transcript: Transcript, halves: Halves) -> None:
        super().__init__(findings, transcript, halves, KNOWN)
        self._output = Output(findings, transcript)
        self._ordinary = self._output.ordinary
        self._sequence: int | None = None  # of the event before
        self._objects = 0
        self._created = False
        self._over = False

    def event(self, row: Row, updates: Sequence[Any]) -> None:
        value = row.json
        if "\\" in row.data and ESCAPE.search(row.data):
            self._halves.look(row, updates)
        try:
            kind, output, name, index = self._ordinary[value["item_id"]]
            if (
                row.name == kind == value["type"]
                and value["output_index"] == output
                and (name is None or value[name] == index)
                and value["delta"].__class__ is str
            ):
                number = value["sequence_number"]
                if number.__class__ is int and number - 1 == self._sequence:
                    self._sequence = number
                    return
        except (KeyError, TypeError):
            pass  # not the common shape
        self.rules(row, updates)

    def rules(self, row: Row, updates: Sequence[Any]) -> None:
        if isinstance(row.json, dict):
            self._order(row, row.json)
        else:
            self._sequence = None
        super().rules(row, updates)

    def failed(self) -> None:
        super().failed()
        self._ordinary.clear()

    def end(self, *, early: bool) -> None:
        early = early or self.errored
        if not early:
            if not self._created:
                self._findings.add("missing-created")
            if not self._over:
                self._findings.add("missing-terminal")
        self._output.end(early=early)

    def is_general(self, row: Row, kind: str, value: dict[str, Any]) -> bool:
        if kind == "keepalive":
            self._findings.add("keepalive-event", row)
            return False
        if kind in _LIFECYCLE and not isinstance(value.get("response"), dict):
            self._findings.add("response-missing", row, kind)
            return False
        if type(value.get("sequence_number")) is not int:
            self._findings.add("missing-sequence-number", row, kind)
        return True

    def read(self, row: Row, kind: str, value: dict[str, Any], updates: Sequence[Any]) -> None:
        if kind == "error":
            if isinstance(value.get("error"), dict):
                self._findings.add("error-nested", row)
            self._error(row)
        elif kind == "response.created":
            if self._objects > 1:
                self._findings.add("created-not-first", row, f"after {self._objects - 1} events")
            self._created = True
        elif kind in _TERMINAL:
            self._terminal(row, kind, value)
        elif self._output.read(row, kind, value, updates):
            self.errored = False
        if self._over or self.errored:
            self._ordinary.clear()

    def _order(self, row: Row, value: dict[str, Any]) -> None:
        """What concerns any object, whatever its type."""
        self._objects += 1
        number = value.get("sequence_number")
        if type(number) is int:
            if self._sequence is not None and number != self._sequence + 1:
                self._findings.add("sequence-gap", row, f"{number} after {self._sequence}")
            self._sequence = number
        else:
            self._sequence = None
        if self._over:
            self._findings.add("event-after-terminal", row, quoted(string(value.get("type")) or row.name))

    def _terminal(self, row: Row, kind: str, value: dict[str, Any]) -> None:
        response = value.get("response")
        if not isinstance(response, dict):
            response = {}
        if kind == "response.failed" or response.get("error"):
            self._error(row)
        output = response.get("output")
        if not self.errored:
            if output is None:
                self._findings.add("terminal-output-missing", row)
            elif output == [] and self._output.streamed:
                self._findings.add("terminal-output-empty", row, f"{self._output.streamed} items were streamed")
            if kind != "response.failed" and not isinstance(response.get("usage"), dict):
                self._findings.add("usage-missing", row)
        if isinstance(response.get("usage"), dict):
            self.usage = spot(row)
        self._output.terminal(row, listed(output))
        self._over = True
