"""python -m bench.playing: how far from its time an event appears when a kept session is played at 1x, and what a step
of the player costs in a session of 100,000 events.

A lane of 1,500 events, one every 10 ms, is played in Chromium from its start. In every frame the page looks which word
is the last one of Said; an event's delay is the time of the frame that first shows it, less its own time on the wire.
The clock's start is that of the event which came soonest. The peer: the frames of a page that does nothing.

A step is a press of the arrow key at the scrubber: what its handler takes, and what all panes take to draw the moment
and to be laid out in the frame behind it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.chromium import Page, chromium
from bench.recordings import Server, reads, recording

EVENTS = 1500
GAP = 10_000
"""Microseconds between two events."""

FRAME = 1000 / 60
STEP_MS = 4.0
LONG = 100_000
STEPS = 200

IDLE = """new Promise((done) => {
  const frames = [];
  const look = (now) => (frames.push(now) > 120 ? done(frames) : requestAnimationFrame(look));
  requestAnimationFrame(look);
})"""

# Plays from the start to the end; [[last word, milliseconds], ...], one for each frame in which that word was new.
PLAY = """new Promise((done) => {
  const bar = document.querySelector("player-bar");
  const press = (name) => bar.querySelector(`button[aria-label="${name}"]`).click();
  press("To the start");
  const seen = [];
  let last = -1;
  const look = () => {
    // Behind the page's own drawing of this frame.
    const words = document.querySelector("said-pane")?.textContent.match(/word \\d+/g) ?? [];
    const word = words.length > 0 ? Number(words.at(-1).slice(5)) : -1;
    if (word !== last) seen.push([(last = word), performance.now()]);
    if (word >= LAST) done(seen);
    else requestAnimationFrame(() => setTimeout(look));
  };
  requestAnimationFrame(() => requestAnimationFrame(() => {
    press("Play");
    look();
  }));
})"""


# From the middle on, so many steps forward and back; milliseconds of each.
STEP = """(async () => {
  const track = document.querySelector("player-bar [role=slider]");
  const press = (key) => track.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const middle = Number(track.getAttribute("aria-valuemax")) / 2;
  const box = track.getBoundingClientRect();
  const at = { clientX: box.left + box.width / 2, clientY: box.top + 4, pointerId: 1, button: 0, bubbles: true };
  track.setPointerCapture = () => {};
  track.dispatchEvent(new PointerEvent("pointerdown", at));
  for (let times = 0; times < 30; times++) await frame();
  const costs = [];
  for (let times = 0; times < STEPS; times++) {
    let begun = 0;
    requestAnimationFrame(() => (begun = performance.now()));
    const pressed = performance.now();
    press(times % 4 === 3 ? "ArrowLeft" : "ArrowRight");
    const handled = performance.now() - pressed;
    await new Promise((done) => requestAnimationFrame(() => {
      document.body.getBoundingClientRect();
      costs.push(handled + performance.now() - begun);
      done();
    }));
    await frame();
  }
  return { costs, moved: Math.abs(Number(track.getAttribute("aria-valuenow")) - middle) / middle };
})()"""


async def stepped(address: str, events: int) -> dict[str, Any]:
    async with chromium("") as page:
        await asyncio.sleep(1)
        await page.ask("Page.navigate", url=address)
        await _wait_for(page, f"document.querySelector('said-pane')?.textContent.includes('word {events - 2} ')")
        await asyncio.sleep(1)
        found = await page.value(STEP.replace("STEPS", str(STEPS)))
    costs = sorted(found["costs"])
    assert found["moved"] < 0.1, "the player does not stand near the middle"
    return {
        "events": events,
        "median_ms": statistics.median(costs),
        "p95_ms": costs[int(len(costs) * 0.95)],
        "longest_ms": costs[-1],
    }


async def played(address: str, events: int) -> dict[str, Any]:
    async with chromium("") as page:
        await asyncio.sleep(1)
        await page.ask("Page.navigate", url=address)
        await _wait_for(page, f"document.querySelector('said-pane')?.textContent.includes('word {events - 2} ')")
        idle = await page.value(IDLE)
        seen = await page.value(PLAY.replace("LAST", str(events - 2)))
    gaps = [after - before for before, after in itertools.pairwise(idle)]
    shown: dict[int, float] = {}
    for word, now in seen:
        for number in range(max(shown, default=-1) + 1, word + 1):
            shown[number] = now
    late = [now - number * GAP / 1000 for number, now in shown.items()]
    delays = sorted(each - min(late) for each in late)
    return {
        "events": len(delays),
        "median_ms": statistics.median(delays),
        "p95_ms": delays[int(len(delays) * 0.95)],
        "longest_ms": delays[-1],
        "within_a_frame": sum(delay <= FRAME for delay in delays) / len(delays),
        "idle_frame_p95_ms": sorted(gaps)[int(len(gaps) * 0.95)],
    }


async def _wait_for(page: Page, condition: str) -> None:
    look = f"const look = () => ({condition} ? done() : setTimeout(look, 50));"
    await page.value(f"new Promise((done) => {{ {look} look(); }})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--long", type=int, default=LONG)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            found = [read._replace(time=read.number * GAP) for read in reads(options.events)]
            result = asyncio.run(played(server.url + server.take(recording(found)), options.events))
            long = server.url + server.take(recording(reads(options.long)))
            result["step"] = asyncio.run(stepped(long, options.long))
        finally:
            server.close()
    if options.json:
        print(json.dumps(result))
        return
    print(f"{result['events']} events played at 1x, one every {GAP / 1000:.0f} ms: behind their time")
    for name in ("median", "p95", "longest"):
        print(f"  {name}: {result[f'{name}_ms']:.1f} ms, {result[f'{name}_ms'] / FRAME:.2f} of a frame")
    idle = result["idle_frame_p95_ms"]
    print(f"  within one frame: {result['within_a_frame']:.1%}; a page at rest has frames of {idle:.1f} ms (p95)")
    step = result["step"]
    print(f"a step at {step['events']:,} events")
    for name in ("median", "p95", "longest"):
        print(f"  {name}: {step[f'{name}_ms']:.1f} ms, {step[f'{name}_ms'] / STEP_MS:.2f} of what is wanted")


if __name__ == "__main__":
    main()
