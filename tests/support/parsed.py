"""Bodies through the SSE parser, and its answer beside that of the slow reader."""

from __future__ import annotations

from collections.abc import Iterable

from playground.sse.parser import Parser
from playground.sse.rows import Row
from playground.sse.text import SPANS_KEPT
from tests.support import slow_sse
from tests.support.slow_sse import Found


def fed(pieces: Iterable[bytes]) -> tuple[Parser, list[Row]]:
    """The parser after its end and all its rows; read n of these has n as its number and n ms as its time."""
    parser = Parser()
    rows: list[Row] = []
    for number, piece in enumerate(pieces, start=1):
        rows += parser.feed(piece, number, number * 1000)
    rows += parser.end()
    return parser, rows


def found(*pieces: bytes) -> list[Found]:
    """The rows without what depends on the reads."""
    return [Found(row.number, row.kind, row.start, row.end, row.name, row.data, row.id) for row in fed(pieces)[1]]


def judge(body: bytes, *cuttings: list[bytes]) -> None:
    """All that a parser says of any cutting must be what the slow reader says of the whole body."""
    rows = slow_sse.read(body)
    line_ends = slow_sse.line_ends(body)
    spans = slow_sse.invalid_spans(body)
    for pieces in cuttings:
        assert b"".join(pieces) == body
        assert found(*pieces) == rows
        parser, _ = fed(pieces)
        assert parser.count == len(rows)
        assert parser.line_ends == line_ends
        assert parser.leading_bom == body.startswith(b"\xef\xbb\xbf")
        assert parser.text.invalid == len(spans)
        assert parser.text.invalid_spans == spans[:SPANS_KEPT]
