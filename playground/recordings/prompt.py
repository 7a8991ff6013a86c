"""What a request asks, in a person's words. Takes request bodies of all formats; called when a lane begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from playground.formats.interface import parse

PROMPT: Final = 1000
"""Characters of a prompt that can be searched for."""

TITLE: Final = 80

_TEXT: Final = ("text", "content", "output", "input")
"""Where a message or a piece of one may have its text."""


class Asked(NamedTuple):
    """`user`: the last that the user said; `prompt`: that and the rest of the conversation, its beginning."""

    user: str
    prompt: str


def asked(body: bytes) -> Asked:
    """What a request's body asks, each in one line, "" where there is nothing to read."""
    value = parse(body.decode(errors="replace"))
    if not isinstance(value, dict):
        return Asked("", "")
    said = [*_messages(value.get("messages")), *_messages(value.get("input")), *_messages(value.get("prompt"))]
    users = [text for role, text in said if role == "user"]
    rest = [text for role, text in said if role != "user"]
    system = [text for name in ("system", "instructions") for text in _texts(value.get(name))]
    return Asked(_line(users[-1:]), _line([*reversed(users), *system, *rest]))


def _line(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts).split())[:PROMPT]


def title_of(text: str) -> str:
    """The first words of what was asked, as a title."""
    if len(text) <= TITLE:
        return text
    words = text[:TITLE].rpartition(" ")[0] or text[:TITLE]
    return words.rstrip(" ,;:–-") + "…"


def is_title_of(title: str, prompts: Iterable[str]) -> bool:
    """Whether the title was made of one of these prompts; a person may have given another one."""
    words = title.rstrip("…").strip()
    return any(words in prompt for prompt in prompts)


def _messages(value: Any) -> Iterator[tuple[str, str]]:
    """(role, text) of each message; a prompt that is a text is the user's."""
    if isinstance(value, str):
        yield "user", value
    for message in value if isinstance(value, list) else ():
        if isinstance(message, str):
            yield "user", message
        elif isinstance(message, dict):
            role = message.get("role")
            yield (role if isinstance(role, str) else ""), " ".join(_texts(message))


def _texts(value: Any, depth: int = 4) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth:
        for piece in value:
            yield from _texts(piece, depth - 1)
    elif isinstance(value, dict) and depth:
        for name in _TEXT:
            yield from _texts(value.get(name), depth - 1)
