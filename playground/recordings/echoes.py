"""What an answer tells again of the request, by the name and the place of a value. Used by wire_veil.py."""

from __future__ import annotations

import re
from itertools import dropwhile
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
"""What was asked, system messages included; errors quote it at any depth."""

_AT_TOP: Final = {"system": frozenset({"body"}), "tools": frozenset({"body", "function_call"})}
"""The same names stand deeper for something else: `function_call` in a delta is a call."""

_SPEAKERS: Final = frozenset(
    {"content_block", "item", "output", "content", "part", "delta", "choices", "tool_calls", "moderation", "usage"}
)
"""Below these names `input` is what the model gives to a tool, or a count."""

_SPOKEN_INPUT: Final = b"response.custom_tool_call_input.done"
"""An event with what the model gives to a tool at its top."""

_SPOKEN: Final = frozenset({"input", "arguments", "content"})
"""Below these names the model speaks: `instructions` in the arguments of a call are none of the request's."""

_BORN: Final = frozenset(
    {
        *("id", "object", "type", "status", "model", "created", "created_at", "completed_at", "error", "usage"),
        *("incomplete_details", "output", "output_text", "service_tier", "cost", "provider"),
    }
)
"""What is a response's own: with the request's body goes all else that it holds."""

_ESCAPED: Final = rb"""\\(?:u00[4-7]|u(?![0-9a-f]{4})|[^"\\/bfnrtu])"""
"""A name may be written with escapes; other characters than these are in none. What is no escape breaks the JSON."""

_ESCAPE: Final = re.compile(_ESCAPED)

_PLAIN: Final = re.compile(r"[\w.$-]*")
_ODD: Final = re.compile(r"[^\w.$-]")


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
        self._at_top = frozenset[str]().union(*(_AT_TOP.get(part, frozenset()) for part in parts))
        names = set(self._anywhere | _REQUEST)
        self._asked = bool(self.parts & {"system", "body"})
        if self._asked:
            names |= _ASKED
        if self._body:
            names |= _BODY
        names |= self._at_top
        named = rf"(?<![a-z0-9_])(?:{'|'.join(sorted(names))})(?![a-z0-9_])"
        self._named = re.compile(named, re.I)
        # Most types of events begin with `response.`: that is no name.
        response = rb"|response(?![a-z0-9_.])" if self._body else b""
        self._needles = re.compile(rb"%s|%s%s" % (_ESCAPED, named.encode(), response), re.I)
        self._words = [*(name.encode() for name in names), *([b"response"] if self._body else [])]

    def places(self, body: bytes) -> Places:
        """Where in these bytes one of the names may stand, in JSON or nearly JSON."""
        lowered = body.lower().replace(b"response.", b"")
        # Looking for each word is some times as fast as the pattern, and there is seldom one.
        named = any(word in lowered for word in self._words) or _ESCAPE.search(lowered) is not None
        return Places(self._needles if named else None, body)

    def hides(self, path: Path, opens: bytes, kind: bytes) -> bool:
        """Whether the value at that path is an echo; it opens with that byte. `kind`: the event's type, if known."""
        # A list may stand around objects, as some send several of them.
        above = list(dropwhile(lambda name: isinstance(name, int), map(_letters, path[:-1])))
        name = str(path[-1]).lower()
        is_spoken = not _SPOKEN.isdisjoint(above)
        if not _PLAIN.fullmatch(name) and self._named.search(name) and not is_spoken:
            # Such a name is what a lost quote makes of two.
            return True
        name = str(_letters(path[-1]))
        if (name in self._anywhere or name in _REQUEST) and not is_spoken:
            return True
        if name == "messages" and self._asked and not is_spoken:
            return True
        if name == "input" and self._asked and _SPEAKERS.isdisjoint(above):
            return opens != b'"' or kind != _SPOKEN_INPUT or bool(above)
        if name in self._at_top and above in ([], ["response"]):
            return True
        if not self._body:
            return False
        if above == ["response"]:
            return name not in _BORN
        if not above:
            return name in _BODY
        # Of a response that is the whole body, `text` is its form; at the same place an event tells what was said.
        return path == ("text", "format")


def _letters(name: str | int) -> str | int:
    """A name without what is in none: a bracket or a blank that came into it makes no other of it."""
    return _ODD.sub("", name.lower()) if isinstance(name, str) else name
