"""A JSON Schema and what the user said -> arguments that a model might choose, valid against it. Called by replies.py.

The same schema and prompt give the same arguments. Values come from the prompt where it has one that fits.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import referencing
import rstr
from jsonschema.validators import validator_for

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


# Which of the alternatives is taken, and whether properties are given that need not be: tried in this order.
_WAYS = ((0, False), (0, True), (1, False), (1, True), (2, True), (3, True))
# Repetitions of so many digits would take a pattern's example to any length.
_ENDLESS = re.compile(r"\d{4,}")


def arguments_for(schema: Schema, prompt: str) -> dict[str, Any]:
    """An object for the schema of a tool's parameters: the first that is valid of those that come to mind."""
    is_valid = _judge(schema)
    first: dict[str, Any] | None = None
    for choice, everything in _WAYS:
        value = _Sample(schema, prompt, choice, everything).value(schema, "", 0)
        made = value if isinstance(value, dict) else {}
        if is_valid(made):
            return made
        first = made if first is None else first
    return first or {}


def _judge(schema: Schema) -> Callable[[Any], bool]:
    """Whether a value is valid; what cannot be judged is. Nothing is fetched: a reference elsewhere leads nowhere."""
    try:
        kind = validator_for(schema, default=jsonschema.Draft202012Validator)
        validator = kind(schema, registry=referencing.Registry())
    except Exception:
        return lambda value: True

    def is_valid(value: Any) -> bool:
        try:
            return bool(validator.is_valid(value))
        except Exception:  # a schema that is none, a reference without a place, a pattern that Python does not know
            return True

    return is_valid


class _Sample:
    def __init__(self, root: Schema, prompt: str, choice: int = 0, everything: bool = False) -> None:
        self._root = root
        self._choice = choice
        self._everything = everything
        self._nth = 0  # which of several that must differ
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
                    told = [choice for choice in choices if choice.get("type") != "null"]
                    chosen = told[self._choice % len(told)] if told else {}
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
        if (depth == 0 and not wanted) or (self._everything and depth < 3):
            wanted = [*wanted, *(key for key in properties if key not in wanted)]
        if depth >= _DEEPEST:
            return {}
        made = {key: self.value(properties.get(key), key, depth + 1) for key in wanted}
        others, least = schema.get("additionalProperties"), schema.get("minProperties")
        while isinstance(least, int) and len(made) < min(least, 16) and others is not False:
            name = f"key_{len(made) + 1}"
            made[name] = self.value(others, name, depth + 1)
        return made

    def _array(self, schema: Schema, name: str, depth: int) -> list[Any]:
        least = schema.get("minItems")
        count = min(max(1, least if isinstance(least, int) else 1), 16) if depth < _DEEPEST else 0
        first = schema.get("prefixItems")
        places = first if isinstance(first, list) else []
        singular = name[:-1] if name.endswith("s") else name
        items = [places[at] if at < len(places) else schema.get("items") for at in range(max(count, len(places)))]
        made = []
        before = self._nth
        for at, item in enumerate(items):
            self._nth = at if schema.get("uniqueItems") is True else 0
            made.append(self.value(item, singular, depth + 1))
        self._nth = before
        return made

    def _string(self, schema: Schema, name: str, depth: int) -> str:
        if schema.get("format") in _FORMATS:
            return _FORMATS[schema["format"]]
        if isinstance(schema.get("pattern"), str) and (text := self._fitting(schema["pattern"])) is not None:
            return text
        kind = "another" if self._choice else "an"
        given = [schema.get("default"), *(schema["examples"] if isinstance(schema.get("examples"), list) else [])]
        text = (
            self._said(name)
            or next((one for one in given if isinstance(one, str)), "")
            or f"{kind} example {name}".strip()
        )
        if self._nth:
            text = f"{text} {self._nth + 1}"
        least, most = schema.get("minLength"), schema.get("maxLength")
        if isinstance(least, int):
            text = text.ljust(min(least, 1_000), ".")
        return text[:most] if isinstance(most, int) and most >= 0 else text

    def _fitting(self, pattern: str) -> str | None:
        """A text that a pattern was made for. No other text is held against it: a pattern can take for ever to fail."""
        if _ENDLESS.search(pattern):
            return None
        try:
            return str(rstr.Rstr(random.Random(self._nth)).xeger(pattern))
        except Exception:  # JavaScript's patterns are not all Python's
            return None

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
        if self._nth:
            return choices[self._nth % len(choices)]
        return next((one for one in choices if isinstance(one, str) and one and one.lower() in said), choices[0])

    def _number(self, schema: Schema, *, whole: bool) -> int | float:
        above, below = _number(schema, "exclusiveMinimum"), _number(schema, "exclusiveMaximum")
        edges = [None if above is None else above + 1, None if below is None else below - 1]
        bounds = [_number(schema, word) for word in ("minimum", "maximum", "multipleOf")]
        given = (
            *self._numbers,
            _number(schema, "default"),
            bounds[0],
            1.0,
            0.0,
            *bounds[1:],
            *edges,
            *_between(schema),
        )
        if self._nth:
            step = bounds[2] or 1.0
            given = tuple(
                (1.0 if number is None else number) + step * self._nth
                for number in (bounds[0], 1.0, 0.0, *_between(schema))
            )
        for number in given:
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


def _between(schema: Schema) -> list[float]:
    """Numbers inside the bounds: the first multiple there is, and the middle."""
    least = _number(schema, "minimum")
    above = _number(schema, "exclusiveMinimum")
    low = max((one for one in (least, above) if one is not None), default=None)
    ends = [_number(schema, word) for word in ("maximum", "exclusiveMaximum")]
    high = min((one for one in ends if one is not None), default=None)
    step = _number(schema, "multipleOf")
    found = []
    if step and low is not None:
        multiple = math.ceil(low / step) * step
        found += [multiple, multiple + step]
    if step and high is not None:
        found.append(math.floor(high / step) * step)
    if low is not None and high is not None:
        found += [math.ceil(low), (low + high) / 2]
    return found


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
