"""python -m bench.recordings: opening a kept session, what keeping costs, and how fast an import is taken in.

Opening: a lane of 100,000 events, an event a read, from the page's navigation until its last screen of rows and the end
of Said are drawn: sessions that the server has not read before, and one that it has. Beside it the corridor alone over
the same reads in this process: the least that replaying takes.
Keeping: bytes in the database a byte on the wire, of events a read and of many. Writing: bench/writing.py. Server and
browser are processes of their own; the browser is Chromium.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from bench.chromium import chromium
from bench.relay import _wait_for, free_port
from playground.messages import encode_step
from playground.pipeline import Pipeline
from playground.reads import End, Head, Read
from playground.recordings.recording_file import recording_file
from playground.recordings.records import EndRecord, HeadRecord, ReadRecord, Record, SessionRecord

WANTED = {"opening_s": 1.5, "kept_per_byte": 3.0, "reads_a_second": 25_000}
EVENTS = 100_000
GAP = 250
"""Microseconds between two reads."""

# In the page: when the lane's last row and the end of what was said were drawn first, and every long task.
WATCH = """
window.tasks = [];
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((task) => task.duration)))
  .observe({ type: "longtask", buffered: true });
const look = () => {
  const rows = document.querySelectorAll("wire-pane [role=row]");
  const drawn = [...rows].some((row) => row.textContent.includes("[DONE]"));
  const said = drawn && [...document.querySelectorAll("said-pane")].some((pane) => {
    const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
    let node = walker.lastChild();
    while (walker.nextNode()) node = walker.currentNode;
    for (let back = 0; node && back < 200; back++, node = walker.previousNode()) {
      if (node.data.includes("word LAST")) return true;
    }
    return false;
  });
  if (drawn && said) document.documentElement.dataset.opened = String(performance.now());
  else requestAnimationFrame(look);
};
const begin = () => (document.documentElement ? requestAnimationFrame(look) : setTimeout(begin, 1));
begin();
"""


def event(number: int, last: int) -> bytes:
    word = "LAST" if number == last else str(number)
    choice = {"index": 0, "delta": {"content": f"word {word} "}, "finish_reason": None}
    chunk = {"id": "chatcmpl-b", "object": "chat.completion.chunk", "created": 1767200000, "model": "bench"}
    return f"data: {json.dumps({**chunk, 'choices': [choice]}, separators=(',', ':'))}\n\n".encode()


END = (
    b'data: {"id":"chatcmpl-b","object":"chat.completion.chunk","created":1767200000,"model":"bench",'
    b'"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
)


def reads(events: int, at_once: int = 1) -> list[Read]:
    bodies = [event(number, events - 1) for number in range(events)]
    joined = [b"".join(bodies[start : start + at_once]) for start in range(0, events, at_once)]
    return [Read(number, number * GAP, body) for number, body in enumerate([*joined, END], 1)]


def recording(found: list[Read]) -> bytes:
    def records() -> Iterator[Record]:
        yield SessionRecord("bench", 1_772_359_200.0)
        head = Head("POST", "https://bench.example/v1", (), b"{}", 1_772_359_200.0, 200, "OK", (), 1)
        yield HeadRecord(0, "chat", "custom", "bench", head)
        for read in found:
            yield ReadRecord(0, read)
        yield EndRecord(0, End("closed", found[-1].time))

    return b"".join(recording_file(records()))


def corridor(found: list[Read]) -> float:
    """Seconds for the same reads through pipeline and encoding alone."""
    gc.collect()
    began = time.perf_counter()
    pipeline = Pipeline("chat")
    pipeline.head(Head("POST", "", (), b"", status=200))
    for read in found:
        encode_step(pipeline.feed(read), word="", complete=False)
    encode_step(pipeline.end(End("closed")), word=pipeline.word, complete=pipeline.complete)
    return time.perf_counter() - began


class Server:
    """A playground of its own, with a database of its own."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.database = folder / "bench.sqlite3"
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{self.database}", "SECRET_KEY": "bench"}
        command = [sys.executable, "manage.py", "play", "--port", str(port)]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        _wait_for(port)

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.database.parent.glob("bench.sqlite3*"))

    def take(self, content: bytes) -> str:
        """Import a recording; its address."""
        with httpx.Client(base_url=self.url, trust_env=False, timeout=300) as client:
            client.get("/")
            headers = {"x-csrftoken": client.cookies.get("csrftoken") or "", "origin": self.url}
            answer = client.post("/sessions/import", content=io.BytesIO(content), headers=headers)
            answer.raise_for_status()
            return str(answer.json()["address"])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)


# Polled every 50 ms, so that asking costs the page nothing.
OPENED = """new Promise((done) => {
  const look = () => (document.documentElement?.dataset.opened ? done(window.tasks) : setTimeout(look, 50));
  look();
})"""


async def opened(addresses: list[str]) -> list[dict[str, float]]:
    """{"seconds", "longest_task_ms", "long_tasks"} of every opening, each by a browser that has seen nothing yet."""
    found = []
    for address in addresses:
        async with chromium(WATCH) as page:
            # The browser's own start is not the page's.
            await asyncio.sleep(1)
            await page.ask("Page.navigate", url=address)
            tasks = await page.value(OPENED)
            seconds = float(await page.value("document.documentElement.dataset.opened")) / 1000
            found.append({"seconds": seconds, "longest_task_ms": max(tasks, default=0.0), "long_tasks": len(tasks)})
    return found


def told(pages: list[dict[str, float]], least: float) -> dict[str, Any]:
    """The median opening against what is wanted and against the corridor; the worst of the tasks."""
    seconds = statistics.median(page["seconds"] for page in pages)
    return {
        "seconds": seconds,
        "of_wanted": seconds / WANTED["opening_s"],
        "of_corridor": seconds / least,
        "longest_task_ms": max(page["longest_task_ms"] for page in pages),
        "long_tasks": max(page["long_tasks"] for page in pages),
        "all": [page["seconds"] for page in pages],
    }


def keeping(server: Server, found: list[Read]) -> dict[str, float]:
    size = sum(len(read.body) for read in found)
    content = recording(found)
    before = server.size()
    began = time.perf_counter()
    server.take(content)
    seconds = time.perf_counter() - began
    return {
        "kept_per_byte": (server.size() - before) / size,
        "taken_mb_a_second": size / 1e6 / seconds,
        "reads_a_second": len(found) / seconds,
    }


def writing() -> dict[str, dict[str, float]]:
    """What bench/writing.py measures, in a process that has nothing else to do."""
    command = [sys.executable, "-m", "bench.writing"]
    found: dict[str, dict[str, float]] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    found = reads(options.events)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            kept = {"an event a read": keeping(server, found), "20 a read": keeping(server, reads(options.events, 20))}
            addresses = [server.url + server.take(recording(found)) for _ in range(options.times)]
            least = min(corridor(found) for _ in range(2))
            first = asyncio.run(opened(addresses))
            again = asyncio.run(opened(addresses[-1:] * options.times))
        finally:
            server.close()
    result: dict[str, Any] = {
        "events": options.events,
        "corridor_seconds": least,
        "opening": {"first": told(first, least), "again": told(again, least)},
        "keeping": kept,
        "writing": writing(),
    }
    if options.json:
        print(json.dumps(result))
        return
    print(f"opening {options.events} events; the corridor alone takes {least:.2f} s")
    for name, each in result["opening"].items():
        print(
            f"  {name}: {each['seconds']:.2f} s, {each['of_wanted']:.2f} of what is wanted, "
            f"{each['of_corridor']:.2f} of the corridor; "
            f"{each['long_tasks']} tasks above 50 ms, the longest {each['longest_task_ms']:.0f} ms"
        )
    for name, each in kept.items():
        print(
            f"keeping, {name}: {each['kept_per_byte']:.2f} bytes a byte (wanted below {WANTED['kept_per_byte']:.0f}), "
            f"taken in at {each['taken_mb_a_second']:.1f} MB, {each['reads_a_second']:,.0f} reads a second"
        )
    for name, rate in result["writing"].items():
        print(
            f"writing, {name}: {rate['reads_a_second']:,.0f} reads, {rate['mb_a_second']:.0f} MB a second "
            f"(wanted {WANTED['reads_a_second']:,.0f} reads), {rate['of_sqlite']:.1f} times what SQLite alone takes"
        )


if __name__ == "__main__":
    main()
