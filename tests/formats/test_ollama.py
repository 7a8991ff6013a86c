"""Ollama's JSON lines."""

from playground.formats.ollama import Ollama
from tests.support.reading import Reading


def read(*lines):
    reading = Reading(Ollama())
    for line in lines:
        reading.document(line)
    return reading.end()


def message(done=False, **fields):
    return {"model": "wren:7b", "message": {"role": "assistant", **fields}, "done": done}


def test_lines_run_on_and_the_last_one_counts():
    reading = read(
        message(content="", thinking="Hm"),
        message(content="", thinking="m."),
        message(content="Aye"),
        message(content="."),
        {
            **message(True, content=""),
            "done_reason": "stop",
            "prompt_eval_count": 40,
            "eval_count": 12,
            "eval_duration": 9,
        },
    )
    assert reading.parts == [{"kind": "reasoning", "text": "Hmm."}, {"kind": "text", "text": "Aye."}]
    assert reading.said["finish"] == "stop"
    assert reading.said["usage"] == {"input": 40, "output": 12, "reasoning": None, "cached": None}
    assert reading.said["complete"]
    assert reading.transcript.lane.fields["model"] == "wren:7b"
    assert reading.transcript.lane.fields["usage"]["raw"] == {
        "prompt_eval_count": 40,
        "eval_count": 12,
        "eval_duration": 9,
    }
    assert all(part.closed for part in reading.transcript)


def test_within_a_line_reasoning_comes_first_and_calls_last():
    entry = {"function": {"name": "tide_table", "arguments": {"port": "Brest"}}}
    assert [part["kind"] for part in read(message(tool_calls=[entry], content="a", thinking="b")).parts] == [
        "reasoning",
        "text",
        "tool_call",
    ]


def test_every_entry_of_tool_calls_is_a_call():
    first = {"function": {"index": 0, "name": "f", "arguments": {"a": 1}}}
    second = {"index": 0, "function": {"index": 0, "name": "f", "arguments": {}}}
    assert read(message(tool_calls=[first, second]), message(tool_calls=[first])).said["tool_calls"] == [
        {"id": None, "name": "f", "arguments": '{"a":1}'},
        {"id": None, "name": "f", "arguments": "{}"},
        {"id": None, "name": "f", "arguments": '{"a":1}'},
    ]


def test_an_error_line_is_an_error_and_the_answer_is_not_complete():
    said = read(message(content="Half"), {"error": "the engine went away"}).said
    assert said["errors"] == ["the engine went away"]
    assert said["text"] == "Half"
    assert not said["complete"]


def test_a_line_after_the_last_one_opens_the_answer_again():
    assert not read(message(True, content="a"), message(content="b")).said["complete"]


def test_odd_lines_say_nothing():
    assert read({}, {"message": 5, "done": "true"}, {"message": {"tool_calls": [5], "content": 7}}).parts == []
