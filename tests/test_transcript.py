"""Updates fold into parts; the operations say the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.formats.updates import END, LANE
from playground.transcript import Transcript, join_halves, said, shown
from tests.support.applier import Applier, standing

OWL = "🦉"
HIGH, LOW = "\ud83e", "\udd89"


def opened(key, kind="text", after=END, **fields):
    return ("open", key, kind, fields, after)


def folded(*updates):
    transcript = Transcript()
    transcript.apply(1, updates)
    return transcript


def told(*updates):
    return said(folded(*updates), events=0, complete=False)


# Folding


def test_every_operation_names_its_row_and_its_part():
    transcript = Transcript()
    assert transcript.apply(
        7,
        [
            opened("a", text="x"),
            ("append", "a", "text", "y"),
            ("set", "a", "format", "f"),
            ("final", "a", "text", "xy"),
            ("final", "a", "text", "xyz"),
            ("link", "a"),
            ("close", "a"),
            ("set", LANE, "model", "m"),
        ],
    ) == [
        (7, "open", 1, "text", {"text": "x"}, None),
        (7, "append", 1, "text", "y"),
        (7, "set", 1, "format", "f"),
        (7, "link", 1),
        (7, "set", 1, "text", "xyz"),
        (7, "link", 1),
        (7, "close", 1),
        (7, "set", 0, "model", "m"),
    ]
    part = transcript.part("a")
    assert part.closed
    assert part.value("text") == "xyz"
    assert part.value("nothing") is None
    assert transcript.lane.fields == {"model": "m"}


def test_folding_goes_on_in_a_list_that_is_there():
    operations = ["before"]
    Transcript().fold(1, [opened("a")], operations)
    assert operations == ["before", (1, "open", 1, "text", {}, None)]


def test_parts_stand_behind_the_one_that_is_named():
    transcript = Transcript()
    operations = transcript.apply(
        1, [opened("a"), opened("b"), opened("c", after="a"), opened("d", after=LANE), opened("e")]
    )
    assert [part.key for part in transcript] == ["d", "a", "c", "b", "e"]
    assert [operation[5] for operation in operations] == [None, None, 1, 0, None]


def test_a_part_behind_the_last_is_the_last():
    transcript = folded(opened("a"), opened("b", after="a"), opened("c"))
    assert [part.key for part in transcript] == ["a", "b", "c"]


def test_a_part_may_stand_behind_the_one_whose_key_it_takes():
    transcript = folded(opened("a", text="1"), opened("b"), opened("a", after="a", text="2"))
    assert [part.value("text") for part in transcript] == ["1", "2", None]


def test_a_key_that_is_opened_again_names_the_new_part():
    transcript = folded(opened("a", text="1"), opened("a", text="2"), ("append", "a", "text", "3"))
    assert [part.value("text") for part in transcript] == ["1", "23"]


def test_a_part_that_was_closed_may_still_grow():
    assert told(opened("a", text="1"), ("close", "a"), ("append", "a", "text", "2"))["text"] == "12"


def test_a_reset_takes_everything_back():
    transcript = Transcript()
    transcript.apply(1, [opened("a"), opened("x", "error", message="m"), ("set", LANE, "finish", "stop")])
    assert transcript.failed
    assert transcript.apply(2, [("reset",), opened("a", text="b")]) == [
        (2, "reset"),
        (2, "open", 1, "text", {"text": "b"}, None),
    ]
    assert [part.value("text") for part in transcript] == ["b"]
    assert transcript.lane.fields == {}
    assert not transcript.failed


# Final values


@pytest.mark.parametrize(
    ("standing_text", "final", "text", "operation"),
    [
        ("ab", "ab", "ab", "link"),
        ("ab", "", "ab", "link"),
        ("", "", "", "link"),
        ("", "ab", "ab", "set"),
        ("ab", "c", "c", "set"),
    ],
)
def test_a_final_value_replaces_unless_it_is_equal_or_empty(standing_text, final, text, operation):
    transcript = folded(opened("a"), ("append", "a", "text", standing_text))
    assert transcript.apply(2, [("final", "a", "text", final)])[0][1] == operation
    assert transcript.part("a").joined() == text


def test_a_final_value_for_what_never_grew_is_set():
    transcript = folded(opened("a", "tool_call"))
    assert transcript.apply(2, [("final", "a", "arguments", "{}")]) == [(2, "set", 1, "arguments", "{}")]


def test_a_final_value_in_whole_characters_equals_what_came_in_halves():
    transcript = folded(opened("a", text=HIGH), ("append", "a", "text", LOW))
    assert transcript.apply(2, [("final", "a", "text", OWL)]) == [(2, "link", 1)]


# Halves of characters


def test_halves_join_within_a_part_only():
    assert told(opened("a", text=HIGH), ("append", "a", "text", LOW))["text"] == OWL
    assert told(opened("a", text=HIGH), opened("b", text=LOW))["text"] == "\ufffd\ufffd"


def test_a_half_stays_what_it_is_until_its_other_half_comes():
    transcript = folded(opened("a", text="x" + HIGH))
    assert transcript.part("a").joined() == "x" + HIGH
    assert transcript.part("a").value("text") == "x\ufffd"
    transcript.apply(2, [("append", "a", "text", LOW)])
    assert transcript.part("a").value("text") == "x" + OWL


@pytest.mark.parametrize("text", ["", "a", OWL, HIGH + LOW, LOW + HIGH, HIGH + HIGH + LOW, "a" + LOW, OWL + HIGH])
def test_what_is_shown_can_be_encoded(text):
    shown(text).encode()
    assert len(join_halves(text)) == len(shown(text))


def test_halves_in_names_are_shown_as_whole_characters_too():
    assert told(opened("a", "tool_call", name=HIGH + LOW))["tool_calls"][0]["name"] == OWL


# Heavy fields


def test_base64_never_travels_only_its_size_does():
    transcript = Transcript()
    operations = transcript.apply(
        1,
        [
            opened("i", "image", data="aGFy", id="i"),
            ("append", "i", "data", "Yg=="),
            ("set", "i", "data", "aGk="),
            ("final", "i", "data", "aGk="),
            ("final", "i", "data", "aGkhIQ=="),
            opened("s", "audio"),
            ("append", "s", "data", "UklG"),
        ],
    )
    assert operations == [
        (1, "open", 1, "image", {"id": "i", "size": 4}, None),
        (1, "set", 1, "size", 8),
        (1, "set", 1, "size", 4),
        (1, "link", 1),
        (1, "set", 1, "size", 8),
        (1, "open", 2, "audio", {}, None),
        (1, "set", 2, "size", 4),
    ]
    assert transcript.part("i").joined("data") == "aGkhIQ=="


def test_opening_with_base64_leaves_the_update_as_it_was():
    update = opened("i", "image", data="aGFy")
    folded(update)
    assert update == ("open", "i", "image", {"data": "aGFy"}, END)


# What was said


def test_the_flat_fields_are_sums_of_the_first_choice():
    answer = told(
        opened("r", "reasoning", text="hm"),
        opened("a", text="x"),
        opened("b", text="other", choice=1),
        opened("c", text="y"),
        opened("n", "refusal", text="no"),
    )
    assert (answer["text"], answer["reasoning"], answer["refusal"]) == ("xy", "hm", "no")
    assert answer["parts"][2] == {"kind": "text", "text": "other", "choice": 1}


@pytest.mark.parametrize(
    ("part", "plain"),
    [
        (opened("a", "text"), None),
        (opened("a", "text", text=""), None),
        (opened("a", "refusal", text=""), None),
        (opened("a", "reasoning", format="f", summary=True), None),
        (opened("a", "reasoning", signature="c2ln"), {"kind": "reasoning", "text": "", "signature": True}),
        (
            opened("a", "reasoning", encrypted="ZW5j", format="f"),
            {"kind": "reasoning", "text": "", "encrypted": True, "format": "f"},
        ),
        (opened("a", "reasoning", text="x", signature=""), {"kind": "reasoning", "text": "x"}),
        (opened("a", "tool_call"), {"kind": "tool_call", "id": None, "arguments": ""}),
        (
            opened("a", "tool_call", id="c", name="f", index=0),
            {"kind": "tool_call", "id": "c", "name": "f", "arguments": ""},
        ),
        (
            opened("a", "server_tool", id="s", name="web_search", results=0, error="e"),
            {"kind": "server_tool", "id": "s", "name": "web_search", "results": 0, "error": "e"},
        ),
        (opened("a", "citation", url="u", cited_text="c", title="t"), {"kind": "citation", "url": "u", "title": "t"}),
        (opened("a", "citation", cited_text="c"), {"kind": "citation", "cited_text": "c"}),
        (opened("a", "image", data="aGFy"), {"kind": "image", "size": 4}),
        (opened("a", "image", url="u", size=9), {"kind": "image", "url": "u"}),
        (opened("a", "audio", id="au", transcript="t"), {"kind": "audio", "id": "au", "transcript": "t"}),
        (opened("a", "extra", name="n", value=[None]), {"kind": "extra", "name": "n", "value": [None]}),
        (opened("a", "error", message="m"), None),
        (opened("a", "text", text="x", status="abandoned"), None),
        (opened("a", "tool_call", id="c", status="superseded"), None),
        (opened("a", "text", text="x", status="in_progress"), {"kind": "text", "text": "x"}),
    ],
)
def test_a_part_says_what_was_on_the_wire_and_no_more(part, plain):
    assert told(part)["parts"] == ([] if plain is None else [plain])


def test_what_is_left_out_is_in_no_flat_field():
    answer = told(opened("a", text="x", status="abandoned"), opened("b", "tool_call", id="c", status="superseded"))
    assert (answer["text"], answer["tool_calls"]) == ("", [])


def test_usage_finish_and_errors_are_flat():
    usage = {"input": 1, "output": 2, "reasoning": None, "cached": None, "written": 5, "total": 3, "raw": {}}
    answer = told(
        ("set", LANE, "usage", usage),
        ("set", LANE, "finish", "stop"),
        opened("x", "error", message="m", raw={}),
        opened("y", "error", raw={}),
    )
    assert answer["usage"] == {"input": 1, "output": 2, "reasoning": None, "cached": None}
    assert answer["finish"] == "stop"
    assert answer["errors"] == ["m"]
    assert told()["usage"] is None


# The operations, folded again, come to the same

keys = st.sampled_from(["a", "b", "c"])
texts = st.text(st.sampled_from(["x", OWL, HIGH, LOW]), max_size=3)
fields = st.sampled_from(["text", "arguments", "data", "format"])
opening = st.builds(
    lambda key, kind, given, after: ("open", key, kind, given, after),
    keys,
    st.sampled_from(["text", "tool_call", "image", "error"]),
    st.dictionaries(fields, texts, max_size=2),
    keys | st.just(END) | st.just(LANE),
)
changes = st.one_of(
    st.builds(lambda key, field, text: ("append", key, field, text), keys, fields.filter("format".__ne__), texts),
    st.builds(lambda key, field, text: ("set", key, field, text), keys | st.just(LANE), fields, texts),
    st.builds(lambda key, field, text: ("final", key, field, text), keys, fields.filter("format".__ne__), texts),
    st.builds(lambda name, key: (name, key), st.sampled_from(["link", "close"]), keys),
    st.just(("reset",)),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(opening | changes, max_size=25))
def test_operations_folded_again_give_the_same_parts(updates):
    transcript, applier = Transcript(), Applier()
    known = {LANE}
    for row, update in enumerate(updates):
        if update[0] == "open" and (update[4] in known or update[4] == END):
            known.add(update[1])
        elif update[0] == "reset":
            known = {LANE}
        elif update[0] == "open" or update[1] not in known:
            continue
        applier.apply(transcript.apply(row, [update]))
    assert applier.standing() == standing(transcript)
