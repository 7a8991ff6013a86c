"""One lane's linter: rows, updates, bodies and the end go in, findings come out. Called by pipeline.py.

It sees everything and changes nothing that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.formats.body import BodyKind
from playground.latency import Latency
from playground.lint import sse
from playground.lint.chat import ChatJudge
from playground.lint.checks import Pace, judge_sums
from playground.lint.findings import Findings, Found, Spot
from playground.lint.halves import Halves
from playground.lint.judge import Judge
from playground.lint.messages import MessagesJudge
from playground.lint.responses import ResponsesJudge
from playground.lint.thresholds import Thresholds
from playground.reads import End
from playground.sse.parser import Parser
from playground.sse.rows import Row
from playground.transcript import Transcript

JUDGES: Final[dict[str, type[Judge]]] = {"chat": ChatJudge, "messages": MessagesJudge, "responses": ResponsesJudge}
"""Adding a format costs a line here."""

_BODIES: Final[dict[BodyKind, str]] = {
    "json": "not-sse-json",
    "ndjson": "not-sse-ndjson",
    "html": "not-sse-html",
    "empty": "empty-body",
    "gzip-text": "compressed-body-corrupted",
}
_OF_CHARACTERS: Final = frozenset({"invalid-utf8", "split-surrogate-pair", "lone-surrogate"})
"""These may stand beside a body that is no stream."""

_OWN_ENDS: Final = frozenset({"stopped", "limit", "interrupted"})
"""Ends that are not the upstream's: nothing is missing because of it."""


class Linter:
    """`findings` has what was found so far, one for each rule."""

    def __init__(self, transcript: Transcript, latency: Latency, thresholds: Thresholds) -> None:
        self.findings = Findings()
        self.judge: Judge | None = None
        self._transcript = transcript
        self._latency = latency
        self._thresholds = thresholds
        self._halves = Halves(self.findings, transcript)
        self._pace = Pace(self.findings, thresholds)
        self._format = ""
        self._invalid = 0  # places of bad UTF-8 that were told
        self._errors: list[Spot] = []  # documents with an error
        self._own_end = False

    def recognised(self, format: str) -> Judge:
        """The format is known: who judges its events."""
        self._format = format
        self.judge = JUDGES[format](self.findings, self._transcript, self._halves)
        return self.judge

    def line(self, row: Row) -> None:
        """A row that is no event."""
        if row.kind == "comment" or (row.kind == "tail" and self._own_end):
            return
        sse.line(self.findings, row)
        if row.kind == "ignored" and row.name == "error" and row.data.partition(":")[2].strip():
            self.findings.add("error-in-stream", row, sse.quoted(row.data))
            if self.judge:
                self.judge.failed()

    def document(self, row: int, value: dict[str, Any], updates: Sequence[Any]) -> None:
        """An object of a body that is no stream, and what it changes."""
        place = Spot(row, 0, 0)
        self._halves.look(place, updates)
        if value.get("error"):
            self._errors.append(place)

    def taken_back(self) -> None:
        """The documents were no documents: the body is a stream."""
        self._errors = []
        self._halves = Halves(self.findings, self._transcript)
        self.findings.drop("split-surrogate-pair")

    def read(
        self, parser: Parser, kind: BodyKind | None, rows: Sequence[Row], time: int | None, events: int
    ) -> list[Found]:
        """A read is over: its rows and how many events it brought. Answers with what it added."""
        if kind == "stream" and self.findings.held:
            self.findings.held = False
            if parser.leading_bom:
                self.findings.add("leading-bom", span=(0, 3))
        elif kind in ("html", "gzip-text") and self.findings.held:
            self._no_stream(kind)
        if parser.text.invalid:
            self._undecodable(parser, rows)
        if events and time is not None and self._latency.timed:
            self._pace.read(time, rows, events)
        return self.findings.take()

    def ending(self, end: End) -> None:
        """How the body ends, before the last rows come."""
        self._own_end = end.how in _OWN_ENDS

    def end(
        self, parser: Parser, kind: BodyKind | None, rows: Sequence[Row], end: End, *, answered: bool, complete: bool
    ) -> list[Found]:
        """The body is over. `rows` are the last ones, `answered`: there was an answer to have a body."""
        self._undecodable(parser, rows)
        for span in parser.text.invalid_spans[self._invalid :]:
            self.findings.add("invalid-utf8", span=span)
        if kind != "stream":
            nothing = kind == "empty" and (self._own_end or not answered)
            if self.findings.held and not nothing:
                self._no_stream(kind)
            return self.findings.take()
        self.findings.held = False
        if parser.leading_bom and "leading-bom" not in self.findings:
            self.findings.add("leading-bom", span=(0, 3))
        self._line_ends(parser)
        self._halves.end()
        if self.judge:
            self.judge.end(early=self._own_end)
        self._pace.end(self._latency, end, complete=complete)
        judge_sums(
            self.findings, self._transcript, self._thresholds, self._format, self.judge.usage if self.judge else None
        )
        return self.findings.take()

    def _undecodable(self, parser: Parser, rows: Sequence[Row]) -> None:
        """Each place once, on the row that it lies in; a place whose row is not there yet waits."""
        for start, end in parser.text.invalid_spans[self._invalid :]:
            row = next((row for row in rows if row.start <= start < row.end), None)
            if row is None:
                return
            self._invalid += 1
            self.findings.add("invalid-utf8", row, f"{end - start} bytes", span=(start, end))

    def _line_ends(self, parser: Parser) -> None:
        ends = parser.line_ends
        used = [name for name, count in zip(("LF", "CRLF", "CR"), ends, strict=True) if count]
        if len(used) > 1:
            self.findings.add("mixed-line-endings", None, ", ".join(used))
        elif used == ["CR"]:
            self.findings.add("cr-line-endings", None, f"{ends.cr} lines")

    def _no_stream(self, kind: BodyKind | None) -> None:
        """The body-level finding replaces all others, but for those about characters."""
        self.findings.held = False
        self.findings.forget(_OF_CHARACTERS)
        self._halves.end()
        if kind is None:
            return
        self.findings.add(_BODIES[kind])
        if self._errors and kind == "json":
            self.findings.add("error-body", self._errors[0])
        for place in self._errors if kind == "ndjson" else ():
            self.findings.add("error-in-stream", place)
