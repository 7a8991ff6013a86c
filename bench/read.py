"""python -m bench.read: events a second through sse + formats + transcript, with and without lint and latency.

Peers in the same run: `bytes.split` + orjson (no reader can do less), and the official clients' stream helpers.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable

import anthropic
import httpx2 as httpx
import openai
import orjson

from bench.bodies import BODIES
from playground.pipeline import Pipeline
from playground.reads import End, Head, Read

READ_SIZE = 65536
WANTED, WANTED_LINTED = 200_000, 120_000
HEAD = Head("POST", "", (), b"", status=200, headers=(("content-type", "text/event-stream"),))


def corridor(format: str, body: bytes, *, lint: bool = False) -> None:
    pipeline = Pipeline(format, lint=lint)
    pipeline.head(HEAD)
    for number, start in enumerate(range(0, len(body), READ_SIZE), 1):
        pipeline.feed(Read(number, number, body[start : start + READ_SIZE]))
    pipeline.end(End("closed"))
    assert pipeline.complete, f"the {format} body was not read to its end"


def linted(format: str, body: bytes) -> None:
    corridor(format, body, lint=True)


def event_a_read(format: str, body: bytes) -> None:
    pipeline = Pipeline(format)
    pipeline.head(HEAD)
    for number, event in enumerate(body.split(b"\n\n"), 1):
        pipeline.feed(Read(number, number, event + b"\n\n"))
    pipeline.end(End("closed"))
    assert pipeline.complete


def split_and_parse(format: str, body: bytes) -> None:
    for block in body.split(b"\n\n"):
        start = block.find(b"data: {")
        if start >= 0:
            orjson.loads(block[start + 6 :])


def official(format: str, body: bytes) -> None:
    answer = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=body)
    http = httpx.Client(transport=httpx.MockTransport(lambda request: answer))
    if format == "messages":
        client = anthropic.Anthropic(api_key="none", http_client=http)
        with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}]) as stream:
            stream.get_final_message()
        return
    client = openai.OpenAI(api_key="none", http_client=http)
    if format == "chat":
        with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "x"}]) as stream:
            stream.get_final_completion()
    else:
        with client.responses.stream(model="m", input="x") as stream:
            stream.get_final_response()


def rate(work: Callable[[str, bytes], None], format: str, body: bytes) -> float:
    """Events a second of one run."""
    events = body.count(b"data: ")
    gc.collect()
    start = time.perf_counter()
    work(format, body)
    return events / (time.perf_counter() - start)


def measure(format: str, *, events: int, rounds: int) -> dict[str, float]:
    """Medians over rounds in which all take turns; the ratios are medians of the rounds' own ratios."""
    long, short = BODIES[format](events), BODIES[format](min(events, 3000))
    runs = [
        {
            "corridor": rate(corridor, format, long),
            "linted": rate(linted, format, long),
            "event_a_read": rate(event_a_read, format, long),
            "split_and_parse": rate(split_and_parse, format, long),
            "official": rate(official, format, short),
        }
        for _ in range(rounds)
    ]
    figures = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    for peer in ("split_and_parse", "official"):
        figures[f"corridor/{peer}"] = statistics.median(run["corridor"] / run[peer] for run in runs)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    table = {format: measure(format, events=options.events, rounds=options.rounds) for format in BODIES}
    if options.json:
        print(json.dumps(table))
        return
    print(f"events a second, median of {options.rounds} rounds of {options.events:,} events; ", end="")
    print(f"wanted {WANTED:,}, with lint and latency {WANTED_LINTED:,}\n")
    print(
        f"{'':<11}{'corridor':>10}{'+ lint':>10}{'event/read':>12}{'split+orjson':>14}{'official':>10}"
        f"{'× split':>9}{'× official':>12}"
    )
    for format, row in table.items():
        print(
            f"{format:<11}{row['corridor']:>10,.0f}{row['linted']:>10,.0f}{row['event_a_read']:>12,.0f}{row['split_and_parse']:>14,.0f}"
            f"{row['official']:>10,.0f}{row['corridor/split_and_parse']:>9.2f}{row['corridor/official']:>12.1f}"
        )


if __name__ == "__main__":
    main()
