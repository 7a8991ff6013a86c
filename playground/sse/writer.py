"""Events and comments as bytes on the wire, always with LF. Used by the gateway and by what shows a stream anew.

What is written here, sse/parser.py reads back as it was given; line ends inside become LF.
"""

from __future__ import annotations


def write_event(data: str, name: str = "", id: str | None = None) -> bytes:
    """One event, with a data line for every line of `data`. A lone UTF-16 half is written as U+FFFD.

    ValueError when `name` or `id` holds a line end, or `id` NUL: no reader could get them back.
    """
    if "\n" not in data and "\r" not in data and not name and id is None:
        return _encoded(f"data: {data}\n\n")
    lines = []
    if id is not None:
        if "\0" in id:
            raise ValueError(f"an event id cannot hold NUL: {id!r}")
        lines.append(f"id: {_one_line(id)}\n")
    if name:
        lines.append(f"event: {_one_line(name)}\n")
    lines += [f"data: {line}\n" for line in _lines(data)]
    return _encoded("".join([*lines, "\n"]))


def write_comment(text: str = "") -> bytes:
    """A comment, with a line for every line of `text`, and a blank line, which dispatches nothing."""
    return _encoded("".join([f": {line}\n" if line else ":\n" for line in _lines(text)]) + "\n")


def _lines(text: str) -> list[str]:
    # Not splitlines(), which also splits at U+2028, U+0085 and others that end no line here.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise ValueError(f"a line end cannot stand in a name or an id: {text!r}")
    return text


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
