"""Arguments are made from a tool's JSON Schema, and from what the user said where it fits."""

from __future__ import annotations

from typing import Any

import pytest

from playground.gateway.arguments import arguments_for


def only(schema: dict[str, Any], prompt: str = "", name: str = "x", **root: Any) -> Any:
    """The argument made for one property with that schema."""
    return arguments_for({"type": "object", "properties": {name: schema}, "required": [name], **root}, prompt)[name]


def test_a_name_in_the_prompt_becomes_the_place() -> None:
    assert only({"type": "string"}, "What is the weather in New York today?", "city") == "New York"


def test_a_quotation_goes_before_a_name() -> None:
    assert only({"type": "string"}, 'Open the file "notes.txt" for Ada', "path") == "notes.txt"


def test_a_query_is_the_whole_prompt() -> None:
    assert only({"type": "string"}, "how do tides work", "query") == "how do tides work"


def test_a_choice_that_the_prompt_mentions_is_taken_else_the_first() -> None:
    unit = {"enum": ["celsius", "fahrenheit"]}
    assert only(unit, "in Fahrenheit, please") == "fahrenheit"
    assert only(unit, "warm?") == "celsius"


@pytest.mark.parametrize(
    ("schema", "prompt", "value"),
    [
        ({"type": "integer"}, "in 3 days", 3),
        ({"type": "integer", "maximum": 2}, "in 3 days", 1),
        ({"type": "integer", "minimum": 10}, "in 3 days", 10),
        ({"type": "number"}, "about 2.5 metres", 2.5),
        ({"type": "integer"}, "about 2.5 metres", 1),
        ({"type": "integer", "multipleOf": 5}, "", 0),
        ({"type": "integer", "exclusiveMinimum": 4}, "", 5),
        ({"type": "integer", "minimum": -9, "maximum": -7}, "", -9),
        ({"type": "number", "default": 7}, "", 7),
    ],
)
def test_numbers_come_from_the_prompt_when_they_are_allowed(schema: dict[str, Any], prompt: str, value: float) -> None:
    assert only(schema, prompt) == value


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 4}, 4),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        ({"type": ["null", "boolean"]}, True),
        ({"type": "string", "format": "date"}, "2026-03-01"),
        ({"type": "string", "default": "low"}, "low"),
        ({"type": "string", "examples": ["high"]}, "high"),
        ({"type": "string", "maxLength": 2}, "an"),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 1),
        ({"allOf": [{"properties": {"a": {"type": "boolean"}}, "required": ["a"]}]}, {"a": True}),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [True, True]),
        ({"type": "object", "properties": {"a": {"type": "boolean"}}}, {}),
        ({}, "an example x"),
    ],
)
def test_every_kind_of_schema_has_a_value(schema: dict[str, Any], value: Any) -> None:
    assert only(schema) == value


def test_references_inside_the_schema_are_followed() -> None:
    assert only({"$ref": "#/$defs/side"}, **{"$defs": {"side": {"enum": ["port", "starboard"]}}}) == "port"


@pytest.mark.parametrize("reference", ["#", "#/$defs/a", "#/nowhere", "https://example.com/schema"])
def test_references_that_lead_nowhere_or_round_in_circles_end(reference: str) -> None:
    schema = {"$ref": reference}
    only(schema, **{"$defs": {"a": {"type": "object", "properties": {"a": schema}, "required": ["a"]}}})


def test_without_required_properties_all_are_given() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "integer"}}}
    assert arguments_for(schema, "") == {"a": True, "b": 1}


def test_the_same_schema_and_prompt_give_the_same_arguments() -> None:
    schema = {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}}
    made = arguments_for(schema, "Take me from Brest to Quimper")
    assert made == arguments_for(schema, "Take me from Brest to Quimper") == {"from": "Brest", "to": "Quimper"}
