"""JSON as the wire means it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.formats.interface import compact, dumps, parse
from playground.sse.rows import NOT_JSON

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize("text", ["NaN", "Infinity", '{"a":-Infinity}', "[DONE]", "", " ", '{"a":1}{"b":2}', "{'a':1}"])
def test_what_is_no_json_is_not_read(text):
    assert parse(text) is NOT_JSON


def test_a_lone_half_of_a_character_is_read():
    assert parse('{"a":"\\ud83e"}') == {"a": "\ud83e"}


def test_a_value_with_a_lone_half_is_written():
    assert compact({"a": ["\ud83e"]}) == '{"a":["\ud83e"]}'
    assert dumps("\ud83e", ensure_ascii=True) == '"\\ud83e"'


@pytest.mark.parametrize("depth", [200, 300, 990, 1020])
def test_a_value_is_written_however_deep_it_is(depth):
    text = '{"a":[1,' * (depth // 2) + '[{},""]' + "]}" * (depth // 2)
    assert compact(parse(text)) == text


@given(VALUES)
def test_a_value_too_deep_for_the_standard_module_is_written_as_it_would(value):
    deep = [value]
    for _ in range(1100):
        deep = [deep]
    assert dumps(deep, ensure_ascii=True) == "[" * 1101 + json.dumps(value, separators=(",", ":")) + "]" * 1101
