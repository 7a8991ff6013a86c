"""Faults of legal streams, by format and rule, and of their bytes, by rule."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.faults.chat import CHAT
from tests.support.faults.messages import MESSAGES
from tests.support.faults.responses import RESPONSES
from tests.support.faults.ways import ANY, Fault

FAULTS: dict[str, dict[str, Fault]] = {"chat": ANY | CHAT, "messages": ANY | MESSAGES, "responses": ANY | RESPONSES}


def _line(line: bytes) -> Callable[[bytes, int], bytes]:
    return lambda body, at: body[:at] + line + body[at:]


# They take the whole body and where one of its blocks begins.
BYTES: dict[str, Callable[[bytes, int], bytes]] = {
    "bom-inside-stream": lambda body, at: body + b"\xef\xbb\xbfdata: x\n\n",
    "cr-line-endings": lambda body, at: body.replace(b"\n", b"\r"),
    "done-outside-data": _line(b"[DONE]\n"),
    "error-field": _line(b'error: {"message":"no"}\n\n'),
    "error-in-stream": _line(b'error: {"message":"no"}\n\n'),
    "event-without-data": _line(b"event: ping\n\n"),
    "invalid-retry": _line(b"retry: soon\n\n"),
    "invalid-utf8": _line(b": \xff\n\nx: \xfe\n\n"),
    "json-outside-data": _line(b'{"a":1}\n'),
    "leading-bom": lambda body, at: b"\xef\xbb\xbf" + body,
    "mixed-line-endings": lambda body, at: body[:at] + b": \r\n" + body[at:],
    "nul-in-id": _line(b"id: a\0b\n\n"),
    "unknown-field-line": _line(b"datum: x\n\n"),
    "unterminated-final-event": lambda body, at: body[:-1],
}
