"""A shell script of curl commands: the request of each lane as it was sent, with a placeholder where its key was."""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Iterator
from typing import Final

from playground.reads import Head
from playground.recordings.exporting.interface import Kind, Taken, request_of
from playground.recordings.masking import FILLER
from playground.recordings.secrets import SECRET_HEADER, SECRET_PARAMETER

KEY: Final = "API_KEY"
OWN: Final = {"host", "content-length", "connection", "transfer-encoding", "accept-encoding"}
"""Headers that curl makes itself."""

FILLED: Final = re.compile(re.escape(FILLER) + "+")


def write(taken: Taken) -> Iterator[bytes]:
    commands = [(lane, command(request_of(taken, lane).head)) for lane in taken.lanes]
    yield b"#!/bin/sh\n"
    if any(f'"${KEY}"' in text for _, text in commands):
        yield f"# The key is not in this file. Give it with: {KEY}=... sh this-file\n".encode()
    for lane, text in commands:
        yield f"\n# Lane {lane.number + 1}: {lane.format or 'format unknown'}\n".encode()
        yield text.encode(errors="replace") + b"\n"


def command(head: Head) -> str:
    """One curl command, an argument a line."""
    body, before = _body(head.request_body)
    lines = [f"curl --no-buffer --request {shlex.quote(head.method)} {_url(head.url)}"]
    lines += [f"--header {_header(name, value)}" for name, value in head.request_headers if name.lower() not in OWN]
    lines += [body] if body else []
    return before + " \\\n  ".join(lines)


def _url(url: str) -> str:
    """Quoted; where a parameter was masked stands the placeholder."""
    pieces = []
    position = 0
    for match in SECRET_PARAMETER.finditer(url):
        if FILLED.fullmatch(match[2]):
            pieces += [shlex.quote(url[position : match.start(2)]), f'"${KEY}"']
            position = match.end(2)
    rest = url[position:]
    return "".join(pieces) + (shlex.quote(rest) if rest or not pieces else "")


def _header(name: str, value: str) -> str:
    filled = FILLED.search(value) if SECRET_HEADER.search(name) else None
    if filled is None:
        return shlex.quote(f"{name}: {value}")
    return f'{shlex.quote(f"{name}: {value[: filled.start()]}")}"${KEY}"'


def _body(body: bytes) -> tuple[str, str]:
    """The argument, and what must stand before curl: an argument cannot have NUL or what is no UTF-8."""
    if not body:
        return "", ""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return "--data-binary @-", f"printf %s {base64.b64encode(body).decode()} | base64 -d | "
    # A leading @ would name a file.
    return f"--data-raw {shlex.quote(text)}", ""


CURL = Kind(
    name="curl",
    title="curl",
    purpose="The request as a command to run again. Your key is not in it.",
    suffix=".sh",
    media_type="text/x-shellscript; charset=utf-8",
    write=write,
)
