"""Responses: items and their parts, authority of values, the terminal response, everything hosted."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.formats.responses import Responses
from playground.formats.updates import LANE
from tests.support.mutated import mutated_streams
from tests.support.reading import Reading, event

MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
REASONING = {"id": "rs_1", "type": "reasoning", "summary": []}
CALL = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "tide_table", "arguments": ""}
LINK = {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 1}


def of(kind, output_index=0, **fields):
    index = {} if output_index is None else {"output_index": output_index}
    return {"type": f"response.{kind}", **index, **fields}


def added(item, output_index=0):
    return of("output_item.added", output_index, item=item)


def done(item, output_index=0):
    return of("output_item.done", output_index, item=item)


def text(delta, content_index=0, output_index=0, **more):
    return of("output_text.delta", output_index, content_index=content_index, delta=delta, **more)


def text_done(text, content_index=0, output_index=0):
    return of("output_text.done", output_index, content_index=content_index, text=text)


def output_text(text, *annotations):
    return {"type": "output_text", "text": text, "annotations": list(annotations)}


def part_done(part, content_index=0, output_index=0):
    return of("content_part.done", output_index, content_index=content_index, part=part)


def message(*content, **more):
    return {**MESSAGE, "content": list(content), **more}


def arguments(delta, output_index=0):
    return of("function_call_arguments.delta", output_index, delta=delta)


def arguments_done(arguments, output_index=0):
    return of("function_call_arguments.done", output_index, arguments=arguments)


def summary(delta, summary_index=0, output_index=0):
    return of("reasoning_summary_text.delta", output_index, summary_index=summary_index, delta=delta)


def thought(delta, content_index=0, output_index=0):
    return of("reasoning_text.delta", output_index, content_index=content_index, delta=delta)


def terminal(*output, state="completed", **response):
    return {"type": f"response.{state}", "response": {"status": state, "output": list(output), **response}}


def read(*values):
    reading = Reading(Responses())
    reading.feed(*values)
    return reading.end()


def lane(reading):
    return reading.transcript.lane.fields


# Which item an event belongs to


def test_items_keep_their_parts_together_when_they_interleave():
    two = {**MESSAGE, "id": "msg_2"}
    reading = read(added(MESSAGE, 0), added(two, 1), text("b", 0, 1), text("a", 0, 0), text("B", 1, 1), text("A", 1, 0))
    assert [part["text"] for part in reading.parts] == ["a", "A", "b", "B"]


def test_items_stand_in_the_order_in_which_they_appeared():
    reading = read(added(MESSAGE, 7), added(CALL, 3), arguments("{}", 3), text("a", 0, 7))
    assert [part["kind"] for part in reading.parts] == ["text", "tool_call"]


def test_parts_of_an_item_stand_by_their_index():
    reading = read(added(MESSAGE), text("c", 2), text("a", 0), text("b", 1))
    assert [part["text"] for part in reading.parts] == ["a", "b", "c"]


def test_an_output_index_counts_more_than_an_item_id():
    two = {**MESSAGE, "id": "msg_2"}
    reading = read(added(MESSAGE, 0), added(two, 1), text("a", 0, 0, item_id="msg_2"))
    assert reading.transcript.part(1).fields["output_index"] == 0


def test_an_event_without_an_output_index_goes_by_its_item_id():
    two = {**CALL, "id": "fc_2", "call_id": "call_2"}
    reading = read(
        added(CALL, None),
        added(two, None),
        of("function_call_arguments.delta", None, item_id="fc_1", delta="{1"),
        of("function_call_arguments.delta", None, item_id="fc_2", delta="{2"),
        of("function_call_arguments.delta", None, item_id="unknown", delta="}"),
    )
    assert [call["arguments"] for call in reading.said["tool_calls"]] == ["{1", "{2}"]


def test_an_event_that_fits_no_item_opens_one():
    reading = read(
        added(MESSAGE, None),
        of("function_call_arguments.delta", None, delta="{"),
        done({**CALL, "arguments": "{}"}, None),
        of("function_call_arguments.delta", None, delta="["),
    )
    assert [(call["id"], call["arguments"]) for call in reading.said["tool_calls"]] == [("call_1", "{}"), (None, "[")]


def test_an_item_that_is_done_takes_nothing_more_without_its_name():
    reading = read(added(MESSAGE, None), done(message(output_text("a")), None), text("b", 0, None))
    assert [part["text"] for part in reading.parts] == ["a", "b"]


def test_an_output_index_may_come_late():
    reading = read(added(MESSAGE, None), text("a", 0, 4, item_id="msg_1"), text("b", 0, 4), text_done("ab", 0, 4))
    assert reading.parts == [{"kind": "text", "text": "ab"}]


def test_two_items_of_different_types_may_have_the_same_output_index():
    reading = read(
        added(MESSAGE), text("a"), done(message(output_text("a"))), added(CALL), arguments("{}"), arguments_done("{}")
    )
    assert [part["kind"] for part in reading.parts] == ["text", "tool_call"]


def test_an_item_added_at_the_index_of_one_that_is_done_is_another():
    two = {**CALL, "id": "fc_2", "call_id": "call_2"}
    reading = read(added(CALL), arguments("{1}"), done({**CALL, "arguments": "{1}"}), added(two), arguments("{2}"))
    assert [call["arguments"] for call in reading.said["tool_calls"]] == ["{1}", "{2}"]


def test_a_delta_may_come_before_its_item():
    reading = read(arguments("{"), added(CALL), arguments("}"))
    assert reading.said["tool_calls"] == [{"id": "call_1", "name": "tide_table", "arguments": "{}"}]


def test_a_part_without_an_index_is_the_highest_of_its_item():
    bare = {"type": "response.output_text.delta", "output_index": 0, "delta": "!"}
    reading = read(added(MESSAGE), bare, text("b", 3), bare, text("a", 1))
    assert [part["text"] for part in reading.parts] == ["!", "a", "b!"]


# Authority


LEVELS = [
    text("delta"),
    text_done("done"),
    part_done(output_text("part")),
    done(message(output_text("item"))),
    terminal(message(output_text("terminal"))),
]
WORDS = ["delta", "done", "part", "item", "terminal"]


@given(st.permutations(range(5)), st.integers(1, 5))
def test_the_value_with_the_most_authority_stands_in_whatever_order_they_come(order, number):
    order = order[:number]
    reading = read(added(MESSAGE), *(LEVELS[level] for level in order))
    assert reading.said["text"] == WORDS[max(order)]


CALL_LEVELS = [
    arguments("delta"),
    arguments_done("done"),
    done({**CALL, "arguments": "item"}),
    terminal({**CALL, "arguments": "terminal"}),
]


@given(st.permutations(range(4)), st.integers(1, 4))
def test_the_same_holds_for_arguments(order, number):
    order = order[:number]
    reading = read(added(CALL), *(CALL_LEVELS[level] for level in order))
    assert reading.said["tool_calls"][0]["arguments"] == ["delta", "done", "item", "terminal"][max(order)]


@pytest.mark.parametrize(
    "empty",
    [
        text_done(""),
        part_done(output_text("")),
        done(message()),
        done(message(output_text(""))),
        done(message(output_text(""), output_text(""))),
        done({**MESSAGE, "content": None}),
        terminal(),
        terminal(message(output_text(""))),
        terminal(message(), MESSAGE),
        {"type": "response.completed", "response": {"output": None}},
    ],
)
def test_an_empty_value_never_erases(empty):
    assert read(added(MESSAGE), text("a"), empty, text("b"), empty).said["text"] == "ab"


def test_an_equal_final_value_is_a_link():
    reading = Reading(Responses())
    reading.feed(added(MESSAGE), text("a"), text("b"))
    reading.feed(text_done("ab"))
    assert reading.operations[-1] == (4, "link", 1)


def test_the_last_terminal_response_wins():
    two = terminal(message(output_text("two")), state="incomplete", incomplete_details={"reason": "max_output_tokens"})
    reading = read(added(MESSAGE), terminal(message(output_text("one"))), two)
    assert reading.said["text"] == "two"
    assert reading.said["finish"] == "incomplete"
    assert lane(reading)["incomplete_reason"] == "max_output_tokens"


def test_deltas_after_the_terminal_response_change_nothing():
    reading = read(added(MESSAGE), text("a"), terminal(message(output_text("a"))), text("b"), text("c", 1))
    assert reading.said["text"] == "a"


def test_names_and_ids_of_a_call_follow_its_final_values():
    final = {**CALL, "id": "fc_9", "call_id": "call_9", "name": "tides", "arguments": "{}"}
    reading = read(added(CALL), done(final), terminal({**final, "call_id": "", "name": None}))
    assert reading.said["tool_calls"] == [{"id": "call_9", "name": "tides", "arguments": "{}"}]
    assert reading.transcript.part(1).fields["item_id"] == "fc_1"


def test_a_value_in_the_added_item_is_what_deltas_go_on_from():
    assert read(added({**CALL, "arguments": "{"}), arguments("}")).said["tool_calls"][0]["arguments"] == "{}"
    part = of("content_part.added", content_index=0, part=output_text("a"))
    assert read(added(MESSAGE), part, text("b")).said["text"] == "ab"
    assert read(added(message(output_text("a"))), text("b")).said["text"] == "ab"


# Lists that come whole


def test_final_content_pairs_by_order_and_not_by_index():
    reading = read(added(MESSAGE), text("a", 1), text("b", 5), done(message(output_text("A"), output_text("B"))))
    assert [part["text"] for part in reading.parts] == ["A", "B"]
    assert [part.fields.get("status") for part in reading.transcript] == [None, None]


def test_final_content_of_another_number_replaces():
    reading = read(added(MESSAGE), text("a", 0), text("b", 1), added(CALL, 1), done(message(output_text("ab"))))
    assert [part.get("text") for part in reading.parts] == ["ab", None]
    assert [part.fields.get("status") for part in reading.transcript] == ["superseded", "superseded", None, None]


def test_final_content_of_another_kind_replaces():
    reading = read(added(MESSAGE), text("a"), done(message({"type": "refusal", "refusal": "no"})))
    assert reading.parts == [{"kind": "refusal", "text": "no"}]


def test_nothing_of_less_authority_is_added_to_final_content():
    reading = read(added(MESSAGE), done(message(output_text("a"))), text("b", 1), part_done(output_text("c"), 2))
    assert reading.said["text"] == "a"
    two = message(output_text("a"), output_text("d"))
    assert read(added(MESSAGE), done(message(output_text("a"))), terminal(two)).said["text"] == "ad"


def test_content_of_an_unknown_type_is_an_extra():
    odd = {"type": "output_chart", "points": [1]}
    reading = read(added(MESSAGE), of("content_part.added", content_index=0, part=odd), terminal(message(odd)))
    assert reading.parts == [{"kind": "extra", "name": "output_chart", "value": odd}]


# Citations


def annotation(cited, annotation_index, content_index=0):
    return of(
        "output_text.annotation.added", content_index=content_index, annotation_index=annotation_index, annotation=cited
    )


def test_citations_stand_behind_their_text_by_their_index():
    b = {**LINK, "url": "https://b.example"}
    reading = read(added(MESSAGE), text("x", 0), text("y", 1), annotation(b, 1), annotation(LINK, 0))
    assert [part.get("text") or part["url"] for part in reading.parts] == [
        "x", "https://a.example", "https://b.example", "y",
    ]  # fmt: skip


def test_final_annotations_pair_by_order_replace_and_never_erase():
    b, c = {**LINK, "url": "https://b.example"}, {**LINK, "url": "https://c.example"}

    def urls(*events):
        reading = read(added(MESSAGE), text("x"), annotation(LINK, 0), annotation(b, 1), *events)
        return [part["url"][8] for part in reading.parts if part["kind"] == "citation"]

    assert urls() == ["a", "b"]
    assert urls(part_done(output_text("x"))) == ["a", "b"]
    assert urls(part_done(output_text("x", c))) == ["c"]
    assert urls(done(message(output_text("x", LINK, b, c)))) == ["a", "b", "c"]
    assert urls(done(message(output_text("x", c))), annotation(b, 1), part_done(output_text("x", b))) == ["c"]


def test_an_annotation_that_is_none_is_no_citation():
    assert read(added(MESSAGE), text("x"), annotation(None, 0)).parts == [{"kind": "text", "text": "x"}]


def test_a_file_citation_keeps_what_it_names():
    cited = {"type": "file_citation", "file_id": "file_1", "filename": "log.md", "index": 4}
    reading = read(added(MESSAGE), text("x"), annotation(cited, 0))
    assert reading.parts[1] == {"kind": "citation"}
    assert list(reading.transcript)[1].fields == cited


# Reasoning


def test_reasoning_text_counts_more_than_summaries():
    reading = read(added(REASONING), summary("s"), thought("t"), summary("S", 1), done({**REASONING, "summary": [
        {"type": "summary_text", "text": "s"}, {"type": "summary_text", "text": "S"},
    ]}))  # fmt: skip
    assert reading.parts == [{"kind": "reasoning", "text": "t"}]
    assert reading.said["reasoning"] == "t"


def test_empty_reasoning_text_leaves_the_summaries():
    reading = read(added(REASONING), thought(""), summary("s"))
    assert reading.parts == [{"kind": "reasoning", "text": "s", "summary": True}]


def test_encrypted_content_marks_the_last_part():
    sealed = {**REASONING, "encrypted_content": "ZW5j"}
    reading = read(added(sealed), summary("a"), summary("b", 1), done(sealed), terminal(REASONING))
    assert reading.parts == [
        {"kind": "reasoning", "text": "a", "summary": True},
        {"kind": "reasoning", "text": "b", "summary": True, "encrypted": True},
    ]


def test_encrypted_content_without_any_text_is_a_part():
    reading = read(added(REASONING), done({**REASONING, "encrypted_content": "ZW5j"}))
    assert reading.parts == [{"kind": "reasoning", "text": "", "encrypted": True}]


def test_the_mark_moves_to_reasoning_text():
    reading = read(added({**REASONING, "encrypted_content": "ZW5j"}), summary("s"), thought("t"))
    assert reading.parts == [{"kind": "reasoning", "text": "t", "encrypted": True}]


def test_summary_parts_have_added_and_done_events():
    part = {"type": "summary_text", "text": ""}
    full = {"type": "summary_text", "text": "whole"}
    reading = read(
        added(REASONING),
        of("reasoning_summary_part.added", summary_index=0, part=part),
        summary("wh"),
        of("reasoning_summary_text.done", summary_index=0, text="who"),
        of("reasoning_summary_part.done", summary_index=0, part=full),
    )
    assert reading.parts == [{"kind": "reasoning", "text": "whole", "summary": True}]
    assert next(iter(reading.transcript)).closed


# The terminal output


def test_the_terminal_output_pairs_by_position_in_the_order_of_output_index():
    a, b = message(output_text("A"), id="x"), message(output_text("B"), id="y")
    reading = read(added({**MESSAGE, "id": "2"}, 1), added({**MESSAGE, "id": "1"}, 0), text("a"), terminal(a, b))
    assert [part["text"] for part in reading.parts] == ["B", "A"]


def test_the_terminal_output_pairs_by_id_when_the_numbers_differ():
    call = {**CALL, "id": "other", "arguments": "{}"}
    new = message(output_text("new"), id="msg_9")
    reading = read(added(MESSAGE), text("a"), added(CALL, 1), added(REASONING, 2), terminal(call, new))
    assert [part.get("text", part.get("arguments")) for part in reading.parts] == ["a", "{}", "new"]


def test_items_of_different_types_never_pair():
    final = message(output_text("A"))
    reading = read(added(CALL), arguments("{}"), added(MESSAGE, 1), text("a", 0, 1), terminal(final, CALL))
    assert [part.get("text", part.get("arguments")) for part in reading.parts] == ["{}", "A"]


@pytest.mark.parametrize(
    ("response", "finish"),
    [({"status": "cancelled"}, "cancelled"), ({"status": ""}, "failed"), ({}, "failed"), (None, "failed")],
)
def test_finish_is_the_status_of_the_terminal_event(response, finish):
    said = read({"type": "response.failed", "response": response}).said
    assert (said["finish"], said["complete"]) == (finish, True)


def test_the_lane_has_what_the_response_says_of_itself():
    start = {"id": "resp_1", "model": "osprey-3", "status": "in_progress", "service_tier": "flex", "usage": {"a": 1}}
    reading = Reading(Responses())
    reading.feed({"type": "response.created", "response": start})
    assert reading.feed({"type": "response.in_progress", "response": start}) == [("link", LANE)]
    fields = lane(reading)
    assert [fields[name] for name in ("id", "model", "status", "service_tier")] == list(start.values())[:4]
    assert "usage" not in fields


def test_usage_is_that_of_the_terminal_response():
    details = {"input_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 8}}
    usage = {"input_tokens": 90, "output_tokens": 5, "total_tokens": 95, **details}
    usage["output_tokens_details"] = {"reasoning_tokens": 3}
    counts = lane(read(terminal(usage=usage), terminal(usage=None)))["usage"]
    assert counts.pop("raw") == usage
    assert counts == {
        "input": 90, "output": 5, "reasoning": 3, "cached": 64, "written": 8, "total": 95, "whole_input": 90
    }  # fmt: skip


# Errors


@pytest.mark.parametrize(
    ("value", "name", "errors"),
    [
        ({"type": "error", "code": "c", "message": "x", "param": None}, "error", ["x"]),
        ({"type": "error", "error": {"code": None, "message": "x"}, "sequence_number": 2}, "error", ["x"]),
        ({"type": "error", "code": "c", "message": None}, "", ['{"type":"error","code":"c","message":null}']),
        ({"code": "c", "message": None}, "error", ['{"code":"c","message":null}']),
        ({"error": {"message": "x"}}, "", ["x"]),
        (terminal(state="failed", error={"code": "c", "message": "x"}), "", ["x"]),
        (terminal(state="incomplete", error="x"), "", ["x"]),
        (terminal(state="failed", error=None), "", []),
        ({"type": "response.in_progress", "response": {"error": {"message": "x"}}}, "", []),
    ],
)
def test_errors_come_in_several_shapes(value, name, errors):
    reading = Reading(Responses())
    reading.feed(value, name=name)
    assert reading.end().said["errors"] == errors


def test_an_error_that_the_terminal_response_repeats_is_said_once():
    failed = terminal(state="failed", error={"code": "c", "message": "x"})
    assert read({"type": "error", "message": "x"}, failed).said["errors"] == ["x"]


# Everything hosted


def hosted(kind, *states, **item):
    item = {"id": "it_1", "type": kind, "status": "in_progress", **item}
    events = [of(f"{kind}.{state}", item_id="it_1") for state in states]
    return read(added({**item, "action": None}), *events, done({**item, "status": "completed"}))


def test_a_web_search_has_its_query():
    reading = hosted("web_search_call", "in_progress", "searching", action={"type": "search", "query": "tide"})
    assert reading.parts == [{"kind": "server_tool", "id": "it_1", "name": "web_search", "query": "tide"}]
    assert [update[3] for update in reading.updates if update[:3] == ("set", 1, "status")] == ["searching", "completed"]


def test_a_state_after_the_item_is_done_changes_nothing():
    reading = read(done({"id": "ws", "type": "web_search_call", "status": "failed"}), of("web_search_call.searching"))
    assert next(iter(reading.transcript)).fields["status"] == "failed"


def test_a_file_search_has_its_results():
    part = {"kind": "server_tool", "id": "it_1", "name": "file_search", "results": 2}
    assert hosted("file_search_call", "completed", queries=["a"], results=[{}, {}]).parts == [part]


def test_code_of_an_interpreter_grows():
    reading = read(
        added({"id": "ci_1", "type": "code_interpreter_call", "code": "", "container_id": "c"}),
        of("code_interpreter_call_code.delta", delta="1+"),
        of("code_interpreter_call_code.delta", delta="1"),
        of("code_interpreter_call.interpreting"),
        of("code_interpreter_call_code.done", code="1 + 1"),
    )
    assert reading.parts == [{"kind": "server_tool", "id": "ci_1", "name": "code_interpreter", "input": "1 + 1"}]


def test_a_call_of_a_remote_tool_has_its_own_name():
    item = {"id": "mcp_1", "type": "mcp_call", "name": "roll", "server_label": "dice", "arguments": ""}
    failed = {**item, "arguments": "{}", "error": {"type": "mcp_protocol_error", "code": 32000, "message": "x"}}
    reading = read(
        of("mcp_call.in_progress", item_id="mcp_1"),
        of("mcp_call_arguments.delta", item_id="mcp_1", delta="{}"),
        of("mcp_call_arguments.done", item_id="mcp_1", arguments="{}"),
        of("mcp_call.failed", item_id="mcp_1"),
        done(failed),
    )
    part = {"kind": "server_tool", "id": "mcp_1", "name": "roll", "input": "{}", "error": "mcp_protocol_error"}
    assert reading.parts == [part]


def test_arguments_go_to_whatever_call_has_the_index():
    item = {"id": "mcp_1", "type": "mcp_call", "name": "roll", "arguments": ""}
    assert read(added(item), arguments("{}")).said["tool_calls"] == []


def test_a_custom_tool_takes_free_text():
    item = {"id": "ct_1", "type": "custom_tool_call", "call_id": "call_1", "name": "run_sql", "input": ""}
    reading = read(
        added(item),
        of("custom_tool_call_input.delta", delta="select"),
        of("custom_tool_call_input.done", input="select 1"),
    )
    assert reading.said["tool_calls"] == [{"id": "call_1", "name": "run_sql", "arguments": "select 1"}]
    assert next(iter(reading.transcript)).fields["custom"] is True


def test_a_final_image_takes_the_place_of_the_partial_ones():
    item = {"id": "ig_1", "type": "image_generation_call", "status": "in_progress", "result": None}
    partial = [of("image_generation_call.partial_image", partial_image_b64="A" * size) for size in (8, 12)]
    assert read(added(item), *partial).parts == [{"kind": "image", "id": "ig_1", "size": 12}]
    final = {**item, "result": "data:image/png;base64,AAAA", "output_format": "png", "size": "1024x1024"}
    reading = read(added(item), *partial, done(final), partial[0], terminal(final))
    assert reading.parts == [{"kind": "image", "id": "ig_1", "size": 4}]
    assert next(iter(reading.transcript)).fields["dimensions"] == "1024x1024"


def test_an_image_may_be_an_address():
    item = {"id": "ig_1", "type": "image_generation_call", "result": "https://a.example/i.png"}
    assert read(done(item)).parts == [{"kind": "image", "id": "ig_1", "url": "https://a.example/i.png"}]


def test_audio_has_no_item():
    reading = read(
        {"type": "response.audio.transcript.delta", "delta": "Ah"},
        {"type": "response.audio.delta", "delta": "AAAA"},
        {"type": "response.audio.delta", "delta": "BB"},
        {"type": "response.audio.transcript.delta", "delta": "oy"},
        {"type": "response.audio.transcript.done"},
        {"type": "response.audio.done"},
    )
    assert reading.parts == [{"kind": "audio", "transcript": "Ahoy", "size": 6}]
    assert next(iter(reading.transcript)).closed


def test_any_other_item_is_an_extra_in_its_final_form():
    item = {"id": "sh_1", "type": "shell_call", "status": "in_progress"}
    final = {**item, "status": "completed", "action": {"commands": ["ls", "pwd"]}}
    reading = read(
        added(item),
        of("shell_call_command.added", command_index=0, command="l"),
        of("shell_call_command.delta", command_index=0, delta="s"),
        of("shell_call_command.delta", command_index=1, delta="pwd"),
        of("shell_call_command.done", command_index=1, command="pwd"),
        done(final),
    )
    assert reading.parts == [{"kind": "extra", "name": "shell_call", "value": final}]
    (part,) = reading.transcript
    assert (part.joined("input"), part.fields["status"]) == ("ls\npwd", "completed")


def test_what_a_shell_prints_is_shown_as_it_comes():
    item = {"id": "so_1", "type": "shell_call_output"}
    deltas = [
        of("shell_call_output_content.delta", command_index=0, delta=out) for out in ({"stdout": "a"}, {"stderr": "b"})
    ]
    assert next(iter(read(added(item), *deltas).transcript)).joined() == "ab"


def test_every_type_of_the_format_is_known():
    types = pytest.importorskip("openai.types.responses.response_stream_event")
    decoder = Responses()
    union = types.ResponseStreamEvent.__value__ if hasattr(types.ResponseStreamEvent, "__value__") else None
    members = (union or types.ResponseStreamEvent).__args__[0].__args__
    names = {member.model_fields["type"].annotation.__args__[0] for member in members}
    assert len(names) >= 59
    assert decoder._readers.keys() == names | {"keepalive"}


# The end


def test_what_nothing_closed_is_broken_off():
    reading = read(added(MESSAGE), text("a"), done(message(output_text("a"))), added(CALL, 1), arguments("{", 1))
    one, two = reading.transcript
    assert (one.closed, two.closed) == (True, False)
    assert two.fields["broken"] is True
    assert "broken" not in one.fields


def test_a_completed_response_closes_everything_and_a_failed_one_does_not():
    assert next(iter(read(added(MESSAGE), text("a"), terminal()).transcript)).closed
    (part,) = read(added(MESSAGE), text("a"), terminal(state="failed")).transcript
    assert part.fields["broken"] is True


def test_a_cut_item_says_so():
    item = message(output_text("Far"), status="incomplete")
    reading = read(added(MESSAGE), text("Far"), done(item), terminal(item, state="incomplete"))
    assert next(iter(reading.transcript)).fields["status"] == "incomplete"
    assert reading.said["text"] == "Far"


# No stream


def test_a_document_is_said_as_reasoning_text_refusal_calls():
    output = [
        {**CALL, "arguments": "{}"},
        message({"type": "refusal", "refusal": "no"}, output_text("a", LINK)),
        {**REASONING, "summary": [{"type": "summary_text", "text": "s"}]},
    ]
    usage = {"input_tokens": 1, "output_tokens": 2}
    value = {"id": "resp_1", "object": "response", "status": "completed", "output": output, "usage": usage}
    reading = Reading(Responses()).document(value).end()
    said = reading.said
    assert [part["kind"] for part in said["parts"]] == ["reasoning", "text", "citation", "refusal", "tool_call"]
    assert (said["finish"], said["usage"]["output"], said["complete"]) == ("completed", 2, False)
    assert all(part.closed for part in reading.transcript)


def test_an_error_document_is_an_error():
    assert Reading(Responses()).document({"error": {"message": "no", "code": 401}}).said["errors"] == ["no"]
    failed = {"object": "response", "status": "failed", "error": {"message": "no"}, "output": None}
    assert Reading(Responses()).document(failed).said["errors"] == ["no"]


# Robust and fast


@settings(max_examples=150, deadline=None)
@given(mutated_streams("responses"))
def test_no_event_raises_and_the_short_way_is_the_long_one(stream):
    short, long = Reading(Responses()), Reading(Responses())
    for name, value in stream:
        long.decoder._running.clear()
        assert short.feed(value, name=name) == long.feed(value, name=name)
    assert short.end().said == long.end().said


def test_common_deltas_take_the_short_way(monkeypatch):
    decoder = Responses()
    reading = Reading(decoder)
    reading.feed(added(MESSAGE, 0), added(CALL, 1), added(REASONING, 2))
    deltas = [text("a", 0, 0), arguments("{", 1), summary("s", 0, 2)]
    reading.feed(*deltas)
    monkeypatch.setattr(decoder, "_rest", {})
    for number, value in enumerate(deltas):
        assert len(decoder.event(event(number, value))) == 1


def test_the_places_of_many_items_are_right_in_whatever_order_they_fill():
    numbers = list(range(300))
    random.Random(5).shuffle(numbers)
    items = [added({**MESSAGE, "id": f"m{number}"}, number) for number in range(300)]
    reading = read(*items, *(text(f"{number},", 0, number) for number in numbers))
    assert reading.said["text"] == "".join(f"{number}," for number in range(300))


def many_items(number):
    items = [added({**MESSAGE, "id": f"m{n}"}, n) for n in range(number)]
    final = [message(output_text("a"), id=f"m{n}") for n in range(number)]
    return [*items, *(text("a", 0, n) for n in range(number)), terminal(*final), terminal(*final[1:])]


def many_parts(number):
    finals = [done(message()), done(message(output_text(""))), done(message(output_text("b", LINK)))]
    return [added(MESSAGE), *(text("a", n) for n in range(number)), *(finals * (number // 3))]


def many_dones(number):
    return [added(MESSAGE)] + [one for _ in range(number) for one in (text("a"), text_done(""), terminal())]


@pytest.mark.parametrize("stream", [many_items, many_parts, many_dones])
def test_cost_grows_with_the_stream_and_no_faster(stream):
    def seconds(number):
        reading = Reading(Responses())
        values = stream(number)
        start = time.process_time()
        reading.feed(*values)
        return time.process_time() - start

    seconds(100)
    assert seconds(4000) < 30 * seconds(500)
