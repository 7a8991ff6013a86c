"""The whole corridor: every golden stream comes out as its expect.json says, however its body is cut."""

import gzip
import json
import random
import time
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground import messages
from playground.pipeline import HELD, Pipeline
from playground.reads import End, Head, Read
from tests.support.applier import Applier, standing
from tests.support.streams import CASES, FOLDER, body, bytewise, cut, cut_at_random, expected, recorded_cuts

FORMATS = ["chat", "messages", "responses"]
FLAT = ["text", "reasoning", "refusal", "tool_calls", "finish", "usage", "errors", "complete", "events"]
LONG = 100_000  # bodies above are not fed byte by byte


def head(**headers):
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Head("POST", "https://upstream.example/v1", (), b"", status=200, headers=fields, time=0)


def recorded_head(case):
    path = FOLDER / case / "http.json"
    recorded = json.loads(path.read_text()) if path.exists() else {}
    headers = recorded.get("headers", {"content-type": "text/event-stream"})
    return Head("POST", "", (), b"", status=recorded.get("status", 200), headers=tuple(headers.items()), time=0)


def walk(pieces, format, head=head(content_type="text/event-stream"), how="closed"):  # noqa: B008
    """The pipeline after its end and all its steps."""
    pipeline = Pipeline(format)
    steps = [pipeline.head(head)]
    for number, piece in enumerate(pieces, 1):
        steps.append(pipeline.feed(Read(number, number * 1000, piece)))
    steps.append(pipeline.end(End(how, len(pieces) * 1000 + 1)))
    return pipeline, steps


def read(whole, format="chat"):
    return walk([whole], format)[0].said()


def cuttings(case):
    whole = body(case)
    yield [whole]
    yield cut(whole, recorded_cuts(case))
    yield cut_at_random(whole, seed=1)
    yield cut_at_random(whole, seed=2)
    if len(whole) < LONG:
        yield bytewise(whole)


def judge(said, case):
    wanted = expected(case)
    keys = [*FLAT, "parts"] if "parts" in wanted else FLAT
    assert {key: said[key] for key in keys} == {key: wanted[key] for key in keys}


# The golden streams


@pytest.mark.parametrize("case", CASES)
def test_a_golden_stream_comes_out_as_expected_however_it_is_cut(case):
    for pieces in cuttings(case):
        pipeline, steps = walk(pieces, expected(case)["format"], recorded_head(case))
        judge(pipeline.said(), case)
        applier = Applier()
        for step in steps:
            applier.apply(step.operations)
        assert applier.standing() == standing(pipeline.transcript)


@pytest.mark.parametrize("case", CASES)
def test_the_format_of_a_golden_stream_is_recognised(case):
    whole = body(case)
    for pieces in ([whole], cut_at_random(whole, seed=3)):
        pipeline, _ = walk(pieces, None, recorded_head(case))
        judge(pipeline.said(), case)
        if pipeline.body_kind in {"stream", "json", "ndjson"}:
            assert pipeline.format == expected(case)["format"]


@pytest.mark.parametrize("case", CASES)
def test_rows_are_in_the_steps_of_the_reads_that_completed_them(case):
    whole = body(case)
    pieces = cut_at_random(whole, seed=4)
    _, steps = walk(pieces, expected(case)["format"])
    once = walk([whole], expected(case)["format"])[1]
    assert [step.number for step in steps] == list(range(len(pieces) + 2))
    assert [step.size for step in steps] == [0, *(len(piece) for piece in pieces), 0]
    assert steps[-1].offset == len(whole)
    for step in steps[1:-1]:
        assert all(row.read == step.number and row.time == step.time for row in step.rows)
    assert numbered(steps) == numbered(once)


def numbered(steps):
    return [(row.number, row.kind, row.start, row.end, row.name, row.data) for step in steps for row in step.rows]


@pytest.mark.parametrize("case", CASES)
def test_no_base64_and_nothing_unencodable_is_in_the_messages(case):
    pipeline, steps = walk([body(case)], expected(case)["format"])
    for step in steps:
        text = messages.encode_step(step, word=pipeline.word, complete=pipeline.complete)
        text.encode()
        assert all(
            operation[3] != "data" for operation in json.loads(text).get("operations", ()) if operation[1] == "set"
        )


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("case", CASES)
def test_a_stream_read_as_another_format_raises_nothing(case, format):
    walk([body(case)], format)


# Odd heads, codings and ends


CHUNK = b'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"%b"}}]}\n\n'
FINISH = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


@pytest.mark.parametrize(("coding", "encode"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_an_encoded_body_is_read_as_what_it_holds(coding, encode):
    whole = encode(CHUNK % b"Aye" + FINISH)
    for pieces in ([whole], bytewise(whole)):
        pipeline, steps = walk(pieces, "chat", head(content_encoding=coding))
        assert pipeline.said()["text"] == "Aye"
        assert pipeline.complete
        assert steps[-1].offset == len(CHUNK % b"Aye" + FINISH)
        assert pipeline.notes == []


def test_a_body_that_ends_inside_its_encoding_shows_what_came_and_says_so():
    whole = gzip.compress(CHUNK % b"Aye" * 50)
    pipeline, _ = walk([whole[:-20]], "chat", head(content_encoding="gzip"))
    assert pipeline.said()["text"].startswith("Aye")
    assert pipeline.notes


def test_an_answer_that_never_came_has_two_steps():
    pipeline = Pipeline("chat")
    steps = [pipeline.head(Head("POST", "", (), b"")), pipeline.end(End("refused", None, "Nobody listens there."))]
    assert [step.number for step in steps] == [0, 1]
    assert steps[1].end.how == "refused"
    assert pipeline.word == "refused"
    assert pipeline.body_kind == "empty"


def test_the_lane_says_ended_at_the_formats_end_and_failed_after_an_error():
    pipeline = Pipeline("chat")
    pipeline.head(head())
    assert pipeline.word == "streaming"
    pipeline.feed(Read(1, 1, CHUNK % b"Aye" + FINISH))
    assert pipeline.word == "ended"
    pipeline.feed(Read(2, 2, b'data: {"error":"late"}\n\n'))
    pipeline.end(End("closed", 3))
    assert pipeline.word == "failed"


def test_a_body_that_breaks_off_is_cut():
    pipeline, _ = walk([CHUNK % b"Aye"], "chat", how="reset")
    assert (pipeline.word, pipeline.complete) == ("cut", False)


def test_what_is_open_is_closed_by_the_last_step():
    pipeline, steps = walk([CHUNK % b"Aye"], "chat")
    assert [operation[1] for operation in steps[-1].operations] == ["close"]
    assert all(part.closed for part in pipeline.transcript)


# Bodies that turn out to be something else


def test_lines_are_said_live_and_taken_back_when_a_stream_follows():
    pipeline = Pipeline("chat")
    pipeline.head(head())
    line = b'{"message":{"role":"assistant","content":"Hm"},"done":false}\n'
    assert not pipeline.feed(Read(1, 1, line)).operations
    assert pipeline.feed(Read(2, 2, line)).operations
    assert pipeline.said()["text"] == "HmHm"
    step = pipeline.feed(Read(3, 3, CHUNK % b"Aye"))
    assert step.operations[0] == (3, "reset")
    assert pipeline.said()["text"] == "Aye"
    pipeline.feed(Read(4, 4, FINISH))
    pipeline.end(End("closed", 5))
    assert pipeline.complete


def test_taken_back_lines_leave_the_format_open():
    line = b'{"message":{"content":"Hm"},"done":true}\n'
    pipeline, _ = walk([line, line, b"oh\n", *bytewise(body("ref-msg-text"))], None)
    assert (pipeline.format, pipeline.events) == ("messages", 8)
    assert pipeline.complete


def test_a_whole_answer_of_ollama_is_read_as_one():
    pipeline, _ = walk([b'{"model":"w","message":{"role":"assistant","content":"Aye"},"done":true}'], "chat")
    assert (pipeline.said()["text"], pipeline.complete, pipeline.body_kind) == ("Aye", False, "json")


@pytest.mark.parametrize(
    ("whole", "format", "text"),
    [
        (b'{"object":"chat.completion","choices":[{"message":{"content":"Aye"}}]}', "chat", "Aye"),
        (b'{"type":"message","role":"assistant","content":[{"type":"text","text":"Aye"}]}', "messages", "Aye"),
        (
            b'{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"Aye"}]}]}',
            "responses",
            "Aye",
        ),
    ],
)
def test_a_whole_answer_is_recognised_and_said(whole, format, text):
    pipeline, _ = walk(bytewise(whole), None)
    assert (pipeline.format, pipeline.said()["text"], pipeline.events) == (format, text, 0)


def test_a_stream_that_no_event_tells_is_read_as_chat_in_the_end():
    pipeline, _ = walk([b'data: {"error":{"message":"busy"}}\n\n', b"error: again\n\n"], None)
    assert (pipeline.format, pipeline.said()["errors"]) == ("chat", ["busy", "again"])
    assert pipeline.events == 1


def test_not_more_than_some_events_are_held_to_recognise_the_format():
    pipeline = Pipeline(None)
    pipeline.head(head())
    pipeline.feed(Read(1, 1, b'data: {"queue":1}\n\n' * (HELD - 1)))
    assert pipeline.format == ""
    pipeline.feed(Read(2, 2, b'data: {"queue":1}\n\n' * 2))
    assert (pipeline.format, pipeline.events) == ("chat", HELD + 1)


# Whatever bytes come


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([None, *FORMATS]), st.sampled_from(["", "gzip", "deflate", "br", "x"]))
def test_no_bytes_raise(whole, format, coding):
    pipeline, _ = walk(cut_at_random(whole, len(whole)), format, head(content_encoding=coding))
    pipeline.said()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([case for case in CASES if len(body(case)) < LONG]), st.integers(0, 2**32))
def test_damaged_streams_raise_nothing_and_cutting_never_matters(case, seed):
    whole = damaged(body(case), random.Random(seed))
    format = random.Random(seed).choice([None, *FORMATS])
    once, _ = walk([whole], format)
    often, steps = walk(cut_at_random(whole, seed), format)
    assert once.said() == often.said()
    applier = Applier()
    for step in steps:
        applier.apply(step.operations)
    assert applier.standing() == standing(often.transcript)


TOKENS = [
    b"\n",
    b"\n\n",
    b"\r",
    b"{",
    b"}",
    b'"',
    b":",
    b"data: ",
    b"null",
    b"[]",
    b"{}",
    b"0",
    b"-1",
    b"1e9",
    b'""',
    b"\xff",
    b"\\ud83e",
]


def damaged(whole, chance):
    """Bytes lost, doubled, moved or replaced; JSON values exchanged for others."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(whole) + 1)
        end = min(len(whole), start + chance.choice([0, 1, 1, 5, 40, 400]))
        middle = chance.choice([b"", whole[start:end] * 2, chance.choice(TOKENS), chance.choice(TOKENS)])
        if chance.random() < 0.5:
            values = [
                b'"stop"',
                b"null",
                b"0",
                b"1",
                b"true",
                b'"index":0,',
                b'"type":',
                b'"text"',
                b'"id":"',
                b"[{",
                b"}]",
            ]
            whole = whole.replace(chance.choice(values), chance.choice([*values, *TOKENS]), chance.randint(1, 3))
        else:
            whole = whole[:start] + middle + whole[end:]
    return whole


@pytest.mark.parametrize("depth", [300, 1005, 1023, 100_000])
@pytest.mark.parametrize("chunk", ['{"choices":[],"x":%s}', '{"choices":[],"usage":{"a":%s}}', '{"error":{"code":%s}}'])
def test_deep_nesting_raises_nothing(chunk, depth):
    whole = b"data: %b\n\n" % (chunk % ("[" * depth + "]" * depth)).encode()
    pipeline, steps = walk([whole * 2], "chat")
    assert pipeline.events == 2
    for step in steps:
        messages.encode_step(step, word="", complete=False)


# Cost


def cost(pieces, format="chat"):
    pipeline = Pipeline(format)
    pipeline.head(head())
    started = time.process_time()
    for number, piece in enumerate(pieces, 1):
        pipeline.feed(Read(number, None, piece))
    pipeline.end(End("closed"))
    return pipeline, time.process_time() - started


@pytest.mark.parametrize("line", [CHUNK, b'{"choices":[{"message":{"content":"%b"}}]}', b"event: %b\n"])
def test_ten_megabytes_in_one_line_cost_what_their_length_costs(line):
    whole = line % (b"x" * 10_000_000)
    pieces = [whole[at : at + 1000] for at in range(0, len(whole), 1000)]
    pipeline, seconds = cost(pieces)
    assert seconds < 5
    assert len(pipeline.said()["text"]) == (0 if line.startswith(b"event") else 10_000_000)


def test_a_million_tiny_reads_cost_what_their_number_costs():
    whole = (CHUNK % b"Aye, aye. ") * 9000
    pieces = [whole[at : at + 1] for at in range(1_000_000)]
    few, some = cost(pieces[:100_000])
    many, all_of_them = cost(pieces)
    assert all_of_them < 30 * some
    assert len(many.transcript.part("text 0.1").joined()) > 9 * len(few.transcript.part("text 0.1").joined())


def test_many_lines_of_json_cost_what_their_number_costs():
    line = b'{"message":{"content":"Aye"},"done":false}\n'
    pipeline, seconds = cost([line] * 20_000)
    assert pipeline.body_kind == "ndjson"
    assert seconds < 10
