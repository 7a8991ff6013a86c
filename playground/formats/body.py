"""What a body is: an event stream, one JSON document, JSON lines, a page, nothing. Called by pipeline.py.

Decoded bytes and the rows that the SSE reader found in them go in; out comes the kind, as early as it is certain, and
the JSON objects of a body that is no stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from playground.formats.interface import parse
from playground.sse.rows import Row

BodyKind = Literal["stream", "json", "ndjson", "html", "empty", "gzip-text"]

Document = tuple[int, dict[str, Any] | None]
"""(row, JSON object): the row that completed it. (row, None): all that was said before is taken back."""

_BOM: Final = b"\xef\xbb\xbf"
_BLANK: Final = b" \t\r\n\v\f"
_BRACE: Final = 0x7B
_SETTLED: Final = ("html", "gzip-text", "json", "empty")
_PAGES: Final = (b"<!doctype html", b"<html")
_GZIP_AS_TEXT: Final = b"\x1f\xef\xbf\xbd"  # 1F 8B, and the 8B replaced by U+FFFD


class Body:
    """One body. `kind` is None while it is open; "ndjson" is taken back when a line comes that is no object.

    Only a body whose first character is `{` stays open for long: it may be one object, lines of objects, or garbage
    before a stream. No line of an object or of lines of objects can be a field with a meaning, so such a line settles
    it, long before the end.
    """

    def __init__(self) -> None:
        self.kind: BodyKind | None = None
        self._kept = bytearray()  # what came, while it may be one object over several lines
        self._start = 0  # where the first character that is not blank stands in _kept
        self._braces = False  # that character is `{`
        self._whole = False  # the first line is no object: one object over several lines, or a stream
        self._objects = 0  # lines that are objects
        self._first: list[Document] = []  # the first of them, until the second one comes
        self._row = 0  # the row of the last line that is not blank

    def feed(self, decoded: bytes, rows: Sequence[Row]) -> list[Document]:
        """What a read says about the body. Not to be called once `kind` is "stream"."""
        if self.kind in _SETTLED:
            return []
        if not self._objects:
            self._kept += decoded
            if not self._braces:
                self._look()
        return self._lines(rows) if self._braces and rows else []

    def end(self) -> list[Document]:
        """The body is over: whatever is open is settled."""
        if self.kind is not None:
            return []
        documents: list[Document] = []
        if self._objects:
            documents = self._first
        elif self._braces:
            value = parse(self._kept.decode("utf-8", "replace").removeprefix("\ufeff"))
            documents = [(self._row, value)] if isinstance(value, dict) else []
        if documents:
            self.kind = "json"
        else:
            self.kind = "stream" if self._prefix() else "empty"
        self._kept.clear()
        return documents

    def _prefix(self) -> bytes:
        """The bytes from the first one that says something."""
        kept = self._kept
        if self._start == 0 and kept.startswith(_BOM):
            self._start = len(_BOM)
        while self._start < len(kept) and kept[self._start] in _BLANK:
            self._start += 1
        return bytes(kept[self._start : self._start + 16])

    def _look(self) -> None:
        """Settle what its first bytes settle."""
        kept = self._kept
        if len(kept) < len(_BOM) and _BOM.startswith(kept):
            return
        prefix = self._prefix().lower()
        if not prefix:
            return
        if prefix[0] == _BRACE:
            self._braces = True
        elif prefix.startswith(_PAGES):
            self.kind = "html"
        elif prefix.startswith(_GZIP_AS_TEXT):
            self.kind = "gzip-text"
        elif not any(whole.startswith(prefix) for whole in (*_PAGES, _GZIP_AS_TEXT)):
            self.kind = "stream"
        if self.kind is not None:
            kept.clear()

    def _lines(self, rows: Sequence[Row]) -> list[Document]:
        """The rows of a body that starts with `{`."""
        for row in rows:
            if row.kind in ("event", "block") or (row.kind == "ignored" and row.name == "error"):
                return self._stream(row.number)
        documents: list[Document] = []
        for row in rows:
            if not row.data.strip() and row.kind != "comment":
                continue
            self._row = row.number
            if self._whole:
                continue
            value = parse(row.data) if row.kind != "comment" else None
            if isinstance(value, dict):
                self._objects += 1
                documents.append((row.number, value))
            elif self._objects:
                return self._stream(row.number)
            else:
                self._whole = True
        if self._objects == 1:
            self._first += documents
            self._kept.clear()
        elif self._objects:
            self.kind = "ndjson"
            documents = self._first + documents
            self._first = []
        return documents if self.kind == "ndjson" else []

    def _stream(self, row: int) -> list[Document]:
        taken_back: list[Document] = [(row, None)] if self.kind == "ndjson" else []
        self.kind = "stream"
        self._kept.clear()
        return taken_back
