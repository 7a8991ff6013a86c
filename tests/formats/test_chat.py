"""Chat Completions: every rule about choices, fragments, calls, usage, finish and errors."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.formats.chat import Chat
from playground.formats.updates import LANE
from tests.support.reading import Reading, event

HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1767200000, "model": "orchid-2"}
DONE = "[DONE]"


def chunk(delta=None, finish=None, index=0, **more):
    choice = {"index": index, "delta": {} if delta is None else delta, "finish_reason": finish}
    return {**HEAD, "choices": [choice], **more}


def read(*values):
    reading = Reading(Chat())
    reading.feed(*values)
    reading.end()
    return reading


def deltas(*values):
    return read(*(chunk(value) for value in values))


def calls(*entries):
    """What a stream with these entries of tool_calls, one a chunk, says."""
    return deltas(*({"tool_calls": [entry]} for entry in entries)).said["tool_calls"]


def call(id=None, name=None, arguments=None, **more):
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {**more, **({} if id is None else {"id": id}), "function": function}


# The lane


def test_the_lane_has_the_first_value_that_says_something():
    azure = {"id": "", "object": "", "created": 0, "model": "", "choices": [], "prompt_filter_results": [1]}
    reading = read(azure, chunk({"role": "assistant", "content": "a"}), {**chunk({"content": "b"}), "id": "other"})
    fields = reading.transcript.lane.fields
    assert fields["id"] == "chatcmpl-1"
    assert fields["created"] == 1767200000
    assert fields["model"] == "orchid-2"
    assert fields["role"] == "assistant"


def test_fingerprint_and_service_tier_are_the_lanes():
    reading = read(
        chunk({"content": "a"}, system_fingerprint=None), chunk({}, system_fingerprint="fp", service_tier="flex")
    )
    assert reading.transcript.lane.fields["system_fingerprint"] == "fp"
    assert reading.transcript.lane.fields["service_tier"] == "flex"
    assert reading.parts == [{"kind": "text", "text": "a"}]


# Complete


@pytest.mark.parametrize(
    ("values", "complete"),
    [
        ([chunk({"content": "a"}), chunk(finish="stop"), DONE], True),
        ([chunk(finish="stop"), "  [DONE] "], True),
        ([chunk({"content": "a"}), DONE], False),
        ([chunk(finish="stop")], False),
        ([DONE], False),
        ([chunk(finish=""), DONE], False),
        ([chunk(finish="null"), DONE], False),
        ([chunk(finish="error"), DONE], True),
        ([chunk(finish="stop"), chunk({"content": "b"}, index=1), DONE], False),
        ([chunk(finish="stop"), chunk(finish="length", index=1), DONE], True),
        ([DONE, chunk(finish="stop")], True),
        ([chunk(finish="stop"), DONE, chunk({"content": "b"}, index=1)], False),
    ],
)
def test_a_stream_is_complete_when_every_choice_has_finished_and_done_came(values, complete):
    reading = read(*values)
    assert reading.decoder.complete is complete
    assert reading.transcript.lane.fields.get("complete", False) is complete


def test_the_last_finish_reason_that_is_one_stands():
    reading = read(
        chunk({"content": "a"}, "length"), chunk(finish="stop"), chunk(finish=""), chunk(finish="null"), chunk()
    )
    assert reading.said["finish"] == "stop"


def test_each_choice_has_its_own_finish():
    reading = read(chunk(finish="stop"), chunk(finish="length", index=2))
    assert reading.said["finish"] == "stop"
    assert reading.transcript.lane.fields["finish:2"] == "length"


def test_the_parts_of_a_choice_close_when_it_finishes_and_the_rest_at_the_end():
    reading = Reading(Chat())
    reading.feed(chunk({"content": "a"}), chunk({"content": "b"}, index=1), chunk(finish="stop"))
    assert [part.closed for part in reading.transcript] == [True, False]
    reading.feed(chunk({"content": "c"}, tier=1))
    reading.end()
    assert all(part.closed for part in reading.transcript)
    assert reading.said["text"] == "ac"


# Text, reasoning, refusal


def test_text_resumes_as_a_new_part_after_something_else():
    reading = deltas(
        {"content": "a"}, {"content": "b"}, {"reasoning": "r"}, {"content": "c"}, {"refusal": "no"}, {"content": "d"}
    )
    assert [(part["kind"], part["text"]) for part in reading.parts] == [
        ("text", "ab"),
        ("reasoning", "r"),
        ("text", "c"),
        ("refusal", "no"),
        ("text", "d"),
    ]
    assert reading.said["text"] == "abcd"


def test_empty_strings_citations_and_extras_end_no_run():
    note = {"annotations": [{"type": "url_citation", "url_citation": {"url": "https://a.example", "title": "A"}}]}
    reading = read(
        chunk({"content": "a"}),
        chunk({"content": "", "reasoning": "", "refusal": ""}),
        chunk(note, provider="North"),
        chunk({"content": "b"}),
    )
    assert reading.parts == [
        {"kind": "text", "text": "ab"},
        {"kind": "citation", "url": "https://a.example", "title": "A"},
        {"kind": "extra", "name": "provider", "value": "North"},
    ]


def test_within_one_delta_reasoning_stands_before_text():
    reading = deltas({"content": "b", "reasoning_content": "a", "refusal": "c"})
    assert [part["kind"] for part in reading.parts] == ["reasoning", "text", "refusal"]


def test_reasoning_takes_one_channel_a_delta():
    detail = [{"type": "reasoning.text", "text": "d", "index": 0}]
    reading = deltas(
        {"reasoning": "d", "reasoning_content": "d", "reasoning_details": detail},
        {"reasoning": "x", "reasoning_content": "e"},
        {"reasoning": "f", "reasoning_content": "", "reasoning_details": []},
        {"reasoning": "g", "reasoning_content": None, "reasoning_details": [{"type": "reasoning.text", "text": ""}]},
    )
    assert reading.said["reasoning"] == "defg"


def test_a_list_as_content_is_split_into_text_and_thinking():
    reading = deltas(
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}, {"type": "reference"}]}]},
        {"content": [{"type": "thinking", "thinking": "m"}, {"type": "text", "text": "a"}, {"type": "image_url"}, 7]},
        {"content": ["b"]},
    )
    assert [(part["kind"], part["text"]) for part in reading.parts] == [("reasoning", "hmm"), ("text", "ab")]


def test_halves_of_a_character_join_and_a_lone_one_is_replaced():
    half = chunk({"content": "x"})
    texts = [json.dumps(half).replace('"x"', f'"{escape}"') for escape in (r"a\ud83e", r"\udd89", r"\ud83e")]
    assert read(*texts).said["text"] == "a🦉\ufffd"


def test_what_is_no_json_object_adds_nothing():
    reading = read("", "no", "null", "[]", "7", '"a"', '{"choices": [{"delta": {"content": NaN}}]}', "[DONE] x")
    assert reading.updates == []


# Reasoning details


def details(*entries):
    return [chunk({"reasoning_details": [entry]}) for entry in entries]


def test_details_are_joined_by_index_in_the_order_in_which_the_indexes_appeared():
    reading = read(
        *details(
            {"index": 3, "type": "reasoning.text", "text": "a", "format": "anthropic-claude-v1"},
            {"index": 0, "type": "reasoning.summary", "summary": "x", "id": "rs_1"},
            {"index": 3, "type": "reasoning.text", "text": "b", "format": "other"},
        ),
        chunk({"content": "t"}),
        *details({"index": 3, "signature": "c2ln"}),
        chunk({"content": "u"}),
        *details({"index": 0, "summary": "y"}),
        chunk({"content": "v"}),
    )
    assert reading.parts == [
        {"kind": "reasoning", "text": "ab", "signature": True, "format": "anthropic-claude-v1"},
        {"kind": "reasoning", "text": "xy", "summary": True},
        {"kind": "text", "text": "tu"},
        {"kind": "text", "text": "v"},
    ]


def test_a_details_attributes_are_fields_of_its_part():
    encrypted = {
        "index": 1,
        "type": "reasoning.encrypted",
        "data": "ZW5j",
        "id": "rs_1",
        "format": "openai-responses-v1",
    }
    part = next(iter(read(*details(encrypted)).transcript))
    assert part.fields == {
        "index": 1,
        "type": "reasoning.encrypted",
        "encrypted": "ZW5j",
        "id": "rs_1",
        "format": "openai-responses-v1",
    }


def test_a_detail_that_says_nothing_new_is_a_link():
    reading = Reading(Chat())
    first, second = details({"index": 0, "text": "a", "format": "f"}, {"index": 0, "text": "", "format": "f"})
    reading.feed(first)
    assert [update[0] for update in reading.feed(second)] == ["link"]


def test_a_detail_in_which_encrypted_content_comes_with_text_elsewhere_is_one_part_beside_it():
    both = {"reasoning": "a", "reasoning_details": [{"index": 0, "type": "reasoning.encrypted", "data": "ZW5j"}]}
    assert deltas(both, {"reasoning": "b"}).parts == [
        {"kind": "reasoning", "text": "ab"},
        {"kind": "reasoning", "text": "", "encrypted": True},
    ]


def test_details_without_index_go_to_the_running_reasoning():
    reading = read(
        chunk({"reasoning": "a"}),
        *details({"type": "reasoning.text", "text": "b"}, {"type": "reasoning.text", "signature": "c2ln"}),
    )
    assert reading.parts == [{"kind": "reasoning", "text": "ab", "signature": True}]


def test_a_signature_without_index_that_comes_after_the_text_belongs_to_the_reasoning_before():
    reading = read(
        *details({"text": "a"}), chunk({"content": "t"}), *details({"signature": "c2ln"}), chunk({"content": "u"})
    )
    assert reading.parts == [{"kind": "reasoning", "text": "a", "signature": True}, {"kind": "text", "text": "tu"}]


def test_encrypted_reasoning_without_index_is_a_part_and_breaks_no_text():
    reading = read(
        chunk({"content": "t"}), *details({"type": "reasoning.encrypted", "data": "ZW5j"}), chunk({"content": "u"})
    )
    assert reading.parts == [{"kind": "text", "text": "tu"}, {"kind": "reasoning", "text": "", "encrypted": True}]


def test_a_detail_with_nothing_in_it_is_no_part():
    assert read(*details({"type": "reasoning.text"}, {"index": 0, "text": "", "data": ""})).parts == []


# Tool calls


def test_calls_with_an_index_grow_by_it():
    assert calls(
        call("a", "f", "", index=0),
        call("b", "g", "{", index=1),
        call(None, None, '{"x"', index=0),
        call(None, None, "}", index=1),
        call(None, None, ":1}", index=0),
    ) == [{"id": "a", "name": "f", "arguments": '{"x":1}'}, {"id": "b", "name": "g", "arguments": "{}"}]


def test_indexes_may_have_gaps_and_come_twice_in_a_chunk():
    reading = deltas(
        {"tool_calls": [call("a", "f", index=7), call(None, None, "{}", index=7), call("b", "g", "{}", index=2)]}
    )
    assert [entry["arguments"] for entry in reading.said["tool_calls"]] == ["{}", "{}"]


def test_a_new_id_with_a_name_at_a_used_index_opens_a_call_that_the_index_means_from_then_on():
    assert calls(
        call("a", "f", "1", index=0),
        call("b", "f", "2", index=0),
        call(None, None, "3", index=0),
        call("a", None, "4", index=0),
    ) == [{"id": "a", "name": "f", "arguments": "1"}, {"id": "b", "name": "f", "arguments": "234"}]


def test_a_new_id_without_a_name_changes_nothing():
    assert calls(call("a", "f", "1", index=0), call("b", "", "2", index=0)) == [
        {"id": "a", "name": "f", "arguments": "12"}
    ]


def test_an_id_that_comes_late_is_set_once():
    assert calls(call("", "f", index=0), call("a", "f", index=0), call("b", None, index=0)) == [
        {"id": "a", "name": "f", "arguments": ""}
    ]


def test_without_index_an_id_opens_a_call_or_continues_the_one_that_has_it():
    assert calls(
        call("a", "f", "1"),
        call("b", "g", "2"),
        call("a", None, "3"),
        call("b", "g", "4", index=None),
        call(None, None, "5"),
    ) == [{"id": "a", "name": "f", "arguments": "13"}, {"id": "b", "name": "g", "arguments": "245"}]


def test_without_index_and_id_a_name_opens_a_call_if_the_last_has_one():
    assert calls(call(None, None, "0"), call(None, "f", "1"), call(None, None, "2"), call(None, "f", "3"), call()) == [
        {"id": None, "name": "f", "arguments": "012"},
        {"id": None, "name": "f", "arguments": "3"},
    ]


def test_names_are_repeated_or_come_in_pieces():
    assert calls(
        call("a", "ti", index=0),
        call("a", "ti", index=0),
        call(None, "de", index=0),
        call(None, "tide", index=0),
        call(None, "", index=0),
    ) == [{"id": "a", "name": "tide", "arguments": ""}]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (None, ""),
        ("", ""),
        ({"b": 1, "a": [None]}, '{"b":1,"a":[null]}'),
        ({}, "{}"),
        ([], "[]"),
        (0, "0"),
        (False, "false"),
    ],
)
def test_arguments_are_taken_as_they_are_and_objects_as_compact_json(arguments, expected):
    entry = {"index": 0, "id": "a", "function": {"name": "f", "arguments": arguments}}
    assert calls(entry) == [{"id": "a", "name": "f", "arguments": expected}]


def test_an_id_inside_function_is_none():
    assert calls({"index": 0, "function": {"id": "x", "name": "f"}}) == [{"id": None, "name": "f", "arguments": ""}]


def test_what_a_vendor_adds_to_a_call_stays_with_its_part():
    reading = deltas({"tool_calls": [call("a", "f", index=0, extra_content={"google": {"thought_signature": "c2ln"}})]})
    part = next(iter(reading.transcript))
    assert part.fields["extra_content"] == {"google": {"thought_signature": "c2ln"}}
    assert "extra_content" not in reading.parts[0]


def test_the_single_function_call_is_a_call_without_id():
    reading = deltas(
        {"function_call": {}},
        {"function_call": {"name": "f", "arguments": ""}},
        {"function_call": {"arguments": "{"}},
        {"function_call": {"arguments": "}", "name": None}},
        {"function_call": None},
    )
    assert reading.parts == [{"kind": "tool_call", "id": None, "name": "f", "arguments": "{}"}]


def test_a_call_ends_the_running_text():
    reading = deltas(
        {"content": "a"},
        {"tool_calls": [call("x", "f", index=0)]},
        {"content": "b"},
        {"tool_calls": [call(None, None, "{}", index=0)]},
        {"content": "c"},
    )
    assert [part["kind"] for part in reading.parts] == ["text", "tool_call", "text", "text"]


# Audio, images, citations


def test_audio_goes_on_under_its_choice():
    reading = deltas(
        {"audio": {"id": "au"}},
        {"audio": {"transcript": "a", "data": "UklG"}},
        {"content": "t"},
        {"audio": {"transcript": "b"}},
        {"audio": {"data": "Rg==", "id": "other"}},
        {"audio": {"expires_at": 5}},
        {"audio": {}},
    )
    assert reading.parts == [
        {"kind": "audio", "id": "au", "transcript": "ab", "size": 8},
        {"kind": "text", "text": "t"},
    ]


def test_audio_that_only_says_when_it_expires_is_no_part():
    assert deltas({"audio": {"expires_at": 5}}).parts == []


def test_images_have_an_address_or_a_size():
    reading = deltas(
        {
            "content": "a",
            "images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,aGFy"}, "index": 0}],
        },
        {"content": "b", "images": [{"image_url": "https://a.example/b.png"}, {"id": "i", "b64_json": "aGFyYg=="}]},
    )
    assert reading.parts == [
        {"kind": "text", "text": "a"},
        {"kind": "image", "size": 4},
        {"kind": "text", "text": "b"},
        {"kind": "image", "url": "https://a.example/b.png"},
        {"kind": "image", "id": "i", "size": 8},
    ]
    images = [part for part in reading.transcript if part.kind == "image"]
    assert images[0].fields["media"] == "image/png"
    assert images[0].joined("data") == "aGFy"


def test_annotations_are_never_merged():
    note = {"type": "url_citation", "url_citation": {"url": "https://a.example", "start_index": 0, "end_index": 4}}
    reading = deltas({"content": "abcd"}, {"annotations": [note, note]}, {"annotations": [note]})
    assert [part["kind"] for part in reading.parts] == ["text", "citation", "citation", "citation"]
    assert list(reading.transcript)[1].fields["end_index"] == 4


# Choices


def test_every_choice_has_its_own_parts():
    reading = read(
        chunk({"content": "a"}),
        chunk({"content": "x"}, index=1),
        chunk({"content": "b"}),
        chunk({"content": "y"}, index=1),
    )
    assert reading.parts == [{"kind": "text", "text": "ab"}, {"kind": "text", "text": "xy", "choice": 1}]
    assert reading.said["text"] == "ab"


def test_a_choice_without_delta_counts_with_its_finish_reason():
    reading = read(
        {**HEAD, "choices": [{"index": 0, "finish_reason": "stop"}]}, {**HEAD, "choices": [{"delta": None}]}, DONE
    )
    assert reading.said["finish"] == "stop"
    assert reading.said["complete"]


def test_in_a_stream_a_message_is_no_delta():
    both = {"index": 0, "delta": {"content": "a"}, "message": {"content": "whole"}}
    only = {"index": 0, "message": {"content": "whole"}}
    assert read({"choices": [both]}, {"choices": [only]}).said["text"] == "a"


@pytest.mark.parametrize(
    "choices", [None, [], {}, "x", [None, 7, "x"], [{"index": [], "delta": 5}], [{"index": 1e300}]]
)
def test_odd_choices_say_nothing(choices):
    assert read({"choices": choices}).parts == []


# Extras


def test_other_keys_of_a_chunk_are_extras_with_their_last_value():
    reading = read(
        chunk({"content": "a"}, free_tier=None, web_search={"queries": ["x"]}, obfuscation="zz"),
        chunk({"content": "b"}, free_tier={"remaining": 4}, web_search=None),
        chunk({"content": "c"}, free_tier={"remaining": 3}, error_type="x"),
    )
    assert reading.parts == [
        {"kind": "text", "text": "abc"},
        {"kind": "extra", "name": "web_search", "value": {"queries": ["x"]}},
        {"kind": "extra", "name": "free_tier", "value": {"remaining": 3}},
    ]


def test_an_extra_changes_from_one_to_true():
    assert read(chunk(flag=1), chunk(flag=True)).parts[0]["value"] is True


def test_an_object_without_choices_has_no_extras_and_no_lane_fields():
    reading = read({"id": "run_1", "tool": "grep", "status": "running"})
    assert reading.updates == []


# Usage


def usage(*values):
    return read(*values).said["usage"]


def test_usage_is_replaced_and_null_erases_nothing():
    first = {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 2}}
    last = {"prompt_tokens": 5, "completion_tokens": 3, "cost": 0.25}
    reading = read(chunk(usage=first), chunk(usage=last), chunk(usage=None), chunk(usage=7))
    assert reading.said["usage"] == {"input": 5, "output": 3, "reasoning": None, "cached": None}
    assert reading.transcript.lane.fields["usage"]["raw"] == last


def test_usage_without_choices_counts():
    assert usage({"usage": {"prompt_tokens": 1, "completion_tokens": 2}})["output"] == 2


def test_x_groq_usage_counts_where_the_chunk_has_none():
    groq = {"id": "req", "usage": {"prompt_tokens": 14, "completion_tokens": 2}}
    assert usage(chunk(x_groq=groq))["input"] == 14
    assert usage(chunk(x_groq=groq, usage={"prompt_tokens": 1}))["input"] == 1


def test_usage_inside_a_choice_or_delta_does_not_count():
    value = chunk({"usage": {"prompt_tokens": 1}})
    value["choices"][0]["usage"] = {"prompt_tokens": 1}
    assert usage(value) is None


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"prompt_cache_hit_tokens": 20, "completion_tokens_details": {"reasoning_tokens": 4}}, (None, None, 4, 20)),
        ({"prompt_tokens": 3, "completion_tokens": 2, "reasoning_tokens": 1}, (3, 2, 1, None)),
        ({"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 1}, (3, 2, None, 1)),
        ({"prompt_tokens": 3, "completion_tokens": 2, "input_tokens": 0, "output_tokens": 0}, (3, 2, None, None)),
        ({"prompt_tokens": True, "completion_tokens": "2", "prompt_tokens_details": 5}, (None, None, None, None)),
        ({"prompt_tokens": 3.0, "completion_tokens": 2.5}, (3, None, None, None)),
        ({}, (None, None, None, None)),
    ],
)
def test_usage_speaks_one_language(raw, expected):
    got = usage(chunk(usage=raw))
    assert (got["input"], got["output"], got["reasoning"], got["cached"]) == expected


# Errors


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        ({"error": {"message": "busy", "code": 429}}, ["busy"]),
        ({"error": "busy"}, ["busy"]),
        ({"error": {"code": 5}}, ['{"code":5}']),
        ({"error": {"message": 5}}, ['{"message":5}']),
        ({"error": None, "choices": []}, []),
        ({"error": {}, "choices": []}, []),
        (chunk(finish="error", error={"message": "gone"}), ["gone"]),
        ({"choices": None, "error_type": "Bad", "error_message": "too long"}, ["too long"]),
        ({"choices": [], "x_groq": {"error": "over capacity"}}, ["over capacity"]),
        ({"error": "a", "error_message": "b"}, ["a", "b"]),
        ({"error": "a", "error_message": "a"}, ["a"]),
    ],
)
def test_errors_in_every_shape(value, errors):
    assert read(value).said["errors"] == errors


def test_an_event_named_error_is_one_even_without_the_key():
    reading = Reading(Chat())
    reading.feed({"code": "InvalidParameter", "message": "no such model"}, name="error")
    assert reading.said["errors"] == ["no such model"]


def test_an_error_line_is_an_error():
    reading = Reading(Chat())
    reading.line('error: {"code":400,"message":"too long"}')
    reading.line("erro: x")
    assert reading.said["errors"] == ["too long"]


def test_a_message_is_one_error_and_what_came_before_it_stays():
    reading = read(
        chunk({"content": "Half"}), {"error": {"message": "gone"}}, chunk(finish="error", error="gone"), DONE
    )
    assert reading.said["errors"] == ["gone"]
    assert reading.said["text"] == "Half"
    assert reading.transcript.failed


# Links


def test_rows_that_change_nothing_are_linked_to_what_they_speak_of():
    reading = Reading(Chat())
    reading.feed(chunk({"content": "a"}))
    assert [update[0] for update in reading.feed(chunk({"content": ""}))] == ["link"]
    reading.feed(chunk({"tool_calls": [call("x", "f", index=0)]}))
    assert [update[0] for update in reading.feed(chunk({"tool_calls": [call("x", "f", "", index=0)]}))] == ["link"]
    reading.feed(chunk(usage={"prompt_tokens": 1}))
    assert reading.feed(chunk(usage={"prompt_tokens": 1})) == [("link", LANE)]


# Documents


def test_a_whole_completion_says_what_its_stream_would():
    document = {
        **HEAD,
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": "Aye.",
                    "reasoning_content": "Hm.",
                    "refusal": None,
                    "annotations": [],
                    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
                },
            }
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 3},
        "provider": "North",
    }
    said = Reading(Chat()).document(document).end().said
    assert said["text"] == "Aye."
    assert said["finish"] == "tool_calls"
    assert said["usage"]["input"] == 9
    assert [part["kind"] for part in said["parts"]] == ["reasoning", "text", "tool_call", "extra"]
    assert said["complete"] is False


def test_an_error_document_says_its_message():
    assert Reading(Chat()).document({"error": {"message": "no key"}}).said["errors"] == ["no key"]
    assert Reading(Chat()).document({"detail": "Not Found"}).said["errors"] == ["Not Found"]


@pytest.mark.parametrize(
    ("value", "mine"),
    [
        (chunk(), True),
        ({"object": "chat.completion"}, True),
        ({"choices": []}, True),
        ({"type": "message_start"}, False),
        ({"error": {}}, False),
        ({"object": 5, "choices": 5}, False),
    ],
)
def test_a_chunk_is_recognised(value, mine):
    assert Chat.recognises(value, "") is mine


# The short way of event() and the long one say the same.


class Long(Chat):
    """Never takes the short way."""

    def _learn(self, value):
        pass


odd = st.sampled_from([None, "", "x", "null", 0, 1, True, 1.0, [], {}, {"a": 1}, ["x"]])
text = st.sampled_from(["", "a", "b", None])


def sometimes(**fields):
    return st.fixed_dictionaries({}, optional=fields)


detail = sometimes(
    index=st.sampled_from([0, 1, None, 1.0]), text=text, summary=text, signature=text, data=text, format=text
)
function = sometimes(name=text, arguments=text | odd)
entry = sometimes(
    index=st.sampled_from([0, 1, None]),
    id=text,
    function=function | odd,
    type=st.sampled_from(["function", "custom", None]),
)
simple = st.one_of(
    st.fixed_dictionaries({"content": text}),
    st.fixed_dictionaries({"reasoning_content": text, "content": text}),
    st.fixed_dictionaries({"tool_calls": st.lists(entry, min_size=1, max_size=1)}),
    st.fixed_dictionaries({"reasoning_details": st.lists(detail, min_size=1, max_size=1), "reasoning": text}),
)
anything = sometimes(
    role=text | odd,
    content=text | odd,
    reasoning=text | odd,
    reasoning_content=text,
    reasoning_details=st.lists(detail, max_size=2) | odd,
    refusal=text | odd,
    tool_calls=st.lists(entry, max_size=2) | odd,
    function_call=function | odd,
    audio=sometimes(id=text, data=text, transcript=text, expires_at=odd) | odd,
    images=odd,
    annotations=odd,
    vendor=odd,
)
choice = (
    st.fixed_dictionaries(
        {"index": st.sampled_from([0, 0, 0, 1]), "delta": simple | simple | anything | odd},
        optional={"finish_reason": st.sampled_from([None, None, "", "null", "stop"]), "logprobs": odd},
    )
    | odd
)
chunks = st.fixed_dictionaries(
    {"id": text, "choices": st.lists(choice, min_size=1, max_size=1) | st.lists(choice, max_size=2) | odd},
    optional={
        "model": text,
        "usage": st.none() | odd,
        "provider": odd,
        "error": st.none() | odd,
        "x_groq": st.none() | odd,
    },
)
events = st.one_of(
    chunks.map(json.dumps), chunks.map(json.dumps), chunks.map(json.dumps), odd.map(json.dumps), st.just(DONE)
)


@settings(max_examples=300, deadline=None)
@given(st.lists(events, max_size=12))
def test_the_short_way_says_what_the_long_way_says(values):
    short, long = Chat(), Long()
    for number, value in enumerate(values, 1):
        assert list(short.event(event(number, value))) == list(long.event(event(number, value)))
    assert list(short.end()) == list(long.end())
    assert short.complete == long.complete


def test_common_chunks_take_the_short_way():
    decoder = Chat()
    decoder._object = None  # the long way would now raise

    def fed(first, *rest):
        del decoder._object
        decoder.event(event(1, first))
        decoder._object = None
        return [decoder.event(event(1, value)) for value in rest]

    assert (
        len(
            fed(
                chunk({"role": "assistant", "content": "a"}),
                chunk({"content": "b"}),
                chunk({"role": "assistant", "content": "c"}),
            )
        )
        == 2
    )
    assert fed(chunk({"reasoning": "a"}, provider="x"), chunk({"reasoning": "b", "content": ""}, provider="x"))
    assert fed(
        chunk({"tool_calls": [call("x", "f", "", index=0)]}), chunk({"tool_calls": [call(None, None, "{", index=0)]})
    )


@settings(max_examples=200, deadline=None)
@given(st.lists(events, max_size=8))
def test_updates_fold_without_fail(values):
    reading = read(*values)
    said = reading.said
    assert said["text"] == "".join(
        part["text"] for part in said["parts"] if part["kind"] == "text" and "choice" not in part
    )
