"""Findings about Chat Completions: the rules of one lane. Made by linter.py, called once an event.

What belongs to one choice is in chat_choice.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.formats.interface import compact
from playground.lint.chat_choice import Choice
from playground.lint.findings import Findings, Spot
from playground.lint.halves import ESCAPE, Halves
from playground.lint.judge import spot, standing
from playground.lint.sse import DONE, odd_data, quoted
from playground.sse.rows import Row
from playground.transcript import Part, Transcript

_THINK: Final = ("<think>", "</think>")
_CHUNK: Final = "chat.completion.chunk"


class ChatJudge:
    """Ordinary chunks only let one thing of a running choice grow; everything else goes through all rules."""

    def __init__(self, findings: Findings, transcript: Transcript, halves: Halves) -> None:
        self.errored = False
        self.usage: Spot | None = None
        self._halves = halves
        self._findings = findings
        self._transcript = transcript
        self._choices: dict[int, Choice] = {}
        self._id: str | None = None
        self._done = False
        self._usages = 0  # chunks that had usage at their top
        self._running: dict[Any, Choice] = {}  # choices whose next chunk may be ordinary

    def event(self, row: Row, updates: Sequence[Any]) -> None:
        value = row.json
        if "\\" in row.data and ESCAPE.search(row.data):
            self._halves.look(row, updates)
        try:
            if (
                value["id"] == self._id
                and value["object"] == _CHUNK
                and "error" not in value
                and "error_message" not in value
                and "x_groq" not in value
                and value.get("usage") is None
            ):
                (choice,) = value["choices"]
                running = self._running[choice["index"]]
                if choice.get("finish_reason") is None and running.is_ordinary(choice["delta"]):
                    return
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # not the common shape
        self.rules(row, updates)

    def failed(self) -> None:
        self.errored = True
        self._running.clear()

    def end(self, *, early: bool) -> None:
        early = early or self.errored
        if not early:
            if not self._choices:
                self._findings.add("empty-stream")
            if not self._done:
                self._findings.add("missing-done")
        calls: dict[Any, list[Part]] = {}
        for part in standing(self._transcript, "tool_call"):
            calls.setdefault(part.fields.get("choice", 0), []).append(part)
        for index, choice in self._choices.items():
            choice.end(calls.get(index, ()), early=early)
        self._think()

    def _think(self) -> None:
        """Tags may be cut over deltas and parts, so the text of choice 0 is looked at as a whole."""
        parts = [part for part in standing(self._transcript, "text") if not part.fields.get("choice")]
        text = "".join(part.joined() for part in parts) if len(parts) != 1 else parts[0].joined()
        if any(tag in text for tag in _THINK):
            self._findings.add("inline-think-tags", self._choices[0].place, part=parts[0].number)

    def rules(self, row: Row, updates: Sequence[Any]) -> None:
        value = row.json
        if self._done:
            self._findings.add("data-after-done", row, quoted(row.data))
        if isinstance(value, dict):
            self._object(row, value)
        elif row.data == DONE:
            self._done = True
        else:
            odd_data(self._findings, row, "done-with-whitespace")
            self._done = self._done or row.data.strip() == DONE

    def _object(self, row: Row, value: dict[str, Any]) -> None:
        errors = self._errors(row, value)
        kind = value.get("object", _CHUNK)
        if kind != _CHUNK:
            self._findings.add("object-not-chunk", row, quoted(compact(kind)))
        if "choices" not in value:
            if not errors:
                self._findings.add("choices-missing", row, quoted(row.data))
        else:
            self._chunk(row, value)
        self._count(row, value, errors)
        if errors:
            self._findings.add("error-in-stream", row, quoted(row.data))
            self.errored = True
        if self._done or self.usage or self.errored:
            self._running.clear()  # from here on more is said of every chunk

    def _errors(self, row: Row, value: dict[str, Any]) -> bool:
        """Whether the object carries an error, in whatever shape."""
        groq = value.get("x_groq")
        error, flat = value.get("error"), value.get("error_message")
        if error and not isinstance(error, dict):
            self._findings.add("error-not-object", row, quoted(compact(error)))
        if flat:
            self._findings.add("error-flat-fields", row, quoted(compact(flat)))
        if error or flat or (isinstance(groq, dict) and groq.get("error")):
            return True
        # Read as an error as a whole, like formats/chat.py does.
        return row.name == "error" and bool(value) and "choices" not in value

    def _chunk(self, row: Row, value: dict[str, Any]) -> None:
        id, choices = value.get("id"), value["choices"]
        if id and isinstance(id, str):
            if self._id is None:
                self._id = id
            elif id != self._id:
                self._findings.add("id-changes", row, f"{quoted(id)} after {quoted(self._id)}")
        if choices is None:
            self._findings.add("choices-null", row)
        elif isinstance(choices, list):
            for position, choice in enumerate(choices):
                if isinstance(choice, dict) and self._choice(row, position, choice):
                    self.errored = False
            for choice in choices:
                if isinstance(choice, dict) and choice.get("finish_reason") == "error":
                    self._findings.add("error-finish", row)
                    self.errored = True

    def _choice(self, row: Row, position: int, value: dict[str, Any]) -> bool:
        """Whether anything was said."""
        index = value.get("index")
        if isinstance(index, int) or (isinstance(index, float) and index.is_integer()):
            position = int(index)
        choice = self._choices.get(position)
        if choice is None:
            choice = self._choices[position] = Choice(position, self._findings, spot(row))
        said = choice.take(row, value)
        if choice.finish is None:
            self._running[position] = choice
        else:
            self._running.pop(position, None)
        return said

    def _count(self, row: Row, value: dict[str, Any], errors: bool) -> None:
        groq = value.get("x_groq")
        top = isinstance(value.get("usage"), dict)
        inside = isinstance(groq, dict) and isinstance(groq.get("usage"), dict)
        if top:
            self._usages += 1
            if self._usages > 1:
                self._findings.add("usage-repeated", row)
        elif inside:
            self._findings.add("usage-in-x-groq", row)
        elif self.usage and not errors:
            self._findings.add("usage-not-last", row)
        if top or inside:
            self.usage = spot(row)
