"""The corridor: a Read in, a Step out. Called by relay (live), recordings (kept) and `manage.py read`.

content coding undone -> rows -> updates -> operations; the same code for a live lane and for a recording.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from playground.coding import Coding
from playground.formats import FALLBACK, FORMATS, recognise
from playground.formats.body import Body, BodyKind, Document
from playground.formats.interface import Decoder, parse
from playground.formats.ollama import Ollama
from playground.latency import Latency
from playground.lint.findings import Finding, Found
from playground.lint.linter import Linter
from playground.lint.thresholds import Thresholds
from playground.reads import End, Head, Read, lane_word
from playground.sse.parser import Parser
from playground.sse.rows import Row
from playground.transcript import Operation, Transcript, said

HELD: Final = 1000
"""So many events may come before one tells the format; then the stream is read as FALLBACK."""


class Step:
    """One read and all it meant. Step 0 has `head`, the last one `end`.

    `size` is the number of body bytes of the read as they came, `offset` the length of the decoded body behind it,
    `time` in microseconds since the request was written, None when unknown. `findings`: new ones, and what came to
    those that are known. The last step also says what the `body` was, with `notes` about its content coding.
    """

    __slots__ = ("body", "end", "findings", "head", "notes", "number", "offset", "operations", "rows", "size", "time")

    def __init__(self, number: int, time: int | None, size: int, offset: int) -> None:
        self.number = number
        self.time = time
        self.size = size
        self.offset = offset
        self.rows: Sequence[Row] = ()
        self.operations: Sequence[Operation] = ()
        self.findings: Sequence[Found] = ()
        self.head: Head | None = None
        self.end: End | None = None
        self.body: BodyKind | None = None
        self.notes: Sequence[str] = ()


class Pipeline:
    """One lane's way from reads to steps. `format` is a name of FORMATS; None recognises it from the first events.

    With `lint` False there are no findings and no latency. `transcript`: an empty one that folds what was said.
    """

    def __init__(
        self,
        format: str | None,
        *,
        lint: bool = True,
        thresholds: Thresholds = Thresholds(),  # noqa: B008
        transcript: Transcript | None = None,
    ) -> None:
        self._given = format
        self._decoder: Decoder | None = FORMATS[format]() if format else None
        self._ollama: Ollama | None = None
        self._held: list[Row] = []
        self._coding = Coding("")
        self._parser = Parser()
        self._body = Body()
        self._number = 0
        self._offset = 0
        self._status: int | None = None
        self._end: End | None = None
        self.transcript = Transcript() if transcript is None else transcript
        self.latency = Latency()
        self.events = 0
        self._lint = Linter(self.transcript, self.latency, thresholds) if lint else None
        if self._lint and format:
            self._lint.recognised(format)

    @property
    def format(self) -> str:
        """The name of the format, as given or as recognised; "" while nothing was recognised."""
        reader = self._decoder or self._ollama
        return self._given or (reader.name if reader else "")

    @property
    def body_kind(self) -> BodyKind | None:
        """What the body is, None while that is open."""
        return self._body.kind

    @property
    def complete(self) -> bool:
        """The format's own end was reached."""
        if self._body.kind == "ndjson":
            return self._ollama is not None and self._ollama.complete
        return self._body.kind == "stream" and self._decoder is not None and self._decoder.complete

    @property
    def findings(self) -> list[Finding]:
        """What was found so far, one for each rule, in the order in which they were first raised."""
        return list(self._lint.findings) if self._lint else []

    @property
    def notes(self) -> list[str]:
        """A sentence for a person for everything that is odd about the body's content coding."""
        return self._coding.notes

    @property
    def word(self) -> str:
        """The one word that the lane shows. A whole JSON answer that came to its end has ended, stream or not."""
        whole = self._body.kind == "json" and self._end is not None and self._end.how == "closed"
        return lane_word(
            self._end,
            complete=self.complete or whole,
            failed=self.transcript.failed,
            status=self._status,
        )

    def said(self) -> dict[str, Any]:
        """What was said so far, in the shape of tests/streams/*/expect.json."""
        return {"format": self.format, **said(self.transcript, events=self.events, complete=self.complete)}

    def head(self, head: Head) -> Step:
        """The answer's head, or the request alone when none will come."""
        self._status = head.status
        self.latency.head = head.time
        self._coding = Coding(head.header("content-encoding"))
        step = Step(0, head.time, 0, 0)
        step.head = head
        return step

    def feed(self, read: Read) -> Step:
        self._number = read.number
        decoded = self._coding.feed(read.body)
        self._offset += len(decoded)
        step = Step(read.number, read.time, len(read.body), self._offset)
        step.rows = rows = self._parser.feed(decoded, read.number, read.time)
        step.operations = self._operations(decoded, rows)
        if self._lint:
            arrived = self.events + len(self._held)
            events = arrived - self.latency.events
            self.latency.read(read.time, self._offset, events, step.operations)
            step.findings = self._lint.read(self._parser, self._body.kind, rows, read.time, events)
        return step

    def end(self, end: End) -> Step:
        """The body is over: the tail, what was held back, and what is still open."""
        self._end = end
        if self._lint:
            self._lint.ending(end)
        decoded = self._coding.end()
        self._offset += len(decoded)
        step = Step(self._number + 1, end.time, 0, self._offset)
        rows = [*self._parser.feed(decoded, self._number, end.time), *self._parser.end()]
        step.rows = rows
        operations = self._operations(decoded, rows)
        operations += self._documents(self._body.end())
        if self._body.kind == "stream" and self._decoder is None:
            operations += self._decide(FALLBACK)
        reader = self._ollama or self._decoder
        if reader is not None:
            operations += self.transcript.apply(self._parser.count, reader.end())
        step.operations = operations
        self.latency.end(end.time)
        if self._lint:
            step.findings = self._lint.end(
                self._parser, self._body.kind, rows, end, answered=self._status is not None, complete=self.complete
            )
        step.end = end
        step.body = self._body.kind
        step.notes = self.notes
        return step

    def _operations(self, decoded: bytes, rows: Sequence[Row]) -> list[Operation]:
        operations: list[Operation] = []
        if self._body.kind != "stream":
            operations += self._documents(self._body.feed(decoded, rows))
            if not self._is_stream():
                self._lines(rows)
                return operations
        if self._decoder is not None:
            operations += self._stream(self._decoder, rows)
        else:
            operations += self._recognise(rows)
        return operations

    def _is_stream(self) -> bool:
        return self._body.kind == "stream"

    def _lines(self, rows: Sequence[Row]) -> None:
        """Rows of a body that may still turn out to be a stream."""
        if self._lint and self._body.kind in (None, "ndjson"):
            for row in rows:
                self._lint.line(row)

    def _stream(self, decoder: Decoder, rows: Sequence[Row]) -> list[Operation]:
        fold = self.transcript.fold
        event = decoder.event
        lint = self._lint
        judge = lint.judge.event if lint and lint.judge else None
        operations: list[Operation] = []
        events = 0
        for row in rows:
            if row.kind == "event":
                events += 1
                updates = event(row)
                if judge:
                    judge(row, updates)
            else:
                updates = decoder.line(row)
                if lint:
                    lint.line(row)
            if updates:
                fold(row.number, updates, operations)
        self.events += events
        return operations

    def _documents(self, documents: Sequence[Document]) -> list[Operation]:
        """Bodies that are no stream."""
        operations: list[Operation] = []
        for row, value in documents:
            if value is None:
                operations += self.transcript.apply(row, (("reset",),))
                self._ollama = None
                if self._lint:
                    self._lint.taken_back()
                continue
            updates = self._reader(value).document(value)
            if self._lint:
                self._lint.document(row, value, updates)
            self.transcript.fold(row, updates, operations)
        return operations

    def _reader(self, value: dict[str, Any]) -> Decoder | Ollama:
        """Who reads a document: Ollama's lines are in no person's choice of formats."""
        if self._body.kind == "ndjson" or Ollama.recognises(value):
            self._ollama = self._ollama or Ollama()
            return self._ollama
        if self._decoder is None:
            self._decoder = FORMATS[recognise(value, "") or FALLBACK]()
        return self._decoder

    def _recognise(self, rows: Sequence[Row]) -> list[Operation]:
        """Hold the rows that could say something until one of them tells the format."""
        for position, row in enumerate(rows):
            if row.kind != "event":
                if row.name == "error":
                    self._held.append(row)
                elif self._lint:
                    self._lint.line(row)
                continue
            self._held.append(row)
            value = parse(row.data)
            name = recognise(value, row.name) if isinstance(value, dict) else None
            if name or len(self._held) >= HELD:
                operations = self._decide(name or FALLBACK)
                assert self._decoder is not None
                return operations + self._stream(self._decoder, rows[position + 1 :])
        return []

    def _decide(self, format: str) -> list[Operation]:
        """The format is known from here on: read what was held."""
        decoder = self._decoder = FORMATS[format]()
        if self._lint:
            self._lint.recognised(format)
        held, self._held = self._held, []
        return self._stream(decoder, held)
