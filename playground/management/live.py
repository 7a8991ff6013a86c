"""A stream as it comes, for a pipe: text as it grows, findings as they happen. Called by `manage.py read -`."""

from __future__ import annotations

from django.core.management.base import OutputWrapper

from playground.lint.rules import RULES
from playground.management.printing import GUTTER, closing_lines, finding_lines, heading, one_line, plain, ranges, word
from playground.pipeline import Pipeline, Step
from playground.transcript import Operation, shown

# What is written of a part as it grows: the field, by kind.
_GROWS = {
    "text": "text",
    "refusal": "text",
    "reasoning": "text",
    "tool_call": "arguments",
    "server_tool": "input",
    "audio": "transcript",
}


class Live:
    """Writes steps to `out`. Half a character waits for its other half."""

    def __init__(self, out: OutputWrapper, ignored: frozenset[str]) -> None:
        self._out = out
        self._ignored = ignored
        self._kinds: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._current: int | None = None  # the part whose line is open
        self._half = ""
        self._known: set[str] = set()

    def step(self, pipeline: Pipeline, step: Step) -> None:
        """What a read brought."""
        for operation in step.operations:
            self._operation(operation)
        for found in step.findings:
            if found.rule in self._ignored or found.rule in self._known:
                continue
            self._known.add(found.rule)
            rows = f" ({ranges(found.rows)})" if found.rows else ""
            self._label(found.severity, f"{found.rule}{rows}: {RULES[found.rule].says}")
            if found.detail:
                self._label("", one_line(found.detail))
        self._out.flush()

    def end(self, pipeline: Pipeline) -> None:
        """The stream is over: the lane's figures and the findings once more, the worst first."""
        self._close()
        findings = [finding for finding in pipeline.findings if finding.rule.id not in self._ignored]
        for line in (heading(pipeline), *closing_lines(pipeline), *finding_lines(findings)):
            self._write(f"{line}\n")
        self._out.flush()

    def _operation(self, operation: Operation) -> None:
        name = operation[1]
        if name == "open":
            _, _, part, kind, fields, _ = operation
            self._kinds[part] = kind
            self._names[part] = str(fields.get("name") or "")
            if kind == "error":
                self._label("error", one_line(shown(str(fields.get("message") or ""))))
            elif text := fields.get(_GROWS.get(kind, "")):
                self._grow(part, text)
        elif name == "append" and operation[3] == _GROWS.get(self._kinds[operation[2]]):
            self._grow(operation[2], operation[4])
        elif name == "set" and operation[2] in self._kinds:
            self._set(*operation[2:])
        elif name == "reset":
            self._close()
            self._label("", "(taken back: the body is something else)")

    def _set(self, part: int, field: str, value: object) -> None:
        """A value that replaces what grew is written as a whole."""
        if field == "name":
            self._names[part] = str(value)
        elif field == _GROWS.get(self._kinds[part]) and value:
            self._close()
            self._grow(part, str(value))

    def _grow(self, part: int, text: str) -> None:
        if self._current != part:
            self._close()
            self._current = part
            self._write(f"{word(self._kinds[part]):<{GUTTER}}")
            if name := self._names[part]:
                self._write(f"{one_line(shown(name))} ")
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        text = shown(text.removesuffix(self._half))
        self._write(plain(text).replace("\n", f"\n{'':<{GUTTER}}"))

    def _close(self) -> None:
        if self._current is not None:
            self._write(f"{shown(self._half)}\n")
            self._half = ""
            self._current = None

    def _write(self, text: str) -> None:
        self._out.write(text, ending="")

    def _label(self, label: str, text: str) -> None:
        self._close()
        self._write(f"{label:<{GUTTER}}{text}\n")
