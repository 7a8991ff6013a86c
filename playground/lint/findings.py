"""The findings of one lane: one for each rule, with all the rows that it was raised on.

The judges add; pipeline.py takes what each step brought.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from playground.lint.rule import Rule, Severity
from playground.lint.rules import RULES
from playground.transcript import shown

EXAMPLES: Final = 20
"""So many occurrences of a finding keep their detail; of all others only the row is kept."""


class Place(Protocol):
    """Where something stands: the number of a row and its bytes. Rows are places."""

    @property
    def number(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


class Spot(NamedTuple):
    """The place of something that is kept longer than its row."""

    number: int
    start: int
    end: int


class Found(NamedTuple):
    """What a step added to a finding. `rows` are numbers, ascending; `start` and `end` are bytes of the decoded body.

    `start`, `end`, `part` and `detail` belong to the first occurrence; None and "" where there is nothing to point to.
    """

    rule: str
    severity: Severity
    rows: tuple[int, ...]
    start: int | None
    end: int | None
    part: int | None
    detail: str


class Example(NamedTuple):
    """One occurrence of a finding; `row` is None where it concerns the whole body."""

    row: int | None
    start: int | None
    end: int | None
    part: int | None
    detail: str


class Finding:
    """All occurrences of one rule. `rows` has each row once (4 bytes a row), `examples` the first occurrences."""

    __slots__ = ("count", "examples", "rows", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.count = 0
        self.rows = array("I")
        self.examples: list[Example] = []


class Findings:
    """In the order in which they were first raised. While `held`, nothing is told: the body may be no stream."""

    def __init__(self) -> None:
        self.held = True
        self._all: dict[str, Finding] = {}
        self._news: dict[str, tuple[int, Example]] = {}  # rule -> rows told before, first occurrence since

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._all.values())

    def __contains__(self, rule: str) -> bool:
        return rule in self._all

    def add(
        self,
        rule: str,
        place: Place | None = None,
        detail: str = "",
        *,
        part: int | None = None,
        span: tuple[int, int] | None = None,
    ) -> None:
        """One occurrence: on a row or without one, of a part, with what was found; `span` if it is not the row's."""
        finding = self._all.get(rule)
        if finding is None:
            finding = self._all[rule] = Finding(RULES[rule])
        finding.count += 1
        known = rule in self._news
        if known and len(finding.examples) >= EXAMPLES:
            if place is not None and (not finding.rows or finding.rows[-1] != place.number):
                finding.rows.append(place.number)
            return
        start, end = span or ((place.start, place.end) if place is not None else (None, None))
        example = Example(place.number if place is not None else None, start, end, part, shown(detail))
        if not known:
            self._news[rule] = (len(finding.rows), example)
        if len(finding.examples) < EXAMPLES:
            finding.examples.append(example)
        if place is not None and (not finding.rows or finding.rows[-1] != place.number):
            finding.rows.append(place.number)

    def forget(self, kept: frozenset[str]) -> None:
        """The body is no stream: only these rules may have findings."""
        self._all = {rule: finding for rule, finding in self._all.items() if rule in kept}
        self._news = {rule: news for rule, news in self._news.items() if rule in kept}

    def drop(self, rule: str) -> None:
        """What was raised turned out to be wrong. Only while nothing is told."""
        self._all.pop(rule, None)
        self._news.pop(rule, None)

    def take(self) -> list[Found]:
        """What came since the last time."""
        if self.held or not self._news:
            return []
        taken = []
        for rule, (before, example) in self._news.items():
            finding = self._all[rule]
            rows = tuple(finding.rows[before:])
            taken.append(Found(rule, finding.rule.severity, rows, *example[1:]))
        self._news = {}
        return taken
