"""A JSON Schema and what the user said -> arguments that a model might choose. Called by replies.py.

The same schema and prompt give the same arguments. Values come from the prompt where it has one that fits.
"""

from __future__ import annotations

import re
from typing import Any

Schema = dict[str, Any]

_DEEPEST = 8
_FORMATS = {
    "date": "2026-03-01",
    "date-time": "2026-03-01T06:00:00Z",
    "time": "06:00:00Z",
    "duration": "PT6H",
    "email": "ada@example.com",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uuid": "5f0c6c1e-9f6e-4d53-9c3e-0b6a2f8f7d11",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
_SENTENCES = {"query", "q", "search", "question", "text", "prompt", "input", "message", "content", "task"}


def arguments_for(schema: Schema, prompt: str) -> dict[str, Any]:
    """An object for the schema of a tool's parameters."""
    value = _Sample(schema, prompt).value(schema, "", 0)
    return value if isinstance(value, dict) else {}


class _Sample:
    def __init__(self, root: Schema, prompt: str) -> None:
        self._root = root
        self._prompt = prompt[:20_000]
        self._numbers = [float(number) for number in re.findall(r"(?<![\w.])-?\d{1,15}(?:\.\d{1,9})?\b", self._prompt)]
        self._quoted = re.findall(r"[\"\u201c\u00ab']([^\"\u201d\u00bb']{1,200})[\"\u201d\u00bb']", self._prompt)
        self._names = re.findall(r"(?<!^)(?<![.!?] )\b[^\W\d_a-z][\w-]*(?: [^\W\d_a-z][\w-]*)*", self._prompt)

    def value(self, schema: Any, name: str, depth: int) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return self._mentioned(schema["enum"])
        kind = self._kind(schema)
        made = {"object": self._object, "array": self._array, "string": self._string}.get(kind)
        if made is not None:
            return made(schema, name, depth)
        if kind in {"integer", "number"}:
            return self._number(schema, whole=kind == "integer")
        if kind == "boolean":
            return bool(schema.get("default", True))
        return None

    def _resolved(self, schema: Any) -> Schema:
        """The schema with local references followed, the first alternative taken and allOf joined."""
        schema = schema if isinstance(schema, dict) else {}
        for _ in range(_DEEPEST):
            reference = schema.get("$ref")
            if isinstance(reference, str) and reference.startswith("#"):
                rest = {key: value for key, value in schema.items() if key != "$ref"}
                schema = {**self._at(reference), **rest}
                continue
            for word in ("anyOf", "oneOf"):
                if isinstance(schema.get(word), list):
                    choices = [choice for choice in schema[word] if isinstance(choice, dict)]
                    chosen = next((choice for choice in choices if choice.get("type") != "null"), {})
                    schema = _joined([{key: value for key, value in schema.items() if key != word}, chosen])
                    break
            else:
                if not isinstance(schema.get("allOf"), list):
                    return schema
                rest = {key: value for key, value in schema.items() if key != "allOf"}
                schema = _joined([rest, *(self._resolved_once(part) for part in schema["allOf"])])
        return {key: value for key, value in schema.items() if key not in {"$ref", "anyOf", "oneOf", "allOf"}}

    def _resolved_once(self, part: Any) -> Schema:
        if not isinstance(part, dict):
            return {}
        reference = part.get("$ref")
        return self._at(reference) if isinstance(reference, str) and reference.startswith("#") else part

    def _at(self, reference: str) -> Schema:
        """What a JSON pointer inside the schema leads to; {} when it leads nowhere."""
        place: Any = self._root
        for step in reference[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            place = place.get(step) if isinstance(place, dict) else None
        return place if isinstance(place, dict) else {}

    def _kind(self, schema: Schema) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), "null")
        if isinstance(kind, str):
            return kind
        if "properties" in schema:
            return "object"
        return "array" if "items" in schema else "string"

    def _object(self, schema: Schema, name: str, depth: int) -> dict[str, Any]:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        wanted = [key for key in required if isinstance(key, str)] if isinstance(required, list) else []
        if depth == 0 and not wanted:
            wanted = list(properties)
        if depth >= _DEEPEST:
            return {}
        return {key: self.value(properties.get(key), key, depth + 1) for key in wanted}

    def _array(self, schema: Schema, name: str, depth: int) -> list[Any]:
        least = schema.get("minItems")
        count = min(max(1, least if isinstance(least, int) else 1), 16) if depth < _DEEPEST else 0
        first = schema.get("prefixItems")
        places = first if isinstance(first, list) else []
        singular = name[:-1] if name.endswith("s") else name
        items = [places[at] if at < len(places) else schema.get("items") for at in range(max(count, len(places)))]
        return [self.value(item, singular, depth + 1) for item in items]

    def _string(self, schema: Schema, name: str, depth: int) -> str:
        if schema.get("format") in _FORMATS:
            return _FORMATS[schema["format"]]
        given = [schema.get("default"), *(schema["examples"] if isinstance(schema.get("examples"), list) else [])]
        text = (
            self._said(name) or next((one for one in given if isinstance(one, str)), "") or f"an example {name}".strip()
        )
        least, most = schema.get("minLength"), schema.get("maxLength")
        if isinstance(least, int):
            text = text.ljust(min(least, 1_000), ".")
        return text[:most] if isinstance(most, int) and most >= 0 else text

    def _said(self, name: str) -> str:
        """What the prompt may have meant for a property of that name; "" when it says nothing that fits."""
        if name.lower() in _SENTENCES:
            return " ".join(self._prompt.split())[:200]
        for found in (self._quoted, self._names):
            if found:
                return found.pop(0) if len(found) > 1 else found[0]
        return ""

    def _mentioned(self, choices: list[Any]) -> Any:
        said = self._prompt.lower()
        return next((one for one in choices if isinstance(one, str) and one and one.lower() in said), choices[0])

    def _number(self, schema: Schema, *, whole: bool) -> int | float:
        above, below = _number(schema, "exclusiveMinimum"), _number(schema, "exclusiveMaximum")
        edges = [None if above is None else above + 1, None if below is None else below - 1]
        bounds = [_number(schema, word) for word in ("minimum", "maximum", "multipleOf")]
        for number in (*self._numbers, _number(schema, "default"), bounds[0], 1.0, 0.0, *bounds[1:], *edges):
            if number is not None and _allowed(number, schema) and (not whole or number.is_integer()):
                if number in self._numbers and len(self._numbers) > 1:
                    self._numbers.remove(number)
                return int(number) if number.is_integer() else number
        return 1


def _joined(parts: list[Schema]) -> Schema:
    """Schemas that all hold: their properties and required names together."""
    joined: Schema = {}
    for part in parts:
        for word, value in part.items():
            standing = joined.get(word)
            if word == "properties" and isinstance(standing, dict) and isinstance(value, dict):
                joined[word] = {**standing, **value}
            elif word == "required" and isinstance(standing, list) and isinstance(value, list):
                joined[word] = [*standing, *value]
            else:
                joined[word] = value
    return joined


def _number(schema: Schema, word: str) -> float | None:
    value = schema.get(word)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _allowed(number: float, schema: Schema) -> bool:
    least, most = _number(schema, "minimum"), _number(schema, "maximum")
    above, below = _number(schema, "exclusiveMinimum"), _number(schema, "exclusiveMaximum")
    step = _number(schema, "multipleOf")
    return (
        (least is None or number >= least)
        and (most is None or number <= most)
        and (above is None or number > above)
        and (below is None or number < below)
        and (not step or number % step == 0)
    )
