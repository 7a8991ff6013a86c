"""What an answer tells again of the request, by the name and the place of a value. Used by wire_veil.py."""

from __future__ import annotations

import re
from typing import Final

from playground.recordings.filling import Path

_SYSTEM: Final = frozenset({"instructions", "system", "system_instruction", "systeminstruction"})
_TOOLS: Final = frozenset({"tools", "tool_choice", "functions", "mcp_servers"})
_BODY: Final = frozenset(
    {"metadata", "prompt", "prompt_cache_key", "safety_identifier", "user", "previous_response_id"}
)
_REQUEST: Final = frozenset({"request", "request_body", "echo_upstream_body"})
"""The whole request, as some gateways send it back."""

_ASKED: Final = frozenset({"input", "messages"})
"""What was asked, system messages included, in an answer's own object."""

_SPOKEN: Final = frozenset({"input", "arguments", "content"})
"""Below these names the model speaks: `instructions` in the arguments of a call are none of the request's."""

_BORN: Final = frozenset(
    {
        *("id", "object", "type", "status", "model", "created", "created_at", "completed_at", "error", "usage"),
        *("incomplete_details", "output", "output_text", "service_tier", "cost", "provider"),
    }
)
"""What is a response's own: with the request's body goes all else that it holds."""

_ESCAPED: Final = rb"\\u00[4-7]|\\u(?![0-9a-f]{4})"
"""A name may be written with escapes; other characters than these are in none. What is no escape breaks the JSON."""

_PLAIN: Final = re.compile(r"[\w.$-]*")


class Places:
    """Where a pattern stands in some bytes, asked for further and further back: all of them are searched once."""

    def __init__(self, pattern: re.Pattern[bytes] | None, body: bytes) -> None:
        self._pattern = pattern
        self._body = body
        self._next = len(body) if pattern is None else -1

    def behind(self, start: int) -> int:
        """The first place from `start` on; the end of the bytes when there is none."""
        if self._next < start and self._pattern is not None:
            found = self._pattern.search(self._body, start)
            self._next = len(self._body) if found is None else found.start()
        return self._next


class Echoes:
    """`parts`: of system, tools and body."""

    def __init__(self, parts: frozenset[str]) -> None:
        self.parts = parts
        self._anywhere = (_SYSTEM if "system" in parts else frozenset()) | (_TOOLS if "tools" in parts else frozenset())
        self._body = "body" in parts
        names = set(self._anywhere | _REQUEST)
        if self.parts & {"system", "body"}:
            names |= _ASKED
        if self._body:
            names |= _BODY
        named = rf"(?<![a-z0-9_])(?:{'|'.join(sorted(names))})(?![a-z0-9_])"
        self._named = re.compile(named, re.I)
        # Most types of events begin with `response.`: that is no name.
        response = rb"|response(?![a-z0-9_.])" if self._body else b""
        self._needles = re.compile(rb"%s|%s%s" % (_ESCAPED, named.encode(), response), re.I)
        self._words = [b"\\u", *(name.encode() for name in names), *([b"response"] if self._body else [])]

    def places(self, body: bytes) -> Places:
        """Where in these bytes one of the names may stand, in JSON or nearly JSON."""
        lowered = body.lower().replace(b"response.", b"")
        # Looking for each word is some times as fast as the pattern, and there is seldom one.
        return Places(self._needles if any(word in lowered for word in self._words) else None, body)

    def hides(self, path: Path, opens: bytes, is_document: bool) -> bool:
        """Whether the value at that path is an echo; it opens with that byte, `is_document`: of a whole body."""
        name = str(path[-1]).lower()
        above = path[:-1]
        is_spoken = not _SPOKEN.isdisjoint(above)
        if not _PLAIN.fullmatch(name) and self._named.search(name) and not is_spoken:
            # Such a name is what a lost quote makes of two.
            return True
        if name in self._anywhere and not is_spoken:
            return True
        if name in _REQUEST and not is_spoken:
            return True
        if name in _ASKED and self.parts & {"system", "body"} and self._is_of_answer(above):
            # `input` is also what the model says to a tool, in an event of its own, as a string.
            return name == "messages" or bool(above) or is_document or opens in b"{["
        if not self._body:
            return False
        if above == ("response",):
            return name not in _BORN
        if not above:
            return name in _BODY
        # Of a response that is the whole body, `text` is its form; at the same place an event tells what was said.
        return path == ("text", "format")

    def _is_of_answer(self, above: Path) -> bool:
        return above in {(), ("response",)}
