"""A scripted model's mouth: what it says goes in, beats of updates come out, and the tokens are counted.

Scripts (scenarios.py) call it; performance.py begins and ends the answer around them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from playground.formats.interface import compact, usage_counts
from playground.formats.updates import END, LANE, Key, PartKind, Update
from playground.gateway import tokens
from playground.gateway.asking import Ask

_TOKENS_A_MESSAGE = 4


def prompt_tokens(ask: Ask) -> int:
    """What the model reads, in tokens."""
    return tokens.count(ask.seen) + _TOKENS_A_MESSAGE


class OutOfTokens(Exception):
    """The caller's limit is reached: the answer ends here."""


class Beat(NamedTuple):
    """Updates of one moment, and how many tokens' time passes before it."""

    updates: list[Update]
    tokens: int = 0


class Speaker:
    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.finish: str | None = None  # None: stop, or tool_calls when a tool was called
        self.failed = False
        self._begun = False
        self._open: Key = None
        self._cited: Key = None  # the running text's last citation
        self._parts = 0
        self._calls = 0
        self._searches = 0
        self._prompt = prompt_tokens(ask)
        self._spoken = 0
        self._reasoned = 0

    @property
    def format(self) -> str:
        """The model's native format."""
        return self.ask.model.native_format

    # What scripts say.

    def text(self, text: str) -> Iterator[Beat]:
        """A text."""
        yield from self._speak("text", "text", {}, text.rstrip("\n"))

    def refuse(self, text: str) -> Iterator[Beat]:
        """The model declines. Messages has no field for it: there the stop reason tells."""
        if self.format == "messages":
            yield from self.text(text)
            self.finish = "refusal"
        else:
            yield from self._speak("refusal", "text", {}, text.rstrip("\n"))

    def texts(self, pieces: Iterable[list[str]]) -> Iterator[Beat]:
        """A text whose pieces come in batches, each one moment."""
        key = self._key()
        yield self._part("text", key, {})
        for batch in pieces:
            left = len(batch) if self.ask.max_tokens is None else self.ask.max_tokens - self._spoken
            said = batch[:left]
            self._count(len(said))
            yield Beat([("append", key, "text", piece) for piece in said], len(said))
            if len(said) < len(batch):
                raise OutOfTokens

    def reason(self, text: str) -> Iterator[Beat]:
        """Reasoning, with the proof that the model's own format has for it."""
        fields: dict[str, Any] = {}
        if self.format == "chat":
            fields = {"summary": True, "format": "unknown"}
        elif self.format == "responses":
            fields = {"summary": True}
        before = self._spoken
        try:
            yield from self._speak("reasoning", "text", fields, text)
        finally:
            self._reasoned += self._spoken - before
        include = self.ask.body.get("include")
        if self.format == "messages":
            yield Beat([("set", self._open, "signature", self._opaque("signature"))])
        elif self.format == "responses" and isinstance(include, list) and "reasoning.encrypted_content" in include:
            yield Beat([("set", self._open, "encrypted", self._opaque("reasoning"))])

    def call(self, name: str, arguments: Any) -> Iterator[Beat]:
        """A call of a tool of the client; the arguments go out in pieces of their JSON text."""
        self._calls += 1
        prefix = "toolu_" if self.format == "messages" else "call_"
        fields = {"id": f"{prefix}{self.ask.digest[:20]}{self._calls:02d}", "name": name}
        yield from self._speak("tool_call", "arguments", fields, compact(arguments))

    def search(self, query: str, found: list[dict[str, Any]]) -> Iterator[Beat]:
        """A web search that the server runs: the query in pieces, then what was found."""
        self._searches += 1
        fields = {"id": f"srvtoolu_{self.ask.digest[:20]}{self._searches:02d}", "name": "web_search"}
        yield from self._speak("server_tool", "input", fields, compact({"query": query}))
        key = self._open
        yield Beat([("set", key, "query", query)])
        results: list[Update] = [("set", key, "found", found), ("set", key, "results", len(found))]
        yield Beat([*results, *self._closing()], 12)

    def cite(self, found: dict[str, Any], start: int, end: int, cited: str) -> Iterator[Beat]:
        """Say where code points `start` to `end` of the running text come from."""
        fields = {
            "type": "url_citation",
            "url": found["url"],
            "title": found["title"],
            "cited_text": cited,
            "encrypted_index": self._opaque(found["url"])[:24],
            "start_index": start,
            "end_index": end,
        }
        key, after = self._key(), self._cited or self._open
        self._cited = key
        yield Beat([("open", key, "citation", fields, after), ("close", key)])

    def extra(self, name: str, value: dict[str, Any]) -> Iterator[Beat]:
        """An extra object beside the answer."""
        key = self._key()
        yield Beat([*self._beginning(), ("open", key, "extra", {"name": name, "value": value}, END)])

    def fail(self, type: str, code: str | None, message: str) -> Iterator[Beat]:
        """The model gives up; nothing follows."""
        self.failed = True
        raw = {"type": type, "code": code, "message": message, "param": None}
        yield Beat([("open", self._key(), "error", {"message": message, "raw": raw}, END)], 1)

    # What performance.py says around them.

    def close(self) -> Iterator[Beat]:
        """What is still open ends, and why; then what it took."""
        yield Beat([*self._beginning(), *self._closing(), ("set", LANE, "finish", self._reason())])
        yield Beat([("set", LANE, "usage", self._usage())])

    def _reason(self) -> str:
        return self.finish or ("tool_calls" if self._calls else "stop")

    def _usage(self) -> dict[str, Any]:
        counts = usage_counts(
            {},
            input=self._prompt,
            output=max(1, self._spoken),
            reasoning=self._reasoned,
            cached=0,
            total=self._prompt + max(1, self._spoken),
        )
        return {**counts, "searches": self._searches}

    def _speak(self, kind: PartKind, field: str, fields: dict[str, Any], text: str) -> Iterator[Beat]:
        key = self._key()
        yield self._part(kind, key, fields)
        for piece in tokens.split(text):
            self._count(1)
            yield Beat([("append", key, field, piece)], 1)

    def _part(self, kind: PartKind, key: Key, fields: dict[str, Any]) -> Beat:
        """The beat that opens a part, the one before it closed."""
        before = [*self._beginning(), *self._closing()]
        self._open, self._cited = key, None
        return Beat([*before, ("open", key, kind, fields, END)])

    def _beginning(self) -> list[Update]:
        """The answer's head, once: models tell it as soon as they have read the prompt."""
        if self._begun:
            return []
        self._begun = True
        start = usage_counts({}, input=self._prompt, output=1, cached=0)
        return [("set", LANE, "role", "assistant"), ("set", LANE, "usage", start)]

    def _closing(self) -> list[Update]:
        key, self._open = self._open, None
        return [] if key is None else [("close", key)]

    def _key(self) -> int:
        self._parts += 1
        return self._parts

    def _count(self, count: int) -> None:
        limit = self.ask.max_tokens
        if limit is not None and self._spoken + count > limit:
            raise OutOfTokens
        self._spoken += count

    def _opaque(self, what: str) -> str:
        """Made-up bytes as base64: always the same for the same request."""
        digest = bytes.fromhex(self.ask.digest)
        return base64.b64encode(b"scripted:" + what.encode()[:12] + digest).decode()
