"""Findings about rows that say nothing of a format: lines, blocks without data, the tail, data that is no object.

Called by linter.py for rows that are no events, and by the judges for events whose data is no JSON object.
"""

from __future__ import annotations

import re
from typing import Final

from playground.formats.interface import parse
from playground.lint.findings import Findings
from playground.sse.rows import NOT_JSON, Row

LINE_END: Final = re.compile(r"\r\n|\r|\n")
BOM: Final = "\ufeff"
DONE: Final = "[DONE]"
SHOWN: Final = 80
"""So many characters of the wire a finding quotes."""


def quoted(text: str) -> str:
    """The beginning of what stands on the wire."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def line(findings: Findings, row: Row) -> None:
    """A row that is no event."""
    if row.kind == "ignored":
        findings.add(_ignored(row), row, quoted(row.data))
    elif row.kind == "block":
        if "event" in (name for name, _ in _lines(row.data)):
            findings.add("event-without-data", row, row.name)
    elif row.kind == "tail" and _is_unfinished(row.data):
        findings.add("unterminated-final-event", row, quoted(row.data))


def _ignored(row: Row) -> str:
    """The rule of an ignored line: the first that fits."""
    if row.name.startswith(BOM):
        return "bom-inside-stream"
    if row.name == "error":
        return "error-field"
    text = row.data.strip()
    if text == DONE:
        return "done-outside-data"
    if text.startswith("{"):
        return "json-outside-data"
    if row.name == "retry":
        return "invalid-retry"
    return "nul-in-id" if row.name == "id" else "unknown-field-line"


def _lines(text: str) -> list[tuple[str, bool]]:
    """(field name, whether the line has its end) of every line."""
    found = []
    lines = LINE_END.split(text)
    for position, one in enumerate(lines):
        whole = position < len(lines) - 1
        if one or whole:
            found.append((one.partition(":")[0], whole))
    return found


def _is_unfinished(tail: str) -> bool:
    """Whether a body that ends like this ends inside a block: with a field of it, or inside a line."""
    lines = _lines(tail)
    return any(name in {"data", "event"} or (name and not whole) for name, whole in lines)


def odd_data(findings: Findings, row: Row, done: str) -> None:
    """An event whose data is no JSON object. `done` is the rule for a [DONE] that is none of the format's own."""
    text = row.data
    bare = text.strip()
    if not bare:
        findings.add("empty-data", row)
    elif bare == DONE:
        findings.add(done, row, quoted(text))
    elif row.json is not NOT_JSON:
        findings.add("not-an-object", row, quoted(text))
    elif text.startswith("data:"):
        findings.add("double-data-prefix", row, quoted(text))
    elif text.startswith(":"):
        findings.add("comment-as-data", row, quoted(text))
    elif "\n" in text and all(_stands_alone(one) for one in text.split("\n")):
        findings.add("multiple-json-in-event", row, f"{text.count(chr(10)) + 1} lines")
    else:
        findings.add("invalid-json", row, quoted(text))


def _stands_alone(text: str) -> bool:
    return text.strip() == DONE or isinstance(parse(text), dict)
