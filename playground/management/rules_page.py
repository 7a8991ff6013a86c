"""docs/rules.md out of the list of rules. Called by `manage.py rules` and by the test that keeps the two equal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from playground.lint.rule import Rule
from playground.lint.rules import RULES, SECTIONS
from playground.lint.thresholds import PREFIX, Thresholds, described

INTRODUCTION: Final = """\
# Rules

What can be wrong with a stream: {count} rules. This page is made from `playground/lint/rules.py` by
`manage.py rules > docs/rules.md`; a test keeps the two equal.

A finding is raised once for each rule and lane, and has all the rows that it was raised on. Four rules are general
and give way to a more specific one on their row: `unknown-field-line`, `invalid-json`, `missing-event-name`,
`missing-sequence-number`. A body that is no stream has its body-level finding and no other, but for those about
characters. What merely follows from an early end is not raised when an error ended the stream, nor when a person or
this server stopped it. Fields that a vendor adds are shown and are never a finding.
"""

ADDING: Final = """\
## Adding a rule

An entry in one of the tables `playground/lint/rules_*.py`, one place that raises it (`findings.add("the-rule", row,
"what was found")` in the judge of its format), a golden stream in `tests/streams/` that has it, and `manage.py rules
> docs/rules.md`.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION.format(count=len(RULES)), *_sections(), *_thresholds(), ADDING])


def _sections() -> Iterator[str]:
    for title, rules in SECTIONS.items():
        yield f"## {title}\n"
        for rule in rules:
            yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[str]:
    yield f"### {rule.id}\n"
    yield f"{rule.severity} · {rule.formats_told} · {rule.where_told}\n"
    yield f"{_escaped(rule.says)}\n"
    yield f"- Expected: {_escaped(rule.expected)}"
    if rule.clients:
        yield f"- Official clients: {_escaped(rule.clients)}"
    yield f"- Rests on: {', '.join(_link(text, address) for text, address in rule.links)}\n"


def _thresholds() -> Iterator[str]:
    yield "## Thresholds\n"
    yield f"How much is too much, unless a deployment says otherwise: `{PREFIX}STALL=5`, and so for each.\n"
    yield "| threshold | default | what it is |\n|---|---|---|"
    for name, value, says in described(Thresholds()):
        yield f"| `{name}` | {value:g} | {says} |"
    yield ""


def _link(text: str, address: str) -> str:
    if not address:
        return text
    return f"<{address}>" if text == address else f"[{text}]({address})"


def _escaped(text: str) -> str:
    """Text as Markdown shows it; backquotes stay, as they mark code."""
    return text.replace("<", "\\<").replace("*", "\\*")
