"""What each writer does at the edges: when an event can be known, how an answer ends, what it cannot say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.formats.interface import usage_counts
from playground.formats.updates import END, LANE, Update
from playground.lens import WRITERS, finish
from playground.lens.encoding import encode
from playground.lens.interface import Event, Loss, Writer
from tests.support.read_back import said_in

START: list[Update] = [("set", LANE, "role", "assistant")]
USAGE: Update = ("set", LANE, "usage", usage_counts({}, input=5, output=2))


def writer(format: str, **options: Any) -> Writer:
    return WRITERS[format](**{"id": "7fq2", "model": "orchid-2", "created": 1_767_200_000, **options})


def text(key: str = "t", words: str = "Hello") -> list[Update]:
    return [("open", key, "text", {}, END), ("append", key, "text", words)]


def finished(reason: str) -> Update:
    return ("set", LANE, "finish", reason)


def names(events: list[Event]) -> list[str]:
    return [name for name, _ in events]


def objects(events: list[Event]) -> list[dict[str, Any]]:
    return [value for _, value in events if isinstance(value, dict)]


@pytest.mark.parametrize("format", WRITERS)
def test_a_fragment_is_written_in_the_moment_in_which_it_comes(format: str) -> None:
    one = writer(format)
    one.feed(START)
    assert "Hel" in str(one.feed(text(words="Hel")))
    assert "lo" in str(one.feed([("append", "t", "text", "lo")]))


@pytest.mark.parametrize("format", WRITERS)
def test_an_answer_without_anything_is_whole_all_the_same(format: str) -> None:
    events = writer(format).end()
    last = {"chat": ("", "[DONE]"), "messages": "message_stop", "responses": "response.completed"}[format]
    assert events[-1] == last or events[-1][0] == last


@pytest.mark.parametrize("format", WRITERS)
def test_a_source_that_ends_too_early_becomes_an_error_and_no_finish(format: str) -> None:
    one = writer(format)
    one.feed([*START, *text()])
    events = one.end(complete=False)
    assert "ended before the answer did" in str(events)
    assert "stop_reason" not in str(events)
    assert "'stop'" not in str(events)
    assert one.feed(text("u")) == []


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("reason", ["error", "network_error", "insufficient_system_resource"])
def test_a_finish_that_is_a_failure_becomes_an_error(format: str, reason: str) -> None:
    one = writer(format)
    one.feed([*START, *text(), finished(reason)])
    events = one.end()
    assert one.fault is not None
    assert reason in one.fault.message
    assert "completed" not in str(events)


@pytest.mark.parametrize("format", WRITERS)
def test_after_an_error_nothing_is_written_but_the_end(format: str) -> None:
    one = writer(format)
    one.feed([*START, *text()])
    error = {"message": "Too busy", "raw": {"type": "overloaded_error", "message": "Too busy"}}
    assert "Too busy" in str(one.feed([("open", "e", "error", error, END)]))
    assert one.feed([*text("u"), finished("stop"), USAGE]) == []
    assert one.end() == ([("", "[DONE]")] if format == "chat" else [])
    assert one.end() == ([("", "[DONE]")] if format == "chat" else [])


@pytest.mark.parametrize(
    ("raw", "chat", "messages", "responses"),
    [
        ("stop", "stop", "end_turn", "completed"),
        ("max_tokens", "length", "max_tokens", "incomplete"),
        ("content_filter", "content_filter", "refusal", "incomplete"),
        ("pause_turn", "stop", "pause_turn", "completed"),
        ("never heard of", "stop", "end_turn", "completed"),
    ],
)
def test_a_finish_keeps_its_meaning(raw: str, chat: str, messages: str, responses: str) -> None:
    for format, word in (("chat", chat), ("messages", messages), ("responses", responses)):
        one = writer(format)
        one.feed([*START, *text(), finished(raw), USAGE])
        one.end()
        whole = one.whole()
        said = {
            "chat": lambda whole=whole: whole["choices"][0]["finish_reason"],
            "messages": lambda whole=whole: whole["stop_reason"],
            "responses": lambda whole=whole: whole["status"],
        }[format]()
        assert said == word
        unsaid = finish.class_of(raw, calls=False) in finish.UNSAID[format]
        assert unsaid is any(loss.element == "finish" for loss in one.lost)


def test_messages_holds_the_finish_until_usage_came() -> None:
    one = writer("messages")
    one.feed([*START, USAGE, *text()])
    assert names(one.feed([finished("stop")])) == []
    delta, stop = one.feed([("set", LANE, "usage", usage_counts({}, input=5, output=9))])[-2:], one.end()
    assert names(delta) == ["content_block_stop", "message_delta"]
    assert objects(delta)[1]["delta"]["stop_reason"] == "end_turn"
    assert objects(delta)[1]["usage"]["output_tokens"] == 9
    assert names(stop) == ["message_stop"]


def test_messages_tells_the_finish_at_the_end_when_no_usage_comes() -> None:
    one = writer("messages")
    one.feed([*START, *text(), finished("length")])
    assert names(one.end()) == ["content_block_stop", "message_delta", "message_stop"]
    assert [loss.element for loss in one.lost] == ["usage"]


def test_messages_counts_the_prompt_without_what_the_cache_had() -> None:
    one = writer("messages")
    one.feed([*START, ("set", LANE, "usage", usage_counts({}, input=100, output=2, cached=60, written=30)), *text()])
    one.end()
    usage = one.whole()["usage"]
    assert (usage["input_tokens"], usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]) == (
        10,
        60,
        30,
    )


def test_chat_counts_the_whole_prompt_of_a_source_that_counts_the_rest_of_it() -> None:
    one = writer("chat")
    counts = usage_counts({}, input=10, output=2, cached=60, written=30, whole_input=100)
    one.feed([*START, ("set", LANE, "usage", counts), *text(), finished("end_turn")])
    usage = objects(one.end())[-1]["usage"]
    assert usage["prompt_tokens"] == 100
    assert usage["prompt_tokens_details"] == {"cached_tokens": 60, "cache_write_tokens": 30}


def test_chat_tells_usage_only_when_it_was_asked_for() -> None:
    one = writer("chat", usage=False)
    one.feed([*START, *text(), finished("stop"), USAGE])
    assert one.end() == [("", "[DONE]")]


def test_chat_names_a_reasoning_detail_once() -> None:
    """Clients append strings that come again: a format sent twice reads "unknownunknown"."""
    one = writer("chat")
    fields = {"id": "r1", "format": "anthropic-claude-v1"}
    events = one.feed([*START, ("open", "r", "reasoning", fields, END), ("append", "r", "text", "Hm")])
    events += one.feed([("append", "r", "text", "."), ("set", "r", "signature", "EqQB")])
    details = [value["choices"][0]["delta"].get("reasoning_details") for value in objects(events)]
    assert details[1:] == [
        [{"type": "reasoning.text", "text": "Hm", "index": 0, **fields}],
        [{"type": "reasoning.text", "text": ".", "index": 0}],
        [{"type": "reasoning.text", "signature": "EqQB", "index": 0}],
    ]


def test_responses_marks_the_item_in_which_the_answer_was_cut() -> None:
    one = writer("responses")
    events = one.feed([*START, *text("a"), ("close", "a"), *text("b"), ("close", "b")])
    events += one.feed([finished("length"), USAGE])
    events += one.end()
    done = [value["item"] for name, value in events if name == "response.output_item.done" and isinstance(value, dict)]
    assert [item["status"] for item in done] == ["completed", "incomplete"]
    assert events[-1][0] == "response.incomplete"
    assert objects(events)[-1]["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


def test_responses_repeats_what_was_asked() -> None:
    one = writer("responses", request={"instructions": "Be brief.", "tools": [{"type": "web_search"}], "input": "Hi"})
    response = objects(one.feed(START))[0]["response"]
    assert response["instructions"] == "Be brief."
    assert response["tools"] == [{"type": "web_search"}]
    assert "input" not in response


@pytest.mark.parametrize("format", WRITERS)
def test_a_final_value_brings_only_what_the_fragments_lacked(format: str) -> None:
    one = writer(format)
    one.feed([*START, *text(words="Hel")])
    events = one.feed([("final", "t", "text", "Hello"), ("final", "t", "text", "")])
    assert len(events) == 1
    assert "'lo'" in str(events)
    assert one.lost == [loss for loss in one.lost if loss.element == "usage"]


def test_a_final_value_that_differs_is_lost_where_nothing_can_be_called_back() -> None:
    for format in WRITERS:
        one = writer(format)
        one.feed([*START, USAGE, *text(words="Rough copy")])
        assert one.feed([("final", "t", "text", "Fair copy")]) == []
        one.feed([("close", "t"), finished("stop")])
        one.end()
        assert ("Fair copy" in str(one.whole())) is True
        assert bool(one.lost) is (format != "responses")


@pytest.mark.parametrize("format", ["messages", "responses"])
def test_a_call_is_announced_when_id_and_name_are_known(format: str) -> None:
    one = writer(format)
    one.feed([*START, USAGE])
    assert one.feed([("open", "k", "tool_call", {"id": "call_1"}, END)]) == []
    assert "tide_table" in str(one.feed([("set", "k", "name", "tide_table")]))
    assert one.lost == []


@pytest.mark.parametrize("format", WRITERS)
def test_a_call_without_an_id_gets_one(format: str) -> None:
    one = writer(format)
    events = one.feed(
        [*START, USAGE, ("open", "k", "tool_call", {"name": "now"}, END), ("append", "k", "arguments", "{}")]
    )
    events += one.feed([("close", "k"), finished("tool_calls")])
    events += one.end()
    assert "7fq2" in str(next(value for value in objects(events) if "now" in str(value)))


def test_parts_that_alternate_keep_all_they_say() -> None:
    script: list[Update] = [
        *START,
        USAGE,
        ("open", "a", "tool_call", {"id": "c1", "name": "one"}, END),
        ("append", "a", "arguments", "{"),
        ("open", "b", "tool_call", {"id": "c2", "name": "two"}, END),
        ("append", "b", "arguments", "{"),
        ("append", "a", "arguments", "}"),
        ("append", "b", "arguments", "}"),
        finished("tool_calls"),
    ]
    for format in WRITERS:
        one = writer(format)
        one.feed(script)
        one.end()
        assert [part.joined("arguments") for part in one.transcript] == ["{}", "{}"]
        assert (
            Loss("order", "Fragments of parts that alternate: some come after their block was stopped.") in one.lost
        ) is (format == "messages")


def test_only_chat_tells_a_second_choice() -> None:
    other: list[Update] = [("open", "u", "text", {"choice": 1, "text": "Hi"}, END), ("set", LANE, "finish:1", "stop")]
    for format in WRITERS:
        one = writer(format)
        events = one.feed([*START, USAGE, *text(), *other, finished("stop")])
        assert ("'Hi'" in str(events)) is (format == "chat")
        assert [loss.element for loss in one.lost] == ([] if format == "chat" else ["choice"])


@pytest.mark.parametrize("format", WRITERS)
def test_ids_model_and_time_are_the_sources_when_none_are_given(format: str) -> None:
    one = WRITERS[format]()
    events = one.feed(
        [("set", LANE, "id", "gen-42"), ("set", LANE, "model", "heron-4"), ("set", LANE, "created", 9), *START]
    )
    events += one.feed(text())
    prefix = {"chat": "chatcmpl-", "messages": "msg_", "responses": "resp_"}[format]
    assert f"'{prefix}42'" in str(events)
    assert "'heron-4'" in str(events)


def test_halves_of_a_character_travel_as_escapes() -> None:
    one = writer("chat")
    (event,) = one.feed([*START, *text(words="\ud83c")])[-1:]
    assert b'"\\ud83c"' in encode(event)


@pytest.mark.parametrize("format", ["chat", "messages"])
def test_free_text_with_quotes_and_half_characters_stays_one_json_string(format: str) -> None:
    one = writer(format, overlapping=True)
    begun: Update = ("open", "c", "tool_call", {"id": "call_1", "name": "run", "custom": True}, END)
    pieces = ['say "', "\ud83d", "\ude00", '\\n"']
    grown: list[Update] = [("append", "c", "arguments", piece) for piece in pieces]
    events = [*one.feed([*START, begun, *grown, ("close", "c")]), *one.feed([finished("tool_calls")]), *one.end()]
    (call,) = said_in(format, b"".join(map(encode, events)))["tool_calls"]
    assert json.loads(call["arguments"]) == {"input": 'say "\U0001f600\\n"'}
