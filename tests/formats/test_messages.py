"""Messages: blocks, misplaced deltas, a second message, usage, extras, the end."""

import pytest
from hypothesis import given, settings

from playground.formats.messages import Messages
from playground.formats.updates import LANE
from tests.support.mutated import mutated_streams
from tests.support.reading import Reading, event

TEXT = {"type": "text", "text": ""}
THINKING = {"type": "thinking", "thinking": "", "signature": ""}
TOOL = {"type": "tool_use", "id": "toolu_1", "name": "tide_table", "input": {}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
STOP = {"type": "message_stop"}


def started(id="msg_1", **more):
    message = {"id": id, "type": "message", "role": "assistant", "model": "heron-4", "content": [], **more}
    return {"type": "message_start", "message": {name: value for name, value in message.items() if value is not None}}


def opened(block, index=0, **more):
    return {"type": "content_block_start", "index": index, "content_block": block, **more}


def delta(value, index=0, **more):
    return {"type": "content_block_delta", "index": index, "delta": value, **more}


def text(value, index=0):
    return delta({"type": "text_delta", "text": value}, index)


def thinking(value, index=0):
    return delta({"type": "thinking_delta", "thinking": value}, index)


def json_piece(value, index=0):
    return delta({"type": "input_json_delta", "partial_json": value}, index)


def closed(index=0):
    return {"type": "content_block_stop", "index": index}


def ended(reason="end_turn", usage=None, **more):
    event = {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, **more}
    return event if usage is None else {**event, "usage": usage}


def read(*values):
    reading = Reading(Messages())
    reading.feed(*values)
    return reading.end()


def lane(reading):
    return reading.transcript.lane.fields


# Blocks


def test_text_that_a_block_starts_with_comes_first():
    assert read(opened({"type": "text", "text": "Hi"}), text(" there")).said["text"] == "Hi there"


def test_a_block_opens_whatever_stood_at_its_index():
    reading = read(opened(TEXT), text("a"), opened(TEXT), text("b"), closed())
    assert [part["text"] for part in reading.parts] == ["a", "b"]


def test_blocks_stand_in_the_order_in_which_they_opened():
    reading = read(opened(TEXT, 5), opened(THINKING, 2), text("later", 5), thinking("first", 2))
    assert [part["kind"] for part in reading.parts] == ["text", "reasoning"]


def test_a_delta_of_a_stopped_block_still_counts():
    assert read(opened(TEXT), text("a"), closed(), text("b")).said["text"] == "ab"


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ({"type": "text_delta", "text": "a"}, {"kind": "text", "text": "a"}),
        ({"type": "thinking_delta", "thinking": "a"}, {"kind": "reasoning", "text": "a"}),
        ({"type": "signature_delta", "signature": "c2ln"}, {"kind": "reasoning", "text": "", "signature": True}),
        ({"type": "input_json_delta", "partial_json": "{"}, {"kind": "tool_call", "id": None, "arguments": "{"}),
    ],
)
def test_a_delta_tells_what_the_block_is_that_nothing_started(value, part):
    assert read(delta(value)).parts == [part]


def test_a_citation_can_open_its_text():
    citation = {"type": "char_location", "cited_text": "six", "document_index": 0}
    reading = read(delta({"type": "citations_delta", "citation": citation}), text("At six."))
    assert reading.parts == [{"kind": "text", "text": "At six."}, {"kind": "citation", "cited_text": "six"}]


def test_an_unknown_delta_opens_nothing():
    assert read(delta({"type": "glow_delta", "glow": "x"})).updates == []


@pytest.mark.parametrize("index", [{}, {"index": None}])
def test_a_delta_without_an_index_goes_to_the_block_opened_last(index):
    piece = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "a"}, **index}
    reading = read(opened(TEXT, 0), opened(TEXT, 1), piece)
    assert reading.transcript.part(2).joined() == "a"


def test_halves_of_a_character_are_joined_within_a_block():
    assert read(opened(TEXT), text("\ud83e"), text("\udd89")).said["text"] == "🦉"


def test_a_block_of_an_unknown_type_is_an_extra():
    block = {"type": "container_upload", "file_id": "file_1"}
    assert read(opened(block), closed()).parts == [{"kind": "extra", "name": "container_upload", "value": block}]


def test_a_compaction_gets_what_its_deltas_bring():
    value = {"type": "compaction_delta", "content": "short", "encrypted_content": "ZW5j"}
    part = read(opened({"type": "compaction", "content": None}), delta(value)).transcript.part(1)
    assert (part.fields["content"], part.fields["encrypted"]) == ("short", "ZW5j")


# Misplaced deltas


def test_text_in_a_block_of_another_type_is_said_in_a_part_of_its_own():
    reading = read(opened(THINKING), thinking("a"), opened(TEXT, 1), text("b", 1), text("c"), text("d"), thinking("e"))
    assert reading.parts == [
        {"kind": "reasoning", "text": "ae"},
        {"kind": "text", "text": "b"},
        {"kind": "text", "text": "cd"},
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"type": "signature_delta", "signature": "c2ln"},
        {"type": "citations_delta", "citation": {"url": "https://a.example"}},
        {"type": "compaction_delta", "content": "x"},
    ],
)
def test_any_other_delta_at_the_wrong_place_changes_nothing(value):
    reading = Reading(Messages())
    reading.feed(opened(TOOL))
    assert reading.feed(delta(value)) == [("link", 1)]


# Tool calls


def test_the_input_of_the_start_block_is_used_when_no_piece_comes():
    assert read(opened({**TOOL, "input": {"a": [1]}}), closed()).said["tool_calls"][0]["arguments"] == '{"a":[1]}'
    assert read(opened(TOOL), json_piece(""), closed()).said["tool_calls"][0]["arguments"] == "{}"
    assert read(opened(TOOL)).said["tool_calls"][0]["arguments"] == "{}"


@pytest.mark.parametrize("input", [None, ...])
def test_a_start_block_without_input_has_no_arguments(input):
    block = {name: value for name, value in {**TOOL, "input": input}.items() if value is not ...}
    assert read(opened(block), closed()).said["tool_calls"][0]["arguments"] == ""


def test_pieces_take_the_place_of_the_start_blocks_input():
    reading = read(opened({**TOOL, "input": {"a": 1}}), json_piece('{"b":'), json_piece("2}"), closed())
    assert reading.said["tool_calls"] == [{"id": "toolu_1", "name": "tide_table", "arguments": '{"b":2}'}]


def test_pieces_after_the_stop_take_its_place_too():
    reading = read(opened(TOOL), closed(), json_piece('{"b":'), json_piece("2}"))
    assert reading.said["tool_calls"][0]["arguments"] == '{"b":2}'


def test_an_input_that_stands_in_the_start_block_is_shown_at_once():
    reading = Reading(Messages())
    reading.feed(opened({**TOOL, "input": {"a": 1}}))
    assert reading.said["tool_calls"][0]["arguments"] == '{"a":1}'


# Server tools


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([{"type": "web_search_result", "url": "https://a.example"}] * 2, {"results": 2}),
        ([], {"results": 0}),
        ({"type": "web_search_tool_result_error", "error_code": "unavailable"}, {"results": 0, "error": "unavailable"}),
        ({"type": "web_fetch_result", "url": "https://a.example"}, {}),
        ("plain text", {}),
    ],
)
def test_a_result_goes_to_its_tool(content, said):
    result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}
    reading = read(opened(SEARCH), json_piece('{"q":1}'), closed(), opened(result, 1), closed(1))
    tool = {"kind": "server_tool", "id": "srvtoolu_1", "name": "web_search", "input": '{"q":1}'}
    assert reading.parts == [{**tool, **said}]


def test_a_result_without_its_tool_is_no_part():
    result = {"type": "mcp_tool_result", "tool_use_id": "other", "content": [], "is_error": True}
    assert read(opened(result), closed()).updates == []


def test_text_inside_a_result_is_said_all_the_same():
    result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    reading = read(opened(SEARCH), closed(), opened(result, 1), text("a", 1), closed(1))
    assert reading.said["text"] == "a"


# Citations


def test_citations_stand_right_behind_their_text():
    one = {"type": "web_search_result_location", "url": "https://a.example", "title": "A", "cited_text": "a"}
    two = {"type": "page_location", "cited_text": "b", "start_page_number": 3, "document_title": None}
    reading = read(
        opened({"type": "text", "text": "x", "citations": [one]}, 0),
        opened(TEXT, 1),
        text("y", 1),
        delta({"type": "citations_delta", "citation": two}, 0),
    )
    assert reading.parts == [
        {"kind": "text", "text": "x"},
        {"kind": "citation", "url": "https://a.example", "title": "A"},
        {"kind": "citation", "cited_text": "b"},
        {"kind": "text", "text": "y"},
    ]


# Thinking


def test_a_signature_is_set_once_and_never_erased():
    reading = read(
        opened(THINKING),
        thinking("a"),
        delta({"type": "signature_delta", "signature": "b25l"}),
        delta({"type": "signature_delta", "signature": ""}),
    )
    assert reading.transcript.part(1).fields["signature"] == "b25l"


def test_a_signature_that_the_start_block_has_counts():
    assert read(opened({**THINKING, "signature": "b25l"})).parts == [
        {"kind": "reasoning", "text": "", "signature": True}
    ]


def test_redacted_thinking_is_reasoning_without_text():
    reading = read(opened({"type": "redacted_thinking", "data": "ZW5j"}), closed())
    assert reading.parts == [{"kind": "reasoning", "text": "", "encrypted": True}]
    assert reading.transcript.part(1).fields["encrypted"] == "ZW5j"


# Start, stop, usage


def test_usage_is_overlaid_and_never_added():
    start = {"input_tokens": 20, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 1}
    later = {"input_tokens": 27, "output_tokens": 47, "cache_read_input_tokens": None}
    reading = read(started(usage=start), ended(usage={"output_tokens": 17}), ended(usage=later))
    usage = lane(reading)["usage"]
    assert (usage["input"], usage["cached"], usage["written"], usage["output"]) == (27, 100, 5, 47)
    assert usage["whole_input"] == 132
    assert usage["raw"] == {**start, "input_tokens": 27, "output_tokens": 47}


def test_usage_inside_the_delta_is_not_counted():
    event = {"type": "message_delta", "delta": {"stop_reason": "end_turn", "usage": {"output_tokens": 9}}}
    assert read(started(), event).said["usage"] is None


def test_an_unknown_count_is_not_zero():
    reading = read(started(), ended(usage={"output_tokens": 4}))
    assert reading.said["usage"] == {"input": None, "output": 4, "reasoning": None, "cached": None}
    assert lane(reading)["usage"]["whole_input"] is None


def test_thinking_tokens_are_reasoning():
    usage = {"output_tokens": 60, "output_tokens_details": {"thinking_tokens": 44}}
    assert read(started(), ended(usage=usage)).said["usage"]["reasoning"] == 44


@pytest.mark.parametrize("reason", [None, "", "null", 5, ["end_turn"]])
def test_a_stop_reason_that_says_nothing_does_not_erase(reason):
    assert read(started(), ended("tool_use"), ended(reason), STOP).said["finish"] == "tool_use"
    assert read(started(), ended(reason), STOP).said["finish"] is None


def test_the_lane_has_what_the_message_says_of_itself():
    details = {"type": "refusal", "category": "cyber"}
    end = {"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_details": details, "stop_sequence": "X"}}
    fields = lane(read(started(usage={"service_tier": "batch"}), end))
    assert (fields["id"], fields["model"], fields["role"]) == ("msg_1", "heron-4", "assistant")
    assert (fields["stop_sequence"], fields["stop_details"], fields["service_tier"]) == ("X", details, "batch")


@pytest.mark.parametrize(
    ("events", "complete"),
    [
        ([started(), ended(), STOP], True),
        ([ended(), STOP], False),
        ([started(), STOP], False),
        ([started(), ended()], False),
        ([started(), ended(None), STOP], False),
        ([started(), STOP, ended()], True),
        ([started(), ended(), {"type": "error", "error": {"message": "x"}}, STOP], True),
    ],
)
def test_complete_takes_a_start_a_reason_and_a_stop(events, complete):
    reading = read(*events)
    assert reading.said["complete"] is complete
    assert lane(reading).get("complete", False) is complete


def test_a_field_is_set_only_when_it_changes():
    reading = Reading(Messages())
    reading.feed(started(usage={"input_tokens": 1}), ended(usage={"output_tokens": 2}))
    assert reading.feed(ended(usage={"output_tokens": 2})) == [("link", LANE)]


# A second message


def test_a_message_with_another_id_takes_everything_back():
    extra = {"type": "ping", "cost": 1}
    first = [started("msg_1", usage={"input_tokens": 1}), extra, opened(TEXT), text("lost"), closed()]
    citation = {"type": "citations_delta", "citation": {"url": "https://a.example"}}
    reading = read(*first, delta(citation), ended("max_tokens"), STOP, started("msg_2"), opened(TEXT), text("kept"))
    said = reading.said
    assert (said["text"], said["finish"], said["usage"], said["complete"]) == ("kept", None, None, False)
    assert said["parts"] == [{"kind": "text", "text": "kept"}]
    assert [part.fields.get("status") for part in reading.transcript] == ["abandoned"] * 3 + [None]
    assert lane(reading)["id"] == "msg_2"
    assert not lane(reading)["complete"]


def test_blocks_of_the_first_message_are_gone_with_it():
    reading = read(started("msg_1"), opened(THINKING), thinking("lost"), started("msg_2"), text("kept"))
    assert reading.parts == [{"kind": "text", "text": "kept"}]


@pytest.mark.parametrize("id", ["msg_1", None])
def test_the_same_message_started_again_only_adds_usage(id):
    again = started(id, model="other", usage={"output_tokens": 2})
    reading = read(started(id, usage={"input_tokens": 1}), opened(TEXT), text("a"), again, text("b"))
    assert reading.said["text"] == "ab"
    assert reading.said["usage"]["input"] == 1
    assert reading.said["usage"]["output"] == 2
    assert lane(reading)["model"] == "heron-4"


def test_errors_outlive_the_message_in_which_they_came():
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    assert read(started("msg_1"), error, started("msg_2")).said["errors"] == ["busy"]


# Extras, errors


def test_keys_that_the_format_does_not_have_are_extras():
    reading = read(
        {"type": "ping", "cost": None, "trace": "t1"},
        delta({"type": "text_delta", "text": "a"}, provider="p"),
        {"type": "ping", "trace": "t2", "request_id": "r"},
        {"type": "unheard_of", "more": 1},
        STOP,
    )
    assert reading.parts == [
        {"kind": "extra", "name": "trace", "value": "t2"},
        {"kind": "text", "text": "a"},
        {"kind": "extra", "name": "provider", "value": "p"},
    ]


@pytest.mark.parametrize(
    ("value", "name", "errors"),
    [
        ({"type": "error", "error": {"type": "api_error", "message": "x"}}, "error", ["x"]),
        ({"error": {"message": "x"}}, "", ["x"]),
        ({"error": "x"}, "message_delta", ["x"]),
        ({"error": {"message": 5}}, "", ['{"message":5}']),
        ({"error": {"message": "x"}}, "error", ["x"]),
        ({"error": None}, "", []),
        ({"type": "glow", "error": {"message": "x"}}, "", []),
        ({"type": "ping", "error": {"message": "x"}}, "", []),
    ],
)
def test_errors_come_in_several_shapes(value, name, errors):
    reading = Reading(Messages())
    reading.feed(value, name=name)
    assert reading.end().said["errors"] == errors


def test_the_event_name_is_the_type_when_the_object_has_none():
    reading = Reading(Messages())
    reading.feed({"index": 0, "delta": {"type": "text_delta", "text": "a"}}, name="content_block_delta")
    reading.feed({"type": None, "index": 0, "delta": {"type": "text_delta", "text": "b"}}, name="content_block_delta")
    assert reading.end().said["text"] == "ab"


@pytest.mark.parametrize("value", ["[DONE]", "", "null", "[]", '"a"', "5", "{", "NaN"])
def test_what_is_no_object_adds_nothing(value):
    assert read(value).updates == []


# The end


def test_what_nothing_closed_is_broken_off():
    reading = read(started(), opened(TEXT), text("a"), closed(), opened(TOOL, 1), json_piece("{", 1))
    one, two = reading.transcript
    assert one.closed
    assert not two.closed
    assert two.fields["broken"] is True
    assert "broken" not in one.fields


def test_a_message_that_ended_closes_what_it_left_open():
    reading = read(started(), opened(TEXT), text("a"), ended(), STOP)
    (part,) = reading.transcript
    assert part.closed
    assert "broken" not in part.fields


# No stream


def test_a_document_is_said_as_reasoning_text_calls():
    content = [
        {"type": "text", "text": "a", "citations": [{"type": "char_location", "cited_text": "c"}]},
        TOOL,
        {"type": "thinking", "thinking": "t", "signature": "c2ln"},
        {"type": "text", "text": "b"},
    ]
    usage = {"input_tokens": 3, "output_tokens": 4}
    value = {"id": "m", "type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use"}
    reading = Reading(Messages()).document({**value, "usage": usage}).end()
    said = reading.said
    assert [part["kind"] for part in said["parts"]] == ["reasoning", "text", "citation", "text", "tool_call"]
    assert (said["text"], said["reasoning"], said["finish"]) == ("ab", "t", "tool_use")
    assert said["tool_calls"][0]["arguments"] == "{}"
    assert said["usage"]["output"] == 4
    assert not said["complete"]
    assert all(part.closed for part in reading.transcript)


def test_an_error_document_is_an_error():
    value = {"type": "error", "error": {"type": "authentication_error", "message": "no"}, "request_id": "r"}
    assert Reading(Messages()).document(value).said["errors"] == ["no"]


# Robust and fast


@settings(max_examples=150, deadline=None)
@given(mutated_streams("messages"))
def test_no_event_raises_and_the_short_way_is_the_long_one(stream):
    short, long = Reading(Messages()), Reading(Messages())
    for name, value in stream:
        long.decoder._running.clear()
        assert short.feed(value, name=name) == long.feed(value, name=name)
    assert short.end().said == long.end().said


def test_common_deltas_take_the_short_way(monkeypatch):
    decoder = Messages()
    reading = Reading(decoder)
    reading.feed(opened(TEXT, 0), opened(THINKING, 1), opened(TOOL, 2), json_piece("{", 2))
    monkeypatch.setattr(decoder, "_any_delta", None)
    for number, value in enumerate([text("a", 0), thinking("b", 1), json_piece("}", 2)]):
        assert len(decoder.event(event(number, value))) == 1
