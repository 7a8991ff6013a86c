"""Findings come as they happen, grow in linear time, and are taken back with nothing said too early."""

import json
import time

import pytest

from playground import messages
from playground.lint.findings import EXAMPLES
from playground.pipeline import Pipeline
from playground.reads import End, Read
from tests.support.linted import HEAD, findings, found, told, walked


def chunk(delta, **fields):
    choices = [{"index": 0, "delta": delta, "finish_reason": None}]
    return (
        f"data: {json.dumps({'id': 'c', 'object': 'chat.completion.chunk', 'choices': choices, **fields})}\n\n".encode()
    )


ROLE = chunk({"role": "assistant", "content": "a"})


def test_a_finding_comes_with_the_read_that_shows_it_and_grows_with_the_next():
    _, steps = walked([ROLE, ROLE, ROLE + ROLE], "chat")
    assert [[(one.rule, one.rows) for one in step.findings] for step in steps[:-1]] == [
        [],
        [],
        [("role-repeated", (2,))],
        [("role-repeated", (3, 4))],
    ]


def test_a_step_carries_its_findings_to_the_browser():
    _, steps = walked([ROLE, ROLE], "chat")
    text = messages.encode_step(steps[2], word="", complete=False)
    size = len(ROLE)
    assert json.loads(text)["findings"] == [["role-repeated", "info", [2], size, 2 * size, None, "assistant"]]
    assert "findings" not in json.loads(messages.encode_step(steps[1], word="", complete=False))


def test_a_finding_about_a_call_points_to_its_part():
    call = {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "f", "arguments": "{"}}]}
    pipeline, _ = walked([ROLE, chunk(call)], "chat")
    (finding,) = [one for one in pipeline.findings if one.rule.id == "tool-arguments-invalid-json"]
    (example,) = finding.examples
    part = next(part for part in pipeline.transcript if part.number == example.part)
    assert (part.kind, list(finding.rows)) == ("tool_call", [2])
    assert example.detail == "f: {"


def test_of_many_occurrences_all_rows_are_kept_and_some_details():
    pipeline, steps = walked([ROLE * 1000], "chat")
    (finding,) = [one for one in pipeline.findings if one.rule.id == "role-repeated"]
    assert list(finding.rows) == list(range(2, 1001))
    assert finding.count == 999
    assert len(finding.examples) == EXAMPLES
    assert steps[1].findings[0].rows == tuple(finding.rows)


@pytest.mark.parametrize("format", ["chat", None])
def test_nothing_is_said_of_a_body_that_may_be_no_stream(format):
    line = b'{"waiting":1}\n'
    pipeline, steps = walked([line, line, line], format)
    assert findings(pipeline) == ["not-sse-ndjson"]
    assert all(not step.findings for step in steps[:-1])
    pipeline, steps = walked([line, line, ROLE], format)
    assert [list(step.findings) for step in steps[:3]] == [[], [], []]
    assert [(one.rule, one.rows) for one in steps[3].findings] == [("json-outside-data", (1, 2))]


def test_a_page_is_told_as_soon_as_it_is_one():
    _, steps = walked([b"<html>", b"<body>no\n</body>"], "chat")
    assert told(steps[:2]) == ["not-sse-html"]
    assert told(steps) == ["not-sse-html"]


def test_a_half_character_in_a_document_stands_beside_its_finding():
    assert found(b'{"error":{"message":"no"},"text":"\xff"}') == ["error-body", "invalid-utf8", "not-sse-json"]
    choices = '{"choices":[{"message":{"content":"a\\udca9"}}]}'
    assert found(choices.encode(), "chat") == ["lone-surrogate", "not-sse-json"]


def test_bad_bytes_are_told_with_their_place():
    whole = b": a\xffb\n\n" + ROLE + b"x: \xe4\xba\n"
    for size in (1, 7, len(whole)):
        pipeline, _ = walked([whole[at : at + size] for at in range(0, len(whole), size)], "chat")
        (finding,) = [one for one in pipeline.findings if one.rule.id == "invalid-utf8"]
        at = whole.index(b"\xe4")
        assert [(one.row, one.start, one.end) for one in finding.examples] == [(1, 3, 4), (3, at, at + 2)]


def test_a_split_pair_that_was_joined_is_no_lone_half():
    assert "split-surrogate-pair" in found(chunk({"content": "a\ud83e"}) + chunk({"content": "\udd89b"}), "chat")
    between = chunk({"content": "a\ud83e"}) + chunk({"content": "b"}) + chunk({"content": "\udd89"})
    rules = found(between, "chat")
    assert "lone-surrogate" in rules
    assert "split-surrogate-pair" not in rules


@pytest.mark.parametrize("format", ["chat", "messages", "responses"])
@pytest.mark.parametrize(
    "field", ["choices", "delta", "error", "type", "usage", "item", "index", "object", "id", "response"]
)
def test_json_that_is_nested_deep_is_no_trouble(format, field):
    deep = "[" * 900 + "]" * 900
    events = [f'data: {{"type":"{type}","choices":[{{"delta":{deep}}}],"{field}":{deep}}}\n\n' for type in (
        "content_block_delta", "content_block_stop", "message_start", "response.output_item.done",
        "response.output_text.delta", "response.completed",
    )]  # fmt: skip
    assert found("".join(events).encode(), format)


@pytest.mark.parametrize(
    ("format", "event"),
    [
        ("chat", '{"choices":[{"index":%d,"delta":{"content":"a"}}]}'),
        ("chat", '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"function":{"name":"f"}}]}}]}'),
        ("messages", '{"type":"content_block_start","index":%d,"content_block":{"type":"text"}}'),
        ("messages", '{"type":"message_start","message":{"id":"%d"}}'),
        ("responses", '{"type":"response.output_text.delta","output_index":%d,"delta":"a"}'),
        ("responses", '{"type":"response.output_text.delta","output_index":0,"content_index":%d,"delta":"a"}'),
        ("responses", '{"type":"response.output_item.added","item":{"type":"function_call","id":"%d"}}'),
    ],
)
def test_findings_cost_what_the_number_of_rows_costs(format, event):
    def seconds(count):
        body = "".join(f"data: {event % number}\n\n" for number in range(count)).encode()
        start = time.process_time()
        walked([body], format)
        return time.process_time() - start

    assert seconds(8000) < 12 * seconds(2000) + 0.2


def test_without_lint_there_is_nothing():
    pipeline, steps = walked([ROLE, ROLE], "chat", lint=False)
    assert pipeline.findings == []
    assert told(steps) == []


def test_a_lane_is_linted_while_its_format_is_still_open():
    pipeline = Pipeline(None)
    pipeline.head(HEAD)
    step = pipeline.feed(Read(1, None, b"bogus: 1\n\n"))
    assert [one.rule for one in step.findings] == ["unknown-field-line"]
    pipeline.feed(Read(2, None, ROLE))
    pipeline.end(End("stopped"))
    assert findings(pipeline) == ["unknown-field-line"]
