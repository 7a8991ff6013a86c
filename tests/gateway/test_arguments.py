"""Arguments are made from a tool's JSON Schema, and from what the user said where it fits."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


PARAMETERS: list[dict[str, Any]] = [
    {"properties": {"code": {"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$"}}, "required": ["code"]},
    {"properties": {"n": {"type": "integer", "minimum": 7, "multipleOf": 5}}, "required": ["n"]},
    {"properties": {"n": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5}}, "required": ["n"]},
    {"properties": {"tags": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": True}}},
    {"properties": {"ns": {"type": "array", "items": {"type": "integer"}, "minItems": 4, "uniqueItems": True}}},
    {"properties": {"ws": {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True}}},
    {"properties": {"labels": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2}}},
    {"properties": {"x": {"type": "string", "minLength": 40, "maxLength": 42}}, "required": ["x"]},
    {
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"]},
    },
    {
        "properties": {"kind": {"enum": ["circle"]}, "radius": {"type": "number"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "circle"}}},
        "then": {"required": ["radius"]},
    },
    {
        "oneOf": [
            {"properties": {"by": {"const": "id"}, "id": {"type": "integer"}}, "required": ["by", "id"]},
            {"properties": {"by": {"const": "name"}, "name": {"type": "string"}}, "required": ["by", "name"]},
        ],
        "properties": {"by": {"enum": ["name"]}},
    },
    {"properties": {"path": {"type": "string", "not": {"const": "an example path"}}, "more": {"type": "null"}}},
    {
        "$defs": {
            "node": {
                "properties": {
                    "value": {"type": "integer"},
                    "next": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/node"}]},
                },
                "required": ["value"],
            }
        },
        "properties": {"head": {"$ref": "#/$defs/node"}},
        "required": ["head"],
    },
]


@pytest.mark.parametrize("schema", PARAMETERS, ids=lambda schema: next(iter(schema.get("properties", {"any": 0}))))
@pytest.mark.parametrize("prompt", ["", 'Send "seven" of 12.5 from Ada to Brest in 2031'])
def test_arguments_are_valid_against_their_schema(schema: dict[str, Any], prompt: str) -> None:
    schema = {"type": "object", **schema}
    jsonschema.Draft202012Validator.check_schema(schema)
    made = arguments_for(schema, prompt)
    assert sorted(error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(made)) == []


BOUND = st.integers(-50, 50)
LEAVES: Any = st.one_of(
    st.fixed_dictionaries({"type": st.just("string")}, optional={"minLength": st.integers(0, 30)}),
    st.fixed_dictionaries(
        {"type": st.just("string"), "pattern": st.sampled_from(["^[a-f0-9]{8}$", "[A-Z]+", r"\d\d?"])}
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["integer", "number"])}, optional={"minimum": BOUND}),
    st.builds(lambda low, span: {"type": "integer", "minimum": low, "maximum": low + span}, BOUND, st.integers(0, 9)),
    st.fixed_dictionaries({"enum": st.lists(st.text(max_size=4) | BOUND, min_size=1, max_size=4)}),
    st.fixed_dictionaries({"type": st.just("boolean")}),
    st.builds(lambda value: {"const": value}, BOUND | st.text(max_size=3)),
    st.builds(lambda name: {"type": "string", "format": name}, st.sampled_from(["date", "uuid", "email", "uri"])),
)


def nested(inner: Any) -> Any:
    names = st.text("abcxyz", min_size=1, max_size=4)
    objects = st.builds(
        lambda properties, some: {"type": "object", "properties": properties, "required": list(properties)[:some]},
        st.dictionaries(names, inner, max_size=4),
        st.integers(0, 4),
    )
    lists = st.builds(lambda item, least: {"type": "array", "items": item, "minItems": least}, inner, st.integers(0, 3))
    either = st.builds(lambda first, second: {"anyOf": [first, second]}, inner, inner)
    return st.one_of(objects, lists, either)


@settings(max_examples=150, deadline=None)
@given(
    schema=st.recursive(LEAVES, nested, max_leaves=10), prompt=st.sampled_from(["", "Take 3 from Ada, 12.5 to 'Bo'"])
)
def test_arguments_for_any_schema_are_valid(schema: dict[str, Any], prompt: str) -> None:
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    jsonschema.validate(arguments_for(whole, prompt), whole)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:1/never-fetched"},
        {"type": 5},
        {"properties": {"x": {"type": "string", "pattern": "(?<name>a)"}}},
        {"properties": {"x": {"type": "string", "pattern": "a{1000000}"}}},
        {"properties": {"x": {"type": "string", "pattern": "(a+)+$"}}},
        {"$schema": "http://elsewhere.example/schema", "properties": []},
    ],
)
def test_a_schema_that_makes_no_sense_costs_nothing_and_breaks_nothing(schema: dict[str, Any]) -> None:
    assert isinstance(arguments_for(schema, "a" * 5_000 + "!"), dict)
