"""Bytes in pieces as the inside of a JSON string, in pieces: text, or base64. Used by har.py and page.py."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterable, Iterator

from playground.messages import encode


def json_text_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """For UTF-8; a character may be cut between two pieces. Raises UnicodeDecodeError for what is none."""
    utf8 = codecs.getincrementaldecoder("utf-8")()
    for piece in pieces:
        yield encode(utf8.decode(piece))[1:-1].encode()
    yield encode(utf8.decode(b"", True))[1:-1].encode()


def base64_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    held = b""
    for piece in pieces:
        held += piece
        whole = len(held) // 3 * 3
        yield base64.b64encode(held[:whole])
        held = held[whole:]
    yield base64.b64encode(held)
