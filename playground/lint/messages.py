"""Findings about Messages: the rules of one lane. Made by linter.py, called once an event.

What concerns content blocks is in messages_blocks.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from playground.formats.typed import mapping, string
from playground.lint.findings import Findings, Spot
from playground.lint.halves import ESCAPE, Halves
from playground.lint.judge import spot
from playground.lint.messages_blocks import Blocks
from playground.lint.sse import quoted
from playground.lint.typed import TypedJudge
from playground.sse.rows import Row
from playground.transcript import Transcript


class MessagesJudge(TypedJudge):
    """Ordinary events are deltas of a block that had one of the same kind before; nothing can be wrong with them."""

    def __init__(self, findings: Findings, transcript: Transcript, halves: Halves) -> None:
        self._readers: dict[str, Callable[[Row, dict[str, Any], Sequence[Any]], None]] = {
            "message_start": self._start,
            "content_block_start": self._block_start,
            "content_block_delta": self._delta,
            "content_block_stop": self._block_stop,
            "message_delta": self._message_delta,
            "message_stop": self._stop,
            "ping": self._ping,
            "error": self._failed,
        }
        super().__init__(findings, transcript, halves, frozenset(self._readers))
        self._blocks = Blocks(findings, transcript)
        self._ordinary = self._blocks.ordinary
        self._started = False
        self._early: Spot | None = None  # the first event that spoke of a message before it started
        self._clear()

    def _clear(self) -> None:
        self._id: str | None = None
        self._stops = 0
        self._has_reason = False
        self._input: Any = None  # the count of input tokens so far
        self._blocks.clear()

    def event(self, row: Row, updates: Sequence[Any]) -> None:
        value = row.json
        if "\\" in row.data and ESCAPE.search(row.data):
            self._halves.look(row, updates)
        try:
            if (
                row.name == "content_block_delta" == value["type"]
                and self._ordinary[value["index"]] == value["delta"]["type"]
            ):
                return
        except (KeyError, TypeError):
            pass  # not the common shape
        self.rules(row, updates)

    def failed(self) -> None:
        super().failed()
        self._ordinary.clear()

    def end(self, *, early: bool) -> None:
        early = early or self.errored
        if not early:
            if not self._started:
                self._findings.add("missing-message-start", self._early)
            if not self._has_reason:
                self._findings.add("missing-stop-reason")
            if not self._stops:
                self._findings.add("missing-message-stop")
        self._blocks.end(early=early)

    def read(self, row: Row, kind: str, value: dict[str, Any], updates: Sequence[Any]) -> None:
        if not self._started and kind not in ("message_start", "ping", "error"):
            self._early = self._early or spot(row)
        self._readers[kind](row, value, updates)

    def _start(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        message = mapping(value.get("message"))
        id = string(message.get("id"))
        if not self._started:
            if self._early:
                self._findings.add("missing-message-start", self._early, "message_start came later")
            self._started = True
            self._id = id
        elif id == self._id:
            self._findings.add("duplicate-message-start", row, quoted(id or "no id"))
        else:
            self._findings.add("second-message", row, f"{quoted(id or 'no id')} after {quoted(self._id or 'no id')}")
            self._clear()
            self._id = id
        usage = message.get("usage")
        if not isinstance(usage, dict):
            self._findings.add("usage-missing-start", row)
        else:
            self._count(row, usage)

    def _block_start(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        self.errored = False
        self._blocks.start(row, value, updates)

    def _delta(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        if self._blocks.delta(row, value, updates):
            self.errored = False

    def _block_stop(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        self._blocks.stop(row, value.get("index"))

    def _message_delta(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        delta, usage = mapping(value.get("delta")), value.get("usage")
        if string(delta.get("stop_reason")):
            self._has_reason = True
        elif self._has_reason:
            self._findings.add("stop-reason-dropped", row)
        if delta.get("usage") is not None:
            self._findings.add("usage-misplaced", row)
        if not isinstance(usage, dict):
            self._findings.add("usage-missing-delta", row)
            return
        count = usage.get("input_tokens")
        if self._input == 0 and isinstance(count, int) and count > 0:
            self._findings.add("usage-input-late", row, str(count))
        self._count(row, usage)

    def _count(self, row: Row, usage: dict[str, Any]) -> None:
        self.usage = spot(row)
        if usage.get("input_tokens") is not None:
            self._input = usage["input_tokens"]

    def _stop(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        self._stops += 1
        if self._stops > 1:
            self._findings.add("duplicate-message-stop", row)

    def _ping(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        pass

    def _failed(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        self._error(row)
