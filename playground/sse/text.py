"""Bytes to text: bad UTF-8 becomes U+FFFD, one per maximal subpart, and its places are remembered.

The parser hands over whole lines or values: their neighbours are ASCII, so no character lies across two of them and
decoding one by one gives what one decoder over the whole body would give.
https://encoding.spec.whatwg.org/#utf-8-decoder
"""

from __future__ import annotations

from codecs import utf_8_decode
from typing import Final

SPANS_KEPT: Final = 64
WINDOW: Final = 256
REPLACEMENT: Final = "\ufffd"
REPLACEMENT_BYTES: Final = REPLACEMENT.encode()


class Text:
    """The decoder of one body. `invalid` counts what was replaced, `invalid_spans` has the first SPANS_KEPT places.

    A span is (start, end) in byte offsets of the body and covers what one U+FFFD stands for: one to three bytes.
    """

    __slots__ = ("invalid", "invalid_spans")

    def __init__(self) -> None:
        self.invalid = 0
        self.invalid_spans: list[tuple[int, int]] = []

    def decode(self, raw: bytes, at: int) -> str:
        """The text of `raw`, which stands at byte `at` of the body."""
        try:
            return raw.decode()
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "replace")
            # A U+FFFD that was sent is three bytes which mean nothing else wherever they stand.
            self.invalid += text.count(REPLACEMENT) - raw.count(REPLACEMENT_BYTES)
            self._remember(raw, at)
            return text

    def _remember(self, raw: bytes, at: int) -> None:
        """Window by window, because an error holds a copy of all that was to be decoded."""
        position = 0
        while position < len(raw) and len(self.invalid_spans) < SPANS_KEPT:
            window = raw[position : position + WINDOW]
            try:
                position += utf_8_decode(window, "strict", position + WINDOW >= len(raw))[1]
            except UnicodeDecodeError as error:
                self.invalid_spans.append((at + position + error.start, at + position + error.end))
                position += error.end
