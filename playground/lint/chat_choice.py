"""Findings about one choice of a chat completion: its deltas, its finish reason, its calls. Called by chat.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.formats.interface import compact
from playground.formats.typed import listed
from playground.lint.chat_calls import Calls
from playground.lint.findings import Findings, Spot
from playground.lint.judge import judge_arguments, judge_id
from playground.lint.sse import quoted
from playground.sse.rows import Row
from playground.transcript import Part

# What may say something in an ordinary delta.
_FRAGMENTS: Final = frozenset({"content", "refusal", "reasoning_content", "reasoning"})
_REASONS: Final = frozenset({"stop", "length", "tool_calls", "content_filter", "function_call", "error"})


class Choice:
    """`finish` is the last finish reason, None until one came."""

    def __init__(self, index: int, findings: Findings, place: Spot) -> None:
        self.finish: str | None = None
        self.calls = Calls(findings)
        self._index = index
        self._finished: Spot | None = None
        self._findings = findings
        self.place = place
        self._has_role = False

    def is_ordinary(self, delta: dict[str, Any]) -> bool:
        """Whether a delta, of a choice that had one before, breaks no rule and changes nothing that later ones go by.

        Its fields are strings or nothing, and at most one of them says something; or a known call grows.
        """
        if len(delta) == 1:
            if type(delta.get("content")) is str:
                return True
            if "tool_calls" in delta:
                return self.calls.is_fragment(delta["tool_calls"])
        said = False
        for name, text in delta.items():
            if text:
                if said or name not in _FRAGMENTS or type(text) is not str:
                    return False
                said = True
            elif text is not None and text != "":
                return False
        return True

    def take(self, row: Row, value: dict[str, Any]) -> bool:
        """The choice in one chunk. Whether it says anything."""
        finished = self.finish is not None
        delta = value.get("delta")
        if delta is None:
            self._findings.add("missing-delta", row)
        said = self._delta(row, delta) if isinstance(delta, dict) else False
        if said and finished:
            self._findings.add("content-after-finish", row, quoted(compact(delta)))
        self._finish(row, value.get("finish_reason"))
        return said

    def end(self, parts: Sequence[Part], *, early: bool) -> None:
        """The stream is over. `parts` are the choice's tool calls as the transcript has them."""
        if self.finish is None and not early:
            self._findings.add("missing-finish-reason", self.place, f"choice {self._index}")
        self.calls.end()
        # An early end tells nothing of calls that may not have been whole.
        whole = not early or self.finish not in (None, "error")
        for part, call in zip(parts, self.calls.all, strict=False):
            if not call.legacy:
                judge_id(self._findings, part, call.place)
            if whole and part.fields.get("type") != "custom":
                judge_arguments(self._findings, part, call.place)
        if self.finish == "stop" and self.calls.all:
            self._findings.add("finish-stop-with-tool-calls", self._finished, f"choice {self._index}")

    def _delta(self, row: Row, delta: dict[str, Any]) -> bool:
        role = delta.get("role")
        if role and isinstance(role, str):
            if self._has_role:
                self._findings.add("role-repeated", row, quoted(role))
            self._has_role = True
        if isinstance(delta.get("content"), list):
            self._findings.add("content-array", row)
        if isinstance(delta.get("function_call"), dict):
            self._findings.add("legacy-function-call", row)
            self.calls.function_call(row, delta["function_call"])
        entries = listed(delta.get("tool_calls"))
        self.calls.delta(row, entries)
        reasoning = self._reasoning(row, delta)
        audio = delta.get("audio")
        return bool(
            delta.get("content")
            or delta.get("refusal")
            or reasoning
            or entries
            or delta.get("function_call")
            or (isinstance(audio, dict) and (audio.get("data") or audio.get("transcript")))
            or delta.get("images")
        )

    def _reasoning(self, row: Row, delta: dict[str, Any]) -> bool:
        """Whether any of the reasoning fields says something."""
        details = listed(delta.get("reasoning_details"))
        if any(not isinstance(detail.get("index"), int | float | str) for detail in details):
            self._findings.add("reasoning-details-missing-index", row)
        texts = ["".join(_strings(detail, "text", "summary") for detail in details)]
        texts += [_strings(delta, "reasoning_content"), _strings(delta, "reasoning")]
        spoken = [text for text in texts if text]
        if len(spoken) > 1:
            same = all(text == spoken[0] for text in spoken)
            rule = "reasoning-mirrored" if same else "reasoning-channels-differ"
            self._findings.add(rule, row, quoted(spoken[0]) if same else " | ".join(quoted(text) for text in spoken))
        return bool(spoken or details)

    def _finish(self, row: Row, reason: Any) -> None:
        if reason is None:
            return
        if reason == "":
            self._findings.add("finish-empty-string", row)
        elif reason == "null":
            self._findings.add("finish-null-string", row)
        elif reason:
            text = reason if isinstance(reason, str) else compact(reason)
            if text not in _REASONS:
                self._findings.add("unknown-finish-reason", row, quoted(text))
            if self.finish is not None:
                self._findings.add("finish-repeated", row, f"{quoted(text)} after {quoted(self.finish)}")
            self.finish = text
            self._finished = Spot(row.number, row.start, row.end)


def _strings(value: dict[str, Any], *names: str) -> str:
    return "".join(text for name in names if isinstance(text := value.get(name), str))
