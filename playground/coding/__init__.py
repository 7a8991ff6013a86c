"""Content coding undone as the bytes come: what a read brought in, the bytes that were meant out. Used by pipeline.py.

Nothing here raises: what is odd becomes a sentence in `Coding.notes`, and what was decoded until then stands.
https://www.rfc-editor.org/rfc/rfc9110#name-content-codings
"""

from __future__ import annotations

from typing import Final

from playground.coding.engines import Engine, engine, is_whole, why_unknown

LIMIT: Final = 1 << 30
LAYERS: Final = 5

MAGIC: Final = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
ALIASES: Final = {"x-gzip": "gzip"}

# deflate and br have no magic: as many bytes of plain ASCII at the start are taken for text.
FIRST_BYTES: Final = 16
TEXT: Final = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))


class Coding:
    """Undoes what a Content-Encoding header names, the last one first; with an empty header what the bytes betray.

    `limit` is how many decoded bytes there may be in all; what is above is left out. `notes` has a sentence for a
    person for everything that was not as the header said.
    """

    def __init__(self, header_value: str, limit: int = LIMIT) -> None:
        self.notes: list[str] = []
        words = [word.strip().lower() for word in header_value.split(",")]
        codings = [ALIASES.get(word, word) for word in words if word not in {"", "identity"}]
        if len(codings) > LAYERS:
            self.notes.append(f"The body is said to be encoded {len(codings)} times over; it is shown as it came.")
            self._layers = []
        elif codings:
            self._layers = [Layer(coding, limit, self.notes) for coding in reversed(codings)]
        else:
            self._layers = [Layer("", limit, self.notes)]

    def feed(self, body: bytes) -> bytes:
        """The decoded bytes that these complete, maybe none."""
        if self._layers:
            for layer in self._layers:
                body = layer.feed(body)
            self._layers = [layer for layer in self._layers if not layer.passes]
        return body

    def end(self) -> bytes:
        """The body is over: what was still held back."""
        body = b""
        for layer in self._layers:
            body = layer.feed(body) + layer.end()
        self._layers = []
        return body


class Layer:
    """One coding of a body, once its first bytes have shown whether it is there. `passes`: nothing is to be undone."""

    def __init__(self, coding: str, limit: int, notes: list[str]) -> None:
        self.passes = False
        self._coding = coding
        self._limit = self._room = limit
        self._notes = notes
        self._held = b""
        self._engine: Engine | None = None
        self._over = False

    def feed(self, raw: bytes) -> bytes:
        if self.passes:
            return raw
        if self._engine is None:
            raw = self._held + raw
            self._held = b""
            if not self._decide(raw, whole=False):
                self._held = raw
                return b""
        return self._undo(raw)

    def end(self) -> bytes:
        raw, self._held = self._held, b""
        if raw:
            self._decide(raw, whole=True)
        decoded = self._undo(raw)
        if self._engine and not self._over and not self._engine.finished:
            self._notes.append(f"The {self._coding} body breaks off before its end.")
        return decoded

    def _decide(self, raw: bytes, *, whole: bool) -> bool:
        """Whether these first bytes were enough to tell what the body is."""
        said = self._coding
        coding = recognise(said, raw, whole=whole)
        if coding is None:
            return False
        if coding:
            self._coding = coding
            self._engine = engine(coding, raw)
        self.passes = self._engine is None
        if coding and self.passes:
            self._notes.append(f"The body is encoded as {coding}, {why_unknown(coding)}; it is shown as it came.")
        elif coding and not said:
            self._notes.append(f"The body is {coding}, although no content-encoding says so; it was undone.")
        elif said and not coding:
            self._notes.append(f"The content-encoding says {said}, but the body is not; it is shown as it came.")
        return True

    def _undo(self, raw: bytes) -> bytes:
        if self.passes:
            return raw
        if self._engine is None or self._over:
            return b""
        pieces = []
        bite = self._engine.bite
        for start in range(0, len(raw), bite):
            decoded, fault = self._engine.undo(raw[start : start + bite], self._room)
            self._room -= len(decoded)
            if self._room < 0:
                decoded = decoded[: self._room]
                self._stop(f"The body decodes to more than {self._limit:,} bytes; the rest is left out.")
            elif fault == "damaged":
                self._stop(f"The {self._coding} body is damaged; what was decoded until there is shown.")
            elif fault == "more":
                self._stop(f"Bytes stand behind the end of the {self._coding} body; they are left out.")
            pieces.append(decoded)
            if self._over:
                break
        return b"".join(pieces)

    def _stop(self, note: str) -> None:
        self._over = True
        self._notes.append(note)


def recognise(said: str, first: bytes, *, whole: bool) -> str | None:
    """The coding of a body with these first bytes, `said` to be in one: "" for none, None while there are too few.

    It waits for as many bytes as it needs, so that the answer is the same however the body is cut.
    """
    if said in {"deflate", "br"}:
        if len(first) < FIRST_BYTES and not whole:
            return None
        is_text = TEXT.issuperset(first[:FIRST_BYTES])
        return said if not is_text or (whole and is_whole(said, first)) else ""
    if said and said not in MAGIC:
        return said
    for coding in [said] if said else MAGIC:
        if first.startswith(MAGIC[coding]):
            return coding
        if MAGIC[coding].startswith(first) and not whole:
            return None
    return ""
