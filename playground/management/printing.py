"""A transcript and its findings as lines for a terminal. Called by `manage.py read`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from playground.formats.interface import compact
from playground.lint.findings import Finding
from playground.lint.rule import SEVERITIES, Severity
from playground.pipeline import Pipeline
from playground.transcript import Part

GUTTER = 12
RUNS_SHOWN = 8
"""So many rows or runs of rows are named of a finding."""

_WORDS = {"tool_call": "tool call", "server_tool": "server tool"}
_COUNTS = (
    ("whole_input", "input"), ("cached", "cached"), ("written", "written"), ("output", "output"),
    ("reasoning", "reasoning"),
)  # fmt: skip
# What a terminal would obey is shown as a code.
_CODES = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


def transcript_lines(pipeline: Pipeline) -> Iterator[str]:
    """The lane's word and figures, then a paragraph a part, then usage and finish."""
    yield heading(pipeline)
    for part in pipeline.transcript:
        yield from _paragraph(word(part.kind), _said(part), part)
    yield from closing_lines(pipeline)


def heading(pipeline: Pipeline) -> str:
    """The lane's word and figures."""
    lane = pipeline.transcript.lane
    facts = [pipeline.format or "unknown format", str(lane.value("model") or ""), str(lane.value("id") or "")]
    body = "" if pipeline.body_kind == "stream" else f"not a stream: {pipeline.body_kind}"
    return " · ".join(fact for fact in (pipeline.word, *facts, f"{pipeline.events} events", body) if fact)


def closing_lines(pipeline: Pipeline) -> Iterator[str]:
    """Usage and finish."""
    lane = pipeline.transcript.lane.fields
    usage = lane.get("usage")
    if usage:
        counts = [f"{name} {usage[key]}" for key, name in _COUNTS if usage[key] is not None]
        yield from _labelled("usage", " · ".join(counts))
    yield from _labelled("finish", str(pipeline.transcript.lane.value("finish") or "none"))


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """How many findings there are, and a paragraph for each, the worst first."""
    ordered = sorted(findings, key=lambda finding: SEVERITIES.index(finding.rule.severity))
    counts = Counter(finding.rule.severity for finding in ordered)
    named = [_counted(counts[severity], severity) for severity in SEVERITIES if counts[severity]]
    yield from _labelled("findings", ", ".join(named) or "none")
    for finding in ordered:
        rows = f" ({ranges(finding.rows)})" if finding.rows else ""
        yield from _labelled(finding.rule.severity, f"{finding.rule.id}{rows}: {finding.rule.says}")
        if detail := finding.examples[0].detail:
            yield from _labelled("", one_line(detail))


def _counted(count: int, severity: Severity) -> str:
    return f"{count} {severity}" if count == 1 or severity == "info" else f"{count} {severity}s"


def word(kind: str) -> str:
    """What a kind of part is called."""
    return _WORDS.get(kind, kind)


def plain(text: str) -> str:
    """Text from the wire without what a terminal would obey."""
    return text.translate(_CODES)


def one_line(text: str) -> str:
    """The same on one line."""
    return plain(text).replace("\n", "\\n")


def ranges(rows: Iterable[int]) -> str:
    """Row numbers for people: "row 3", "rows 3, 5-9 and 12 more"."""
    numbers = sorted(set(rows))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    named = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs[:RUNS_SHOWN])
    more = sum(last - first + 1 for first, last in runs[RUNS_SHOWN:])
    return f"{'rows' if len(numbers) > 1 else 'row'} {named}{f' and {more} more' if more else ''}"


def _said(part: Part) -> str:
    if part.kind in {"text", "refusal"}:
        return str(part.value("text") or "")
    if part.kind == "reasoning":
        marks = [mark for mark in ("signature", "encrypted") if part.fields.get(mark)]
        return str(part.value("text") or "") + (f"  [{', '.join(marks)}]" if marks else "")
    if part.kind == "tool_call":
        return f"{part.value('name')} {part.value('arguments') or ''}  [{part.value('id') or 'no id'}]"
    if part.kind == "error":
        return str(part.value("message") or compact(part.fields.get("raw")))
    if part.kind == "extra":
        return f"{part.value('name')} {compact(part.fields.get('value'))}"
    fields: dict[str, Any] = {name: part.value(name) for name in (*part.fields, *part.pieces) if name != "data"}
    return compact(fields)


def _paragraph(label: str, text: str, part: Part) -> Iterator[str]:
    choice = part.fields.get("choice")
    status = part.fields.get("status")
    notes = [f"choice {choice}" if choice else "", str(status or ""), "broken off" if part.fields.get("broken") else ""]
    note = ", ".join(note for note in notes if note)
    yield from _labelled(label, f"{text}  ({note})" if note else text)


def _labelled(label: str, text: str) -> Iterator[str]:
    first, *rest = plain(text).split("\n")
    yield f"{label:<{GUTTER}}{first}".rstrip()
    for line in rest:
        yield f"{'':<{GUTTER}}{line}".rstrip()
