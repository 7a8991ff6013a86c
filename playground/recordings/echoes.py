"""Where an answer may tell the request again, and what it says itself under the same names. Used by wire_veil.py.

Names are compared by their letters and digits alone, large or small: systemInstruction is system_instruction, and a
bracket that came into a name makes no other of it.
"""

from __future__ import annotations

import re
from typing import Final

from playground.recordings.filling import Path

_ANYWHERE: Final[dict[str, frozenset[str]]] = {
    "system": frozenset(
        {"instructions", "system", "systeminstruction", "prompt", "prompttokenids", "promptlogprobs"}
        | {"messages", "contents"}
    ),
    "tools": frozenset({"tools", "toolchoice", "toolconfig", "functions", "mcpservers"}),
    "body": frozenset(),
}
_WHOLE_REQUEST: Final = frozenset({"request", "requestbody", "originalrequest", "rawrequest", "echoupstreambody"})
_AT_RESPONSE: Final[dict[str, frozenset[str]]] = {
    "system": frozenset(),
    "tools": frozenset({"functioncall"}),
    "body": frozenset({"metadata", "promptcachekey", "safetyidentifier", "user", "previousresponseid", "conversation"}),
}
"""The same names stand elsewhere for something else: `function_call` in a delta is a call."""

_BORN: Final = frozenset(
    {"id", "object", "type", "status", "model", "created", "createdat", "completedat", "error", "usage", "output"}
    | {"incompletedetails", "outputtext", "servicetier", "cost", "provider"}
)
"""What is a response's own: with the request's body goes all else that it holds."""

_WRAPPERS: Final = frozenset({"response", "message", "data", "result", "body"} | _WHOLE_REQUEST)
"""What may stand around an answer, or around a request."""
_SPOKEN: Final = frozenset({"input", "arguments", "content"})
"""Below these names the model speaks: `instructions` in the arguments of a call are none of the request's."""
_SPEAKERS: Final = frozenset(
    {"contentblock", "item", "output", "content", "part", "delta", "choices", "toolcalls", "moderation", "usage"}
)
"""Below these names `input` is what the model gives to a tool (or a count), elsewhere it is the request's."""
_SPOKEN_INPUT: Final = b"response.custom_tool_call_input.done"

_SMALL: Final = bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123)))
_KEPT: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_AROUND: Final = b':"\\/' + bytes(range(32))
"""What of a name may be told by an escape, or looks like the end of one; around a name it makes no other of it."""
_IGNORED: Final = bytes(byte for byte in range(256) if byte not in _KEPT + _AROUND)


class Echoes:
    """What of an answer is an echo of `parts` of the request: system, tools, body."""

    def __init__(self, parts: frozenset[str]) -> None:
        self._anywhere = frozenset().union(*(_ANYWHERE[part] for part in parts))
        self._at_response = frozenset().union(*(_AT_RESPONSE[part] for part in parts))
        self._input = bool(parts & {"system", "body"})
        self._text = "body" in parts
        names = self._anywhere | self._at_response
        if parts:
            self._anywhere |= _WHOLE_REQUEST
            names |= _WHOLE_REQUEST | {"body"}
        if self._input:
            names |= {"input"}
        self._names = names | ({"text", "format"} if self._text else set())
        if self._text:
            # With `text` every delta of Messages would have to be searched; the form stands at these or above.
            names |= {"response", "format"}
        named = b"|".join(name.encode() for name in sorted(names))
        self._needles = re.compile(rb'"(?:\\.|[:/])*(?:%s)(?:\\.|[:/])*":|\\u00[0-7]' % named)

    def named(self, event: bytes) -> bool:
        """Whether JSON in these bytes may have one of the names. False is certain."""
        return self._needles.search(event.translate(_SMALL, _IGNORED)) is not None

    def hides(self, path: Path, kind: bytes) -> bool:
        """Whether the value there is an echo. `kind` is what the outermost object has told of its type so far."""
        name = _plain(path[-1])
        is_new = self._text and name not in _BORN and _plain(path[-2] if len(path) > 1 else "") == "response"
        if name not in self._names and not is_new:
            return False
        above = [_plain(each) for each in path[:-1] if not isinstance(each, int)]
        if not _SPOKEN.isdisjoint(above):
            return False
        if name == "input" and self._input:
            return _SPEAKERS.isdisjoint(above) and not (kind == _SPOKEN_INPUT and not above)
        if name in self._anywhere or (is_new and _WRAPPERS.issuperset(above)):
            return True
        if name == "body":
            return _SPEAKERS.isdisjoint(above) and "response" not in above
        if name in ("text", "format"):
            # Of a response that is the whole body, `text` is its form; at the same place an event tells what was said.
            return above[-1:] == ["response"] if name == "text" else above == ["text"]
        return name in self._at_response and _WRAPPERS.issuperset(above)


def _plain(name: str | int) -> str:
    text = str(name).replace("_", "")
    if text.isascii() and text.isalnum() and text.islower():
        return text
    return text.encode(errors="replace").translate(_SMALL, _IGNORED).strip(_AROUND).decode()
