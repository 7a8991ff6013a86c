"""One format's wire, read again: bytes -> updates for another format's writer. Used for scripted and routed models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from playground.formats import FORMATS
from playground.formats.updates import END, Update
from playground.lens import WRITERS
from playground.lens.encoding import encode
from playground.lens.interface import Loss, Writer
from playground.sse.parser import Parser
from playground.sse.rows import Row


class WireReader:
    """An event stream of `format`, read as it comes."""

    def __init__(self, format: str) -> None:
        self._parser = Parser()
        self._decoder = FORMATS[format]()
        self._reads = 0

    @property
    def complete(self) -> bool:
        """The format's own end was reached."""
        return self._decoder.complete

    def feed(self, body: bytes) -> list[Update]:
        self._reads += 1
        return self._updates(self._parser.feed(body, self._reads, None))

    def document(self, value: dict[str, Any]) -> Sequence[Update]:
        """The whole body was one JSON object."""
        return [*self._decoder.document(value), *self._decoder.end()]

    def end(self) -> list[Update]:
        """The body is over."""
        return [*self._updates(self._parser.end()), *self._decoder.end()]

    def _updates(self, rows: Iterable[Row]) -> list[Update]:
        updates: list[Update] = []
        for row in rows:
            updates += self._decoder.event(row) if row.kind == "event" else self._decoder.line(row)
        return updates


class NativeWire:
    """What a model says, put on the wire of its own format and read from there, so that nothing is kept that the wire
    cannot carry. `writer` is the one that the caller gets to see."""

    def __init__(self, format: str, writer: Writer) -> None:
        self._writer = WRITERS[format](id=writer.id, model=writer.model, created=writer.created)
        self._reader = WireReader(format)

    @property
    def complete(self) -> bool:
        return self._reader.complete

    @property
    def lost(self) -> list[Loss]:
        return self._writer.lost

    def passed(self, updates: Sequence[Update]) -> list[Update]:
        """Extra objects are the gateway's own, not the model's: they go by."""
        model = [update for update in updates if not _is_extra(update)]
        extras: list[Update] = [
            ("open", ("gateway", update[1]), "extra", update[3], END)
            for update in updates
            if update[0] == "open" and _is_extra(update)
        ]
        return [*extras, *self._reader.feed(b"".join(map(encode, self._writer.feed(model))))]

    def end(self) -> list[Update]:
        """The model is done: what its format says last."""
        last = self._reader.feed(b"".join(map(encode, self._writer.end())))
        return [*last, *self._reader.end()]


def _is_extra(update: Update) -> bool:
    return update[0] == "open" and update[2] == "extra"
