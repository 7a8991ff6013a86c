"""Checks over time and sums, and how a lane's end changes what is found."""

import json

import pytest

from playground.lint.thresholds import Thresholds
from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from tests.support.linted import HEAD, findings, found
from tests.support.streams import body

SECOND = 1_000_000


def chunk(delta=None, finish=None, **fields):
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    value = {"id": "c", "object": "chat.completion.chunk", "choices": choices, **fields}
    return f"data: {json.dumps(value)}\n\n".encode()


WORD = chunk({"content": "word "})
LAST = chunk({}, "stop") + b"data: [DONE]\n\n"


def timed(reads, end=None, how="closed", **options):
    """The findings of reads of (time, body)."""
    pipeline = Pipeline("chat", **options)
    pipeline.head(HEAD)
    for number, (time, piece) in enumerate(reads, 1):
        pipeline.feed(Read(number, time, piece))
    pipeline.end(End(how, end))
    return pipeline, findings(pipeline)


def steady(count, gap=10_000, start=0):
    return [(start + number * gap, WORD) for number in range(count)]


# Time


def test_a_steady_stream_has_no_finding():
    reads = steady(200)
    assert timed([*reads, (reads[-1][0] + 1, LAST)])[1] == []


def test_most_of_a_long_answer_in_one_read_is_a_burst():
    pipeline, rules = timed([(0, WORD), (5 * SECOND, WORD * 99 + LAST)])
    assert rules == ["read-burst"]
    (finding,) = pipeline.findings
    assert list(finding.rows) == [2]
    assert finding.examples[0].detail == "101 of 102 events in one read"


def test_a_short_answer_in_one_read_is_none():
    assert timed([(0, WORD * 20 + LAST)])[1] == []


def test_a_large_event_in_one_read_is_none():
    assert timed([*steady(60), (SECOND, chunk({"content": "x" * 500_000}) + LAST)])[1] == []


def test_a_long_silence_is_a_stall_and_not_a_sudden_gap():
    reads = steady(50)
    pipeline, rules = timed([*reads, (reads[-1][0] + 11 * SECOND, WORD + LAST)])
    assert rules == ["stall"]
    assert list(pipeline.findings[0].rows) == [51]


def test_comments_do_not_break_a_stall():
    reads = steady(5)
    waiting = [(reads[-1][0] + number * SECOND, b": keep-alive\n\n") for number in range(1, 12)]
    assert timed([*reads, *waiting, (reads[-1][0] + 12 * SECOND, LAST)])[1] == ["stall"]


def test_a_silence_before_the_first_event_is_no_stall():
    assert timed([(60 * SECOND, WORD + LAST)])[1] == []


def test_a_silence_before_a_cut_is_a_stall():
    _, rules = timed(steady(5), end=30 * SECOND, how="idle-timeout")
    assert "stall" in rules


def test_a_silence_after_the_end_of_the_format_is_none():
    assert timed([(0, WORD), (9, LAST)], end=30 * SECOND)[1] == []


def test_a_gap_out_of_step_is_sudden():
    reads = steady(30)
    pipeline, rules = timed([*reads, (reads[-1][0] + 2 * SECOND, WORD + LAST)])
    assert rules == ["sudden-gap"]
    assert pipeline.findings[0].examples[0].detail == "2.00 s, usually 10.0 ms"


@pytest.mark.parametrize("reads", [steady(10), steady(30, gap=SECOND // 2)])
def test_a_gap_among_few_or_among_long_ones_is_not(reads):
    assert timed([*reads, (reads[-1][0] + 2 * SECOND, WORD + LAST)])[1] == []


def test_thresholds_are_an_argument():
    reads = [(0, WORD), (2 * SECOND, LAST)]
    assert timed(reads)[1] == []
    assert timed(reads, thresholds=Thresholds(stall=1.5))[1] == ["stall"]


@pytest.mark.parametrize("pieces", [[WORD] * 200 + [LAST], [WORD * 200 + LAST]])
def test_without_times_there_is_no_finding_over_time(pieces):
    assert timed([(None, piece) for piece in pieces])[1] == []


# Sums


def summed(text, **usage):
    whole = chunk({"content": text}) + chunk({}, "stop") + chunk(usage=usage) + b"data: [DONE]\n\n"
    return found(whole, "chat")


def test_a_total_is_a_sum():
    assert summed("Aye", prompt_tokens=5, completion_tokens=2, total_tokens=7) == []
    assert summed("Aye", prompt_tokens=5, completion_tokens=2, total_tokens=8) == ["total-mismatch"]
    assert summed("Aye", prompt_tokens=5, completion_tokens=2) == []


def test_cached_tokens_are_part_of_the_input():
    assert summed("Aye", prompt_tokens=5, completion_tokens=2, prompt_tokens_details={"cached_tokens": 5}) == []
    assert summed("Aye", prompt_tokens=5, completion_tokens=2, prompt_tokens_details={"cached_tokens": 6}) == [
        "cached-above-input"
    ]


def test_in_messages_cached_tokens_are_not():
    whole = body("ref-msg-text").replace(b'"cache_read_input_tokens":0', b'"cache_read_input_tokens":900')
    assert b"900" in whole
    assert found(whole, "messages") == []


@pytest.mark.parametrize(
    ("characters", "tokens", "reasoning", "rules"),
    [
        (40_000, 10_000, None, []),
        (40_000, 2_100, None, []),
        (40_000, 10, None, ["usage-implausible"]),
        (100, 400, 0, []),
        (100, 4_000, 0, ["usage-implausible"]),
        (100, 4_000, 3_950, []),
        (100, 4_000, None, []),  # reasoning may be hidden
        (0, 150, 0, []),
    ],
)
def test_usage_is_held_against_the_text(characters, tokens, reasoning, rules):
    usage = {"prompt_tokens": 1, "completion_tokens": tokens}
    if reasoning is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": reasoning}
    assert summed("x" * characters, **usage) == rules


def test_the_usage_of_an_answer_that_was_cut_is_not_judged():
    start = b'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"output_tokens":1}}}\n\n'
    opened = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "x" * 40_000}}
    whole = start + f"event: content_block_start\ndata: {json.dumps(opened)}\n\n".encode()
    assert "usage-implausible" not in found(whole, "messages")


# Ends


CUT = {
    "chat-truncated-mid-tool": "chat",
    "msg-truncated": "messages",
    "resp-truncated": "responses",
    "sse-unterminated-done": "chat",
    "sse-unterminated-completed": "responses",
    "http-empty-200": "chat",
}


@pytest.mark.parametrize("how", ["stopped", "limit", "interrupted"])
@pytest.mark.parametrize("case", CUT)
def test_nothing_is_missing_where_the_upstream_did_not_end_it(case, how):
    assert found(body(case), CUT[case], how) == []
    assert found(body(case), CUT[case], "reset") != []


def test_what_was_wrong_before_a_person_stopped_it_stays():
    assert found(body("chat-role-every-chunk")[:-40], "chat", "stopped") == ["role-repeated"]


@pytest.mark.parametrize("how", ["refused", "connect-timeout", "first-byte-timeout", "unresolved", "tls", "forbidden"])
def test_without_an_answer_there_is_no_finding(how):
    pipeline = Pipeline("chat")
    pipeline.head(Head("POST", "", (), b""))
    pipeline.end(End(how))
    assert findings(pipeline) == []
