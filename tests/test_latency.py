"""When things came: figures of lanes whose reads have times, and none where they have none."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.latency import GAP_CLASSES, OPENTELEMETRY, Latency
from playground.pipeline import Pipeline
from playground.reads import End, Head, Read

HEAD = Head("POST", "", (), b"", status=200, headers=(("content-type", "text/event-stream"),), time=900)
MS = 1000


def chunk(delta=None, finish=None, **fields):
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    value = {"id": "c", "object": "chat.completion.chunk", "choices": choices, **fields}
    return f"data: {json.dumps(value)}\n\n".encode()


def lane(*reads, format="chat", end=None):
    """The pipeline after reads of (time, body)."""
    pipeline = Pipeline(format)
    pipeline.head(HEAD)
    for number, (time, body) in enumerate(reads, 1):
        pipeline.feed(Read(number, time, body))
    pipeline.end(End("closed", end))
    return pipeline


def call(arguments):
    return chunk({"tool_calls": [{"index": 0, "id": "x", "function": {"name": "f", "arguments": arguments}}]})


STORY = (
    (1 * MS, b": keep-alive\n\n"),
    (5 * MS, chunk({"role": "assistant", "content": ""})),
    (20 * MS, chunk({"reasoning_content": "Hm"})),
    (30 * MS, chunk({"content": "Aye"})),
    (40 * MS, call("")),
    (55 * MS, call("{}")),
    (60 * MS, chunk({}, "stop") + chunk(usage={"prompt_tokens": 9, "completion_tokens": 30}) + b"data: [DONE]\n\n"),
)


def test_the_firsts_are_the_first_that_say_something():
    latency = lane(*STORY, end=70 * MS).latency
    assert latency.head == 900
    assert latency.first_byte == 1 * MS
    assert latency.first_event == 5 * MS
    assert latency.first_reasoning == 20 * MS
    assert latency.first_text == 30 * MS
    assert latency.first_tool == 55 * MS
    assert latency.first_token == 20 * MS
    assert latency.duration == 60 * MS


def test_a_refusal_is_a_first_text():
    assert lane((7, chunk({"refusal": "No"}))).latency.first_text == 7


@pytest.mark.parametrize("text", ["", None])
def test_what_is_empty_is_not_first(text):
    latency = lane((7, chunk({"role": "assistant", "content": text}))).latency
    assert latency.first_text is None
    assert latency.first_token is None


def test_messages_and_responses_have_firsts_too():
    start = {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "f"}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{"}}
    reads = [(3, f"data: {json.dumps(start)}\n\n".encode()), (9, f"data: {json.dumps(delta)}\n\n".encode())]
    assert lane(*reads, format="messages").latency.first_tool == 9
    text = {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Aye"}
    assert lane((4, f"data: {json.dumps(text)}\n\n".encode()), format="responses").latency.first_text == 4


def test_gaps_lie_between_reads_and_never_inside_one():
    several = chunk({"content": "a"}) * 5
    latency = lane((10, several), (30, several), (70, several), (71, b": nothing\n\n")).latency
    assert latency.events == 15
    assert latency.gaps() == [20, 40]
    figures = latency.figures()
    assert (figures.count, figures.median, figures.p95, figures.longest) == (2, 20, 40, 40)


def test_burstiness_tells_a_beat_from_bursts():
    one = chunk({"content": "a"})
    beat = lane(*((time * MS, one) for time in range(50))).latency.figures()
    bursts = lane(*((time // 10 * 5_000 * MS + time, one) for time in range(50))).latency.figures()
    assert beat.burstiness == -1
    assert bursts.burstiness > 0.3


def test_stalls_are_the_long_gaps():
    one = chunk({"content": "a"})
    latency = lane((0, one), (12_000_000, one), (12_000_001, one)).latency
    assert latency.stalls() == [(0, 12_000_000)]
    assert latency.stalls(1) == [(0, 12_000_000), (12_000_000, 12_000_001)]


def test_tokens_a_second_are_the_servers_when_it_said_how_many():
    pipeline = lane(*STORY)
    assert pipeline.latency.tokens_a_second(pipeline.transcript) == (30 / 0.04, False)


def test_tokens_a_second_are_estimated_until_then():
    pipeline = lane(*STORY[:4])
    rate, estimated = pipeline.latency.tokens_a_second(pipeline.transcript)
    assert estimated
    assert rate == pytest.approx(5 / 4 / 0.01)


def test_hidden_reasoning_was_made_before_the_first_token():
    usage = {"completion_tokens": 100, "completion_tokens_details": {"reasoning_tokens": 80}}
    pipeline = lane((10 * MS, chunk({"content": "a"})), (20 * MS, chunk({"content": "b"}, "stop", usage=usage)))
    assert pipeline.latency.tokens_a_second(pipeline.transcript) == (20 / 0.01, False)


def test_one_read_has_no_rate():
    pipeline = lane((10, chunk({"content": "a"}, "stop")))
    assert pipeline.latency.tokens_a_second(pipeline.transcript)[0] is None


def test_without_times_there_are_no_figures():
    pipeline = lane((None, chunk({"content": "a"})), (None, chunk({"content": "b"})))
    summary = pipeline.latency.summary(pipeline.transcript)
    assert summary["events"] == 2
    assert not pipeline.latency.timed
    assert {name for name, value in summary.items() if value is not None} == {
        "events", "reads", "gaps", "stalls", "estimated",
    }  # fmt: skip
    assert pipeline.latency.curve() == []


def test_the_summary_is_plain_json():
    pipeline = lane(*STORY)
    summary = json.loads(json.dumps(pipeline.latency.summary(pipeline.transcript)))
    assert summary["gaps"]["longest"] == 15 * MS
    assert summary["reads"] == 6


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20_000_000), st.integers(0, 3)), max_size=60), st.integers(2, 20))
def test_histogram_and_curve_hold_every_gap_and_event(reads, points):
    latency = Latency()
    time = offset = 0
    for gap, events in reads:
        time += gap
        offset += 10
        latency.read(time, offset, events, ())
    histogram = latency.histogram()
    assert sum(count for _, count in histogram) == len(latency.gaps())
    assert [bound for bound, _ in histogram] == [*GAP_CLASSES, None]
    curve = latency.curve(points)
    assert curve == sorted(curve)
    assert len(curve) <= points + 1
    if curve:
        assert curve[-1][1] == latency.events
        assert curve[-1][0] == latency.last_event
    rows = list(latency.rows())
    assert [gap for _, _, _, gap in rows if gap is not None] == latency.gaps()


def test_a_read_costs_a_few_bytes():
    latency = Latency()
    for number in range(10_000):
        latency.read(number, number, 1, ())
    assert sum(len(column) * column.itemsize for column in (latency.times, latency.totals, latency.offsets)) == 240_000


def test_the_docs_have_the_names_of_opentelemetry():
    docs = (Path(__file__).resolve().parent.parent / "docs" / "latency.md").read_text()
    assert all(f"`{name}`" in docs for name in OPENTELEMETRY.values())
