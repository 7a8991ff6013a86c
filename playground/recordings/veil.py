"""What a share leaves out: parts of the request wherever they stand, the wire included. Used by replay.py.

The request goes through request(), the answer through head(), feed() and once end(), as through a Mask. Every byte that
is left out becomes filler, so spans, sizes and times hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from playground.reads import Head
from playground.recordings.filling import STAR, Filler, Path
from playground.recordings.masking import Mask
from playground.recordings.plain import Plain
from playground.recordings.wire_veil import WireVeil

PARTS: Final = ("system", "tools", "headers", "body")
"""What can be left out as a whole: system text, tools, the request's headers, the whole request body."""

SHORTEST_TEXT: Final = 3
MOST_TEXTS: Final = 50

_SYSTEM: Final = {"system", "instructions", "prompt", "system_instruction", "systemInstruction"}
_TOOLS: Final = {"tools", "tool_choice", "functions", "function_call", "mcp_servers"}
_SYSTEM_ROLES: Final = {"system", "developer"}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`parts` out of PARTS; `texts` are left out wherever they stand, however they are escaped."""

    parts: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts or self.texts)

    @property
    def words(self) -> list[str]:
        """As a page is told of it."""
        return [*sorted(self.parts), *(["texts"] if self.texts else [])]

    @property
    def of_body(self) -> frozenset[str]:
        """What of the request's body must not be seen in the answer either."""
        return frozenset({"system", "tools", "body"} if "body" in self.parts else self.parts & {"system", "tools"})


NOTHING: Final = LeftOut()


def left_out(parts: Iterable[str], texts: Iterable[str]) -> LeftOut:
    """Raises ValueError with a sentence for a person."""
    wanted = frozenset(part for part in parts if part)
    if not wanted <= set(PARTS):
        raise ValueError(f"What can be left out is {', '.join(PARTS)}.")
    lines = tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
    if len(lines) > MOST_TEXTS:
        raise ValueError(f"At most {MOST_TEXTS} texts can be left out.")
    if any(len(line) < SHORTEST_TEXT for line in lines):
        raise ValueError(f"A text to leave out has at least {SHORTEST_TEXT} characters; write more of it.")
    return LeftOut(wanted, lines)


class Veil:
    """One lane's way past what is left out."""

    def __init__(self, without: LeftOut) -> None:
        self._without = without
        self._texts = Mask(marked=without.texts, shapes=False)
        self._plain = Plain()
        self._wire = WireVeil(without.of_body)

    def text(self, text: str) -> str:
        """A title, an address, a sentence."""
        return self._texts.text(text)

    def title(self, title: str, is_asked: bool) -> str:
        """A session's title; none when it was made of a request (`is_asked`) that is left out."""
        return "" if is_asked and "body" in self._without.parts else self.text(title)

    def request(self, head: Head) -> Head:
        """The request as it may be seen."""
        head = self._texts.request(head)
        if "headers" in self._without.parts:
            head = replace(head, request_headers=())
        if "body" in self._without.parts:
            return replace(head, request_body=b"")
        wanted = self._without.of_body
        return replace(head, request_body=_veiled_body(head.request_body, wanted) if wanted else head.request_body)

    def head(self, head: Head) -> Head:
        """The answer's head as it may be seen; the body is decoded from here on."""
        if not self._without:
            return head
        return self._texts.head(replace(head, headers=self._plain.head(head)))

    def feed(self, body: bytes) -> bytes:
        if not self._without:
            return body
        return self._wire.feed(self._texts.feed(self._plain.feed(body)))

    def end(self) -> bytes:
        """What was held back, when the body is over."""
        if not self._without:
            return b""
        return self._wire.feed(self._texts.feed(self._plain.end()) + self._texts.end())


def _veiled_body(body: bytes, parts: frozenset[str]) -> bytes:
    """A request body without these parts; one that cannot be understood is left out whole."""
    try:
        value = json.loads(body.decode("utf-8-sig"), object_pairs_hook=_once)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return STAR * len(body)
    hidden = set(_hidden_paths(value, parts))
    return Filler(hidden.__contains__).feed(body)


def _hidden_paths(value: dict[str, Any], parts: frozenset[str]) -> Iterable[Path]:
    names = (_SYSTEM if "system" in parts else set()) | (_TOOLS if "tools" in parts else set())
    yield from ((name,) for name in names)
    if "system" not in parts:
        return
    for name in ("messages", "input"):
        said: Sequence[Any] = value[name] if isinstance(value.get(name), list) else ()
        for index, message in enumerate(said):
            if isinstance(message, dict) and message.get("role") in _SYSTEM_ROLES:
                yield name, index, "content"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are each there once: with a name twice nobody can say which one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name twice")
    return found
