"""Findings as SARIF 2.1.0, which code hosts show beside the files. Called by `manage.py read --sarif`.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from playground.lint.findings import Example, Finding
from playground.lint.rule import Rule, Severity

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}


class Lines:
    """Where the lines of a file start, so that bytes have a line: LF, CRLF and CR end one."""

    def __init__(self) -> None:
        self._starts = [0]
        self._offset = 0
        self._after_cr = False

    def feed(self, body: bytes) -> None:
        for line in body.splitlines(keepends=True):
            if self._after_cr and line[:1] == b"\n":
                self._starts[-1] += 1
            self._after_cr = line[-1:] == b"\r"
            self._offset += len(line)
            if line[-1:] in b"\r\n" and not (line == b"\n" and self._starts[-1] == self._offset):
                self._starts.append(self._offset)

    def line(self, offset: int) -> int:
        """The number of the line that holds the byte at `offset`, from 1."""
        return bisect_right(self._starts, offset)


def log(runs: Sequence[tuple[str, Sequence[Finding], Lines | None]]) -> dict[str, Any]:
    """A SARIF log of (path, its findings, its lines or None where bytes in the body are none of the file)."""
    rules = {finding.rule.id: finding.rule for _, findings, _ in runs for finding in findings}
    numbers = {rule: number for number, rule in enumerate(rules)}
    results = [
        _result(finding, numbers[finding.rule.id], path, lines)
        for path, findings, lines in runs
        for finding in findings
    ]
    driver = {"name": "stream-playground", "rules": [_rule(rule) for rule in rules.values()]}
    run = {"tool": {"driver": driver}, "artifacts": [_artifact(path) for path, _, _ in runs], "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _artifact(path: str) -> dict[str, Any]:
    return {"location": {"uri": _address(path)}}


def _rule(rule: Rule) -> dict[str, Any]:
    links = [source for source in rule.source if source.startswith("https://")]
    clients = f" What the official clients do: {rule.clients}" if rule.clients else ""
    described = {
        "id": rule.id,
        "shortDescription": {"text": rule.says},
        "fullDescription": {"text": f"{rule.says} Expected: {rule.expected}.{clients}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": list(rule.where), "sources": list(rule.source)},
    }
    if links:
        described["helpUri"] = links[0]
    return described


def _result(finding: Finding, number: int, path: str, lines: Lines | None) -> dict[str, Any]:
    first, *others = finding.examples
    detail = f" ({first.detail})" if first.detail else ""
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": number,
        "level": _LEVELS[finding.rule.severity],
        "message": {"text": f"{finding.rule.says}{detail}"},
        "occurrenceCount": finding.count,
        "locations": [_location(first, path, lines)],
        "relatedLocations": [{"id": id, **_location(one, path, lines)} for id, one in enumerate(others, 1)],
    }


def _location(example: Example, path: str, lines: Lines | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _address(path)}}
    if lines is not None:
        physical["region"] = _region(example.start, example.end, lines)
    location: dict[str, Any] = {"physicalLocation": physical}
    if example.row is not None:
        location["logicalLocations"] = [{"name": f"row {example.row}", "kind": "row"}]
    return location


def _region(start: int | None, end: int | None, lines: Lines) -> dict[str, int]:
    """A finding about the whole body stands on the first line: code hosts want one."""
    if start is None or end is None:
        return {"startLine": 1}
    return {
        "startLine": lines.line(start),
        "endLine": lines.line(max(start, end - 1)),
        "byteOffset": start,
        "byteLength": end - start,
    }


def _address(path: str) -> str:
    return "stdin" if path == "-" else quote(path.replace("\\", "/"))
