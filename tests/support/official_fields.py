"""What may come on the wire by the types of the official clients and what came in the golden streams, to hold the
page's explanations against: `python -m tests.support.official_fields`.

A line of JSON each: {"format", "source", "event", "path", "types": [values of a `type` at the path]}; the source is
"official" or a case. An event's own line has the path "". In a path
`[]` stands for the entries of a list, `*` for keys that are free.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from anthropic.types import RawMessageStreamEvent
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent
from pydantic import BaseModel

from playground.formats.interface import parse
from playground.sse.parser import Parser
from tests.support.corridor import STREAMS

Line = dict[str, Any]


def members(kind: Any) -> Iterator[Any]:
    """The plain types that a type stands for: unions and annotations undone."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from members(get_args(kind)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(kind):
            yield from members(member)
    elif hasattr(kind, "__value__"):
        yield from members(kind.__value__)
    else:
        yield kind


def fields(model: type[BaseModel], path: str, above: tuple[type, ...] = ()) -> Iterator[tuple[str, list[str]]]:
    """The paths below a model with the values of each `type`; a model inside itself is not entered again."""
    for name, field in model.model_fields.items():
        below = f"{path}.{field.alias or name}" if path else (field.alias or name)
        yield from walk(field.annotation, below, (*above, model))


def walk(kind: Any, path: str, above: tuple[type, ...]) -> Iterator[tuple[str, list[str]]]:
    words: list[str] = []
    deeper: list[tuple[Any, str]] = []
    for member in members(kind):
        origin = get_origin(member)
        if origin is Literal and path.split(".")[-1] == "type":
            words += [str(word) for word in get_args(member) if word is not None]
        elif origin is list:
            deeper.append((get_args(member)[0], f"{path}[]"))
        elif origin is dict:
            deeper.append((get_args(member)[1], f"{path}.*"))
        elif isinstance(member, type) and issubclass(member, BaseModel) and member not in above:
            deeper.append((member, path))
    if not path.endswith(("[]", "*")):
        yield path, words
    for member, below in deeper:
        if isinstance(member, type) and issubclass(member, BaseModel):
            yield from fields(member, below, above)
        else:
            yield from walk(member, below, above)


def official() -> Iterator[Line]:
    for path, words in fields(ChatCompletionChunk, ""):
        yield line("chat", "official", "", path, words)
    for name, union in (("messages", RawMessageStreamEvent), ("responses", ResponseStreamEvent)):
        for event in members(union):
            (said,) = get_args(event.model_fields["type"].annotation)
            yield line(name, "official", said, "", [])
            for path, words in fields(event, ""):
                yield line(name, "official", said, path, [] if path == "type" else words)


def line(name: str, source: str, event: str, path: str, words: list[str]) -> Line:
    return {"format": name, "source": source, "event": event, "path": path, "types": words}


def below(value: Any, path: str) -> Iterator[tuple[str, list[str]]]:
    if isinstance(value, dict):
        for key, entry in value.items():
            inner = f"{path}.{key}" if path else key
            yield inner, [entry] if key == "type" and isinstance(entry, str) else []
            yield from below(entry, inner)
    elif isinstance(value, list):
        for entry in value:
            yield from below(entry, f"{path}[]")


def golden() -> Iterator[Line]:
    """Every event name and field of the golden streams whose events are JSON objects."""
    for folder in sorted(path for path in STREAMS.iterdir() if path.is_dir()):
        name = json.loads((folder / "expect.json").read_text())["format"]
        parser = Parser()
        rows = [*parser.feed((folder / "stream.sse").read_bytes(), 1, None), *parser.end()]
        seen: set[tuple[str, str, str]] = set()
        for row in rows:
            value = parse(row.data) if row.kind == "event" else None
            if not isinstance(value, dict):
                continue
            event = row.name or str(value.get("type", ""))
            for path, words in [("", []), *below(value, "")]:
                key = (event, path, ",".join(words))
                if key not in seen:
                    seen.add(key)
                    yield line(name, folder.name, event, path, words)


def main() -> None:
    for found in (*official(), *golden()):
        sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
