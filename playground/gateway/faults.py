"""What goes wrong, or otherwise than usual, between writer and socket. Named by scenarios.py.

A Change sees events before they are bytes, a Fault the bytes on their way to the socket.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from playground.lens.interface import Event, Writer


class Moment(NamedTuple):
    """Events that are told together, and how many tokens' time passes before them."""

    events: list[Event]
    tokens: int = 0


class Piece(NamedTuple):
    """Bytes for the socket. `tokens` say how much time passes before them, by the caller's pace.

    To that come `wait`, seconds, and `pause`, the exact time of so many tokens. `alone`: what stands before is on the
    wire first. `cut`: the connection is dropped right behind them; what follows is said, but nobody hears it.
    """

    body: bytes
    tokens: int = 0
    wait: float = 0.0
    pause: int = 0
    alone: bool = False
    cut: bool = False


Change = Callable[[Iterator[Moment], Writer], Iterator[Moment]]
Fault = Callable[[Iterator[Piece], Writer], Iterator[Piece]]

_SECONDS_BETWEEN_HALVES = 0.004  # enough for the reader to come in between, on one machine
_PIECES_BEFORE_CUT = 48
_TOKENS_BETWEEN_KEEP_ALIVES = 8
_TOKENS_LATE = 300  # five seconds of the usual pace
_PIECES_BEFORE_STALL = 24
_TOKENS_STALLED = 300
_PIECES_BETWEEN_CUT_LINE_ENDS = 5


def halves(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """Every character of several bytes is cut: its first byte ends one write, the rest begins the next."""
    for piece in pieces:
        cuts = [at + 1 for at, byte in enumerate(piece.body) if byte >= 0xC0]
        if not cuts:
            yield piece
            continue
        yield piece._replace(body=piece.body[: cuts[0]])
        for start, end in zip(cuts, [*cuts[1:], len(piece.body)], strict=True):
            yield Piece(piece.body[start:end], wait=_SECONDS_BETWEEN_HALVES, alone=True)


def cut(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """The connection drops inside an event; inside the last one of an answer that is too short."""
    held = next(pieces, None)
    number = 0
    while held is not None:
        number += 1
        following = next(pieces, None)
        if following is None or number == _PIECES_BEFORE_CUT:
            edge = max(1, len(two_thirds(held.body)))
            yield held._replace(body=held.body[:edge], cut=True)
            yield Piece(held.body[edge:])
            if following is not None:
                yield following
                yield from pieces
            return
        yield held
        held = following


def two_thirds(body: bytes) -> bytes:
    """The beginning of a body whose rest is lost."""
    return body[: len(body) * 2 // 3]


def late(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """A long time before anything comes."""
    pause = _TOKENS_LATE
    for piece in pieces:
        yield piece._replace(pause=pause)
        pause = 0


def stall(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """A long silence in the middle."""
    for number, piece in enumerate(pieces):
        stalled = number == _PIECES_BEFORE_STALL
        yield piece._replace(pause=_TOKENS_STALLED, alone=True) if stalled else piece


def burst(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """All at once, when the model is done."""
    collected = list(pieces)
    tokens = sum(piece.tokens for piece in collected)
    yield Piece(b"".join(piece.body for piece in collected), tokens=1, pause=tokens)


def other_line_ends(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """CRLF; now and then one write ends with the CR and the next one begins with its LF."""
    for number, piece in enumerate(pieces):
        body = piece.body.replace(b"\n", b"\r\n")
        if number % _PIECES_BETWEEN_CUT_LINE_ENDS:
            yield piece._replace(body=body)
        else:
            yield piece._replace(body=body[:-1])
            yield Piece(body[-1:], wait=_SECONDS_BETWEEN_HALVES, alone=True)


def keep_alive(pieces: Iterator[Piece], writer: Writer) -> Iterator[Piece]:
    """Signs of life: three while the model waits for its turn, one now and then while it speaks."""
    ping = Piece(writer.keep_alive, _TOKENS_BETWEEN_KEEP_ALIVES, alone=True)
    since = 0
    begun = False
    for piece in pieces:
        if piece.tokens and not begun:
            begun = True
            yield from (ping, ping, ping)
        elif since >= _TOKENS_BETWEEN_KEEP_ALIVES:
            since = 0
            yield ping
        since += piece.tokens
        yield piece
