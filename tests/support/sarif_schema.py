"""What SARIF 2.1.0 asks of the objects that we write, as a JSON schema, and just enough of a checker for it.

Written down from sections 3.13 to 3.49 of https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. It
has more properties than are listed here; objects may have none that it does not know, outside of `properties`.
"""

from __future__ import annotations

import re
from typing import Any

COUNT = {"type": "integer", "minimum": 0}
NUMBER = {"type": "integer", "minimum": 1}
TEXT = {"type": "string", "pattern": r"\S"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def shape(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": {**properties, "properties": {"type": "object"}}}


def listed(items: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


MESSAGE = shape(["text"], text=TEXT)
ADDRESS = shape(["uri"], uri={"type": "string", "pattern": r"^[A-Za-z0-9%/._~:@!$&'()*+,;=?#-]+$"})
REGION = shape(
    [], startLine=NUMBER, endLine=NUMBER, startColumn=NUMBER, endColumn=NUMBER, byteOffset=COUNT, byteLength=COUNT
)
LOCATION = shape(
    [],
    id=COUNT,
    physicalLocation=shape(["artifactLocation"], artifactLocation=ADDRESS, region=REGION),
    logicalLocations=listed(shape([], name=TEXT, kind=TEXT)),
)
RESULT = shape(
    ["message"],
    ruleId=TEXT,
    ruleIndex=COUNT,
    level=LEVEL,
    message=MESSAGE,
    occurrenceCount=NUMBER,
    locations=listed(LOCATION),
    relatedLocations=listed(LOCATION),
)
RULE = shape(
    ["id"],
    id=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    helpUri={"type": "string", "pattern": "^https://"},
    defaultConfiguration=shape([], level=LEVEL),
)
RUN = shape(
    ["tool"],
    tool=shape(["driver"], driver=shape(["name"], name=TEXT, rules=listed(RULE))),
    artifacts=listed(shape([], location=ADDRESS)),
    results=listed(RESULT),
)
LOG = shape(
    ["version", "runs"],
    **{"$schema": {"type": "string"}, "version": {"enum": ["2.1.0"]}, "runs": listed(RUN, 1)},
)

_TYPES = {"object": dict, "array": list, "string": str, "integer": int}


def faults(value: Any, schema: dict[str, Any] = LOG, path: str = "$") -> list[str]:
    """What is wrong with a value, one sentence each; [] when nothing is."""
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{path}: {value!r} is none of {schema['enum']}"]
    if not isinstance(value, _TYPES[schema["type"]]) or isinstance(value, bool):
        return [f"{path}: no {schema['type']}"]
    found = []
    if isinstance(value, dict):
        found += [f"{path}: {name} is missing" for name in schema["required"] if name not in value]
        for name, inner in value.items():
            known = schema["properties"].get(name)
            if known is None:
                found.append(f"{path}: there is no property {name}")
            elif name != "properties":
                found += faults(inner, known, f"{path}.{name}")
    elif isinstance(value, list):
        if len(value) < schema["minItems"]:
            found.append(f"{path}: too few")
        found += [fault for at, inner in enumerate(value) for fault in faults(inner, schema["items"], f"{path}[{at}]")]
    elif isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{path}: {value!r} does not match {schema['pattern']}")
    elif isinstance(value, int) and value < schema["minimum"]:
        found.append(f"{path}: {value} is below {schema['minimum']}")
    return found
