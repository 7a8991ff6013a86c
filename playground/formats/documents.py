"""Errors as every format meets them: in events, in an `error:` line, in a body that is one JSON document.

Called by the decoders. Error values go in, error parts (each message once) come out.
"""

from __future__ import annotations

from typing import Any

from playground.formats.interface import error_message, parse
from playground.formats.updates import END, Update
from playground.sse.rows import Row


class Errors:
    """The errors of one lane. Each message is one part, however often it comes."""

    __slots__ = ("_keys",)

    def __init__(self) -> None:
        self._keys: dict[str, tuple[str, int]] = {}

    def say(self, error: Any, raw: Any = None) -> Update:
        """The update for an error value; `raw` is what the browser shows beside its message (default: `error`).

        A part of kind "error" with `message` and `raw`, or a link to the part that has the same message.
        """
        message = error_message(error)
        key = self._keys.get(message)
        if key is not None:
            return ("link", key)
        key = self._keys[message] = ("error", len(self._keys))
        return ("open", key, "error", {"message": message, "raw": error if raw is None else raw}, END)

    def close(self) -> list[Update]:
        return [("close", key) for key in self._keys.values()]

    def line(self, row: Row) -> list[Update]:
        """What a row that is no event says: llama.cpp puts errors in an SSE field `error`."""
        if row.kind != "ignored" or row.name != "error":
            return []
        text = row.data.partition(":")[2].removeprefix(" ")
        if not text.strip():
            return []
        value = parse(text)
        if not isinstance(value, dict):
            return [self.say(text)]
        return [self.say(value.get("error") or value, value)]

    def document(self, value: dict[str, Any], *, answer: bool) -> list[Update]:
        """What a whole JSON body says about errors. `answer`: it is an answer of the format, and only `error` counts.

        Else the shapes of web frameworks and clouds count as well: `detail`, `errors`, a bare `message`.
        """
        return [self.say(error, raw) for error, raw in _document_errors(value, answer)]


def _document_errors(value: dict[str, Any], answer: bool) -> list[tuple[Any, Any]]:
    if value.get("error"):
        return [(value["error"], value["error"])]
    if answer:
        return []
    if isinstance(value.get("message"), str):
        return [(value, value)]
    for name in ("error_message", "detail", "errors"):
        error = value.get(name)
        if isinstance(error, list) and error:
            return [(_described(one), one) for one in error]
        if error:
            return [(error, value)]
    return []


def _described(error: Any) -> Any:
    """FastAPI lists its complaints as {"loc", "msg", "type"}."""
    if isinstance(error, dict) and "message" not in error and isinstance(error.get("msg"), str):
        return error["msg"]
    return error
