"""Findings about Chat Completions: the rules of one lane. Made by linter.py, called once an event.

What belongs to one choice is in chat_choice.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.lint.chat_choice import Choice
from playground.lint.findings import Findings, Spot
from playground.lint.halves import ESCAPE, Halves
from playground.lint.judge import spot, standing
from playground.lint.sse import DONE, odd_data, quoted
from playground.sse.rows import Row
from playground.transcript import Part, Transcript

_THINK: Final = ("<think>", "</think>")
_CHUNK: Final = "chat.completion.chunk"
# A chunk with one of these is never ordinary.
_TELLING: Final = frozenset({"error", "error_message", "x_groq"})
# The fields of an ordinary delta that may be there and say something, one at a time.
_FRAGMENTS: Final = frozenset({"content", "refusal", "reasoning_content", "reasoning"})


class ChatJudge:
    """Ordinary chunks only let one thing grow: `_is_ordinary` knows them, everything else goes through all rules."""

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
        # The keys of chunk and choice of the last ordinary chunks, and whether the chunk has a key for usage.
        self._keys: tuple[str, ...] | None = None
        self._has_usage_key = False
        self._ordinary: dict[Any, tuple[str, ...]] = {}

    def event(self, row: Row, updates: Sequence[Any]) -> None:
        value = row.json
        if "\\u" in row.data and ESCAPE.search(row.data):
            self._halves.look(row, updates)
        try:
            if tuple(value) == self._keys and value["id"] == self._id and value["object"] == _CHUNK:
                (choice,) = value["choices"]
                if (
                    tuple(choice) == self._ordinary[choice["index"]]
                    and choice.get("finish_reason") is None
                    and not (self._has_usage_key and value["usage"] is not None)
                ):
                    delta = choice["delta"]
                    if len(delta) == 1:
                        # Most chunks of all: one string of content.
                        if type(delta.get("content")) is str or self._is_fragment(choice):
                            return
                    elif self._is_ordinary(delta):
                        return
        except (KeyError, TypeError, ValueError, AttributeError):
            pass  # not the common shape
        self._any(row, value)

    def failed(self) -> None:
        self.errored = True
        self._ordinary.clear()

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

    def _is_fragment(self, choice: dict[str, Any]) -> bool:
        """Whether the choice only lets the arguments of a known call grow, or something else of a single field."""
        delta = choice["delta"]
        if "tool_calls" in delta:
            return self._choices[choice["index"]].calls.is_fragment(delta["tool_calls"])
        return self._is_ordinary(delta)

    def _is_ordinary(self, delta: dict[str, Any]) -> bool:
        """Whether a delta has strings alone, at most one of which says something."""
        said = False
        for name, text in delta.items():
            if text:
                if said or name not in _FRAGMENTS or type(text) is not str:
                    return False
                said = True
            elif text is not None and text != "":
                return False
        return True

    def _any(self, row: Row, value: Any) -> None:
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
        if "choices" not in value:
            if not errors:
                self._findings.add("choices-missing", row, quoted(row.data))
        else:
            self._chunk(row, value)
        self._count(row, value, errors)
        if errors:
            self._findings.add("error-in-stream", row, quoted(row.data))
            self.errored = True
        self._learn(value)

    def _errors(self, row: Row, value: dict[str, Any]) -> bool:
        """Whether the object carries an error, in whatever shape."""
        groq = value.get("x_groq")
        error, flat = value.get("error"), value.get("error_message")
        if error and not isinstance(error, dict):
            self._findings.add("error-not-object", row, quoted(str(error)))
        if flat:
            self._findings.add("error-flat-fields", row, quoted(str(flat)))
        if error or flat or (isinstance(groq, dict) and groq.get("error")):
            return True
        # Read as an error as a whole, like formats/chat.py does.
        return row.name == "error" and bool(value) and "choices" not in value

    def _chunk(self, row: Row, value: dict[str, Any]) -> None:
        kind, id, choices = value.get("object", _CHUNK), value.get("id"), value["choices"]
        if kind != _CHUNK:
            self._findings.add("object-not-chunk", row, quoted(str(kind)))
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
        return choice.take(row, value)

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

    def _learn(self, value: dict[str, Any]) -> None:
        """Which chunks are ordinary from here on."""
        keys = tuple(value)
        plain = not (self._done or self.usage or self.errored) and not _TELLING & value.keys()
        if keys != self._keys or not plain:
            self._ordinary.clear()
            self._keys = keys
            self._has_usage_key = "usage" in value
        if plain and isinstance(value.get("choices"), list):
            for choice in value["choices"]:
                index = choice.get("index") if isinstance(choice, dict) else None
                if type(index) is not int:
                    continue
                if self._choices[index].finish is None:
                    self._ordinary[index] = tuple(choice)
                else:
                    self._ordinary.pop(index, None)
