"""python -m bench.relay: what the playground adds between an upstream's socket and a viewer's.

Delay: lanes of 100 events a second, each event stamped when it is written; the same upstream is read directly in the
same run. Rate: the highest rate of one lane, an event a write, that a WebSocket viewer of one process keeps up with.
Everything is kept in the database as always. Clients, upstream and playground are processes of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import connect

WANTED = {"median_ms": 3.0, "p99_ms": 10.0, "events_a_second": 25_000}
RATES = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def processes(folder: Path) -> Iterator[tuple[str, str]]:
    """An upstream and a playground; their addresses."""
    upstream, page = free_port(), free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        "SECRET_KEY": "bench",
        "PLAYGROUND_LANES_AT_ONCE": "64",
    }
    started = [
        subprocess.Popen([sys.executable, "-m", "bench.upstream", str(upstream)]),
        subprocess.Popen(
            [sys.executable, "manage.py", "play", "--port", str(page)], env=environment, stdout=subprocess.DEVNULL
        ),
    ]
    try:
        for port in (upstream, page):
            _wait_for(port)
        yield f"http://127.0.0.1:{upstream}/v1", f"127.0.0.1:{page}"
    finally:
        for process in started:
            process.terminate()
            process.wait(10)


def _wait_for(port: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.1)
    raise SystemExit(f"nothing listens on port {port}")


def _body(rate: float, events: int) -> str:
    return json.dumps({"model": f"rate={rate} events={events}", "stream": True, "messages": []})


async def direct(base_url: str, rate: float, events: int) -> list[tuple[int, int]]:
    """Read the upstream without anything in between: (sent, arrived) of every event, nanoseconds."""
    host, port = base_url.split("/")[2].split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
    body = _body(rate, events).encode()
    writer.write(b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))
    seen = []
    while line := await reader.readline():
        if line.startswith(b"data: {"):
            arrived = time.monotonic_ns()
            sent = orjson.loads(line[6:]).get("sent")
            if sent:
                seen.append((sent, arrived))
    writer.close()
    return seen


async def start_session(page: str, base_url: str, rate: float, events: int) -> str:
    async with httpx.AsyncClient(base_url=f"http://{page}", trust_env=False) as client:
        await client.get("/")
        lane = {"format": "chat", "target": "custom", "base_url": base_url, "body": _body(rate, events), "headers": []}
        answer = await client.post(
            "/sessions/",
            json={"lanes": [lane]},
            headers={"x-csrftoken": client.cookies.get("csrftoken", ""), "origin": f"http://{page}"},
        )
        answer.raise_for_status()
        return str(answer.json()["id"])


async def messages(page: str, session: str) -> AsyncIterator[tuple[int, dict[str, Any]]]:
    """What a viewer gets, pieces joined and frames acknowledged, with the time of arrival."""
    pieces: list[str] = []
    async with connect(f"ws://{page}/ws/sessions/{session}/", origin=f"http://{page}", max_size=None) as viewer:  # type: ignore[arg-type]
        async for text in viewer:
            arrived = time.monotonic_ns()
            message = orjson.loads(text)
            if message["type"] == "piece":
                pieces.append(message["text"])
                if len(pieces) < message["of"]:
                    continue
                message, pieces = orjson.loads("".join(pieces)) | {"frame": message["frame"]}, []
            if "frame" in message:
                await viewer.send(f'{{"type":"ack","frame":{message["frame"]}}}')
            yield arrived, message


async def watched(page: str, session: str) -> tuple[list[tuple[int, int]], int]:
    """(sent, arrived) of every event that the viewer got, and in how many reads they came."""
    seen, reads = [], 0
    async for arrived, message in messages(page, session):
        for step in message.get("steps", ()) if message["type"] == "steps" else ():
            reads += bool(step["size"])
            for row in step.get("rows", ()):
                if '"sent":' in row[5]:
                    seen.append((int(row[5].split('"sent":', 1)[1].split(",", 1)[0]), arrived))
            if "end" in step:
                return seen, reads
    return seen, reads


def delays(seen: list[tuple[int, int]]) -> list[float]:
    """Milliseconds from the upstream's write to arrival; the first second is warming up."""
    first = min(sent for sent, _ in seen)
    return sorted((arrived - sent) / 1e6 for sent, arrived in seen if sent - first > 1e9)


def _figures(seen: list[list[tuple[int, int]]]) -> dict[str, float]:
    every = sorted(delay for lane in seen for delay in delays(lane))
    return {"median_ms": statistics.median(every), "p99_ms": every[int(len(every) * 0.99)]}


async def measure_delay(page: str, base_url: str, lanes: int, seconds: int) -> dict[str, Any]:
    events = 100 * seconds
    bare = _figures(await asyncio.gather(*(direct(base_url, 100, events) for _ in range(lanes))))
    through = _figures(await asyncio.gather(*(_run_and_watch(page, base_url, events) for _ in range(lanes))))
    return {"lanes": lanes, "direct": bare, "through": through} | {
        f"added_{name}": through[name] - bare[name] for name in through
    }


async def _run_and_watch(page: str, base_url: str, events: int) -> list[tuple[int, int]]:
    """A lane that is watched from its start on."""
    seen, _ = await watched(page, await start_session(page, base_url, 100, events))
    return seen


async def measure_rate(page: str, base_url: str, rate: int, seconds: int) -> dict[str, Any]:
    events = rate * seconds
    direct_seen = await direct(base_url, rate, events)
    seen, reads = await watched(page, await start_session(page, base_url, rate, events))
    return {
        "wanted": rate,
        "direct": _rate(direct_seen),
        "through": _rate(seen),
        "events_a_read": len(seen) / max(reads, 1),
        "complete": len(seen) == events,
        "last_delay_ms": statistics.median((arrived - sent) / 1e6 for sent, arrived in seen[-200:]),
    }


def _rate(seen: list[tuple[int, int]]) -> float:
    return len(seen) / ((max(arrived for _, arrived in seen) - min(sent for sent, _ in seen)) / 1e9)


async def run(seconds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, processes(Path(folder)) as (base_url, page):
        await measure_rate(page, base_url, 1000, 1)
        return {
            "delay": [await measure_delay(page, base_url, lanes, seconds) for lanes in (1, 20)],
            "rate": [await measure_rate(page, base_url, rate, seconds) for rate in RATES],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(run(options.seconds))
    if options.json:
        print(json.dumps(figures))
        return
    print("delay in ms, socket to viewer, lanes of 100 events a second (wanted at 20 lanes: +3 median, +10 p99)\n")
    print(f"{'lanes':>6}{'direct median':>15}{'p99':>8}{'through median':>16}{'p99':>8}{'added median':>14}{'p99':>8}")
    for row in figures["delay"]:
        direct_, through = row["direct"], row["through"]
        print(
            f"{row['lanes']:>6}{direct_['median_ms']:>15.2f}{direct_['p99_ms']:>8.2f}{through['median_ms']:>16.2f}"
            f"{through['p99_ms']:>8.2f}{row['added_median_ms']:>14.2f}{row['added_p99_ms']:>8.2f}"
        )
    print("\nevents a second in one process, an event a write, kept and watched (wanted 25,000)\n")
    print(
        f"{'wanted':>8}{'direct':>10}{'through':>10}{'ratio':>8}"
        f"{'events/read':>13}{'delay at the end, ms':>22}{'all there':>11}"
    )
    for row in figures["rate"]:
        print(
            f"{row['wanted']:>8,}{row['direct']:>10,.0f}{row['through']:>10,.0f}{row['through'] / row['direct']:>8.2f}"
            f"{row['events_a_read']:>13.2f}{row['last_delay_ms']:>22.1f}{row['complete']!s:>11}"
        )


if __name__ == "__main__":
    main()
