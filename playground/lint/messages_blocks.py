"""Findings about the content blocks of one message. Called by messages.py."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from playground.formats.interface import compact
from playground.formats.messages_blocks import OPENS
from playground.formats.typed import label, mapping, string
from playground.formats.updates import Key
from playground.lint.findings import Findings, Spot
from playground.lint.judge import judge_arguments, judge_id, spot
from playground.lint.sse import quoted
from playground.sse.rows import Row
from playground.transcript import Transcript

# type of delta: the types of block that it fits, the field that says something
_FITS: Final = {
    "text_delta": (("text",), "text"),
    "citations_delta": (("text",), "citation"),
    "thinking_delta": (("thinking",), "thinking"),
    "signature_delta": (("thinking",), "signature"),
    "input_json_delta": (("tool_use", "server_tool_use", "mcp_tool_use"), "partial_json"),
    "compaction_delta": (("compaction",), "content"),
}
_SAID: Final = frozenset({"text_delta", "thinking_delta", "input_json_delta"})


class Block:
    """One content block. `started`: by content_block_start and not by a delta."""

    __slots__ = ("key", "kind", "place", "signed", "started", "stopped", "texted")

    def __init__(self, kind: str, place: Spot, *, started: bool) -> None:
        self.kind = kind
        self.place = place
        self.started = started
        self.stopped = False
        self.texted = False
        self.signed = False
        self.key: Key = None


class Blocks:
    """`ordinary` has, by index, the type of the deltas that a running block had: more of them tell nothing new."""

    def __init__(self, findings: Findings, transcript: Transcript) -> None:
        self.ordinary: dict[Hashable, str] = {}
        self._findings = findings
        self._transcript = transcript
        self.clear()

    def clear(self) -> None:
        """Another message starts."""
        self.ordinary.clear()
        self._all: list[Block] = []
        self._at: dict[Hashable, Block] = {}
        self._last: Hashable = None  # the label of the block that was opened last
        self._highest = -1.0
        self._unstopped: dict[int, Block] = {}

    def start(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> None:
        index, start = label(value.get("index")), mapping(value.get("content_block"))
        if self._unstopped:
            self._findings.add("block-not-stopped", row, f"{len(self._unstopped)} open")
        if index is not None:
            if index in self._at:
                self._findings.add("index-reused", row, f"index {index}")
            elif index != self._highest + 1:
                self._findings.add("index-gap", row, f"index {index} after {self._highest:g}")
        kind = start.get("type")
        block = self._open(index, Block(kind if isinstance(kind, str) else "", spot(row), started=True), updates)
        block.texted = bool(start.get("text"))
        block.signed = string(start.get("signature")) is not None
        if block.kind == "tool_use" and start.get("input"):
            self._findings.add("tool-input-in-start", row)

    def delta(self, row: Row, value: dict[str, Any], updates: Sequence[Any]) -> bool:
        """Whether it says something."""
        index, delta = self._label(value.get("index")), mapping(value.get("delta"))
        kind = delta.get("type")
        if not isinstance(kind, str) or kind not in _FITS:
            self._findings.add("unknown-delta-type", row, quoted(compact(kind)))
            return False
        fits, field = _FITS[kind]
        block = self._at.get(index)
        if block is None:
            self._findings.add("delta-without-start", row, f"index {index}, {kind}")
            block = self._open(index, Block(OPENS[kind], spot(row), started=False), updates)
        if block.stopped:
            self._findings.add("delta-after-stop", row, kind)
        said = bool(delta.get(field))
        if block.kind not in fits:
            self._findings.add("delta-type-mismatch", row, f"{kind} in a block of type {quoted(block.kind)}")
        elif said:
            block.texted = block.texted or kind == "text_delta"
            block.signed = block.signed or kind == "signature_delta"
            if not block.stopped and kind in _SAID and index is not None:
                self.ordinary[index] = kind
        return said and kind in _SAID

    def stop(self, row: Row, index: Any) -> None:
        named = self._label(index)
        block = self._at.get(named)
        if block is None:
            self._findings.add("stop-without-start", row, f"index {named}")
            return
        if block.stopped:
            self._findings.add("block-stopped-twice", row, f"index {named}")
        block.stopped = True
        self._unstopped.pop(id(block), None)
        self.ordinary.pop(named, None)

    def end(self, *, early: bool) -> None:
        """The stream is over."""
        for block in self._all:
            part = self._transcript.part(block.key) if block.key is not None else None
            number = part.number if part else None
            if not block.stopped and not early:
                self._findings.add("block-not-stopped", block.place, block.kind, part=number)
            if block.started and block.stopped:
                if block.kind == "text" and not block.texted:
                    self._findings.add("empty-block", block.place, part=number)
                if block.kind == "thinking" and not block.signed:
                    self._findings.add("thinking-without-signature", block.place, part=number)
            if block.kind == "tool_use" and part is not None:
                judge_id(self._findings, part, block.place)
                if block.stopped or not early:
                    judge_arguments(self._findings, part, block.place)

    def _open(self, index: Hashable, block: Block, updates: Sequence[Any]) -> Block:
        self._all.append(block)
        self._unstopped[id(block)] = block
        self._at[index] = block
        self._last = index
        if isinstance(index, int | float):
            self._highest = max(self._highest, index)
        block.key = next((update[1] for update in updates if update[0] == "open"), None)
        self.ordinary.pop(index, None)
        return block

    def _label(self, index: Any) -> Hashable:
        """Of a delta or stop: without an index, that of the block that was opened last."""
        named = label(index)
        return self._last if named is None else named
