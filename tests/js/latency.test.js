import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Latency, cumulative, durationOf, firstTime, firstTokenTime, gapFigures, gapHistogram, timeOfShare, timesCsv, tokenPace,
} from "../../static/js/model/latency.js";
import { emptyLane, goldenStreams } from "./corridor.js";

const HEAD = { step: 0, time: 10, size: 0, offset: 0, head: { status: 200, reason: "OK", headers: [], started: null } };

/** @param {number} value */
const orNull = (value) => (Number.isNaN(value) ? null : value);

/** The figures as playground/latency.py tells them. @param {import("../../static/js/model/lane.js").LaneModel} lane */
function summary(lane) {
  const { shown } = lane;
  const gaps = gapFigures(lane.latency.gaps());
  return {
    first_byte: orNull(firstTime(shown, "byte")),
    first_event: orNull(firstTime(shown, "event")),
    first_reasoning: orNull(firstTime(shown, "reasoning")),
    first_text: orNull(firstTime(shown, "text")),
    first_tool: orNull(firstTime(shown, "tool")),
    first_token: orNull(firstTokenTime(shown)),
    duration: orNull(durationOf(shown)),
    reads: lane.latency.busy.length,
    gaps: Object.fromEntries(Object.entries(gaps).map(([name, value]) => [name, orNull(value)])),
  };
}

/** @param {number | null} one @param {number | null} other */
function close(one, other, what = "", tolerance = 1e-9) {
  if (one === null || other === null) assert.equal(one, other, what);
  else assert.ok(Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(other)), `${what}: ${one} is not ${other}`);
}

test("the browser has the figures of Python for every golden stream", async () => {
  for await (const { case: name, cut, steps, latency, histogram } of goldenStreams()) {
    const lane = emptyLane();
    for (const step of steps) lane.take(step);
    const what = `${name}, ${cut}`;
    const { gaps: wanted, ...figures } = latency;
    const { gaps, ...here } = summary(lane);
    for (const [figure, value] of Object.entries(here)) assert.equal(value, figures[figure], `${what}: ${figure}`);
    for (const [figure, value] of Object.entries(gaps)) close(value, wanted[figure], `${what}: ${figure}`);
    assert.deepEqual(gapHistogram(lane.latency.gaps()), histogram, what);
    const pace = tokenPace(lane.shown);
    assert.equal(pace.estimated, latency.estimated, what);
    // An estimate counts characters; the browser counts UTF-16 units, of which some characters have two.
    const exact = !pace.estimated || !/[\ud800-\udfff]|\\ud[89a-f]/.test(steps.map((step) => JSON.stringify(step.operations ?? "")).join(""));
    if (exact) close(orNull(pace.rate), latency.tokens_a_second, `${what}: tokens a second`);
  }
});

/** Three reads; the second brings two events. */
function laneOf() {
  const lane = emptyLane();
  lane.take(HEAD);
  lane.take({ step: 1, time: 100_000, size: 9, offset: 9, rows: [[1, "event", "a,b", 0, 9, "{}"]] });
  lane.take({
    step: 2, time: 150_000, size: 9, offset: 18, rows: [[2, "event", "=x", 9, 12, "{}"], [3, "event", "", 12, 18, "{}"]],
    operations: [[2, "open", 1, "text", { text: "Hi" }, null]],
  });
  lane.take({ step: 3, time: 450_000, size: 3, offset: 21, rows: [[4, "comment", "", 18, 21, ""]] });
  lane.take({ step: 4, time: 550_000, size: 3, offset: 24, rows: [[5, "event", "", 21, 24, "{}"]] });
  return lane;
}

test("gaps are between reads that brought events; none is made up inside a read", () => {
  assert.deepEqual([...laneOf().latency.gaps()], [50_000, 400_000]);
});

test("figures can be read as of any moment", () => {
  const lane = laneOf();
  lane.stand({ step: 1, rows: 1, time: 100_000 });
  assert.equal(firstTime(lane.shown, "event"), 100_000);
  assert.ok(Number.isNaN(firstTime(lane.shown, "text")));
  assert.equal(durationOf(lane.shown), 100_000);
  assert.deepEqual(cumulative(lane.shown), [[100_000, 1]]);
  lane.stand(null);
  assert.deepEqual(cumulative(lane.shown), [[100_000, 1], [150_000, 3], [550_000, 4]]);
  assert.deepEqual([0.25, 0.5, 0.75, 1].map((share) => timeOfShare(lane.shown, share)), [100_000, 150_000, 150_000, 550_000]);
});

test("a stream without times has no figures", () => {
  const lane = emptyLane();
  lane.take({ ...HEAD, time: null });
  lane.take({ step: 1, time: null, size: 9, offset: 9, rows: [[1, "event", "", 0, 9, "{}"]] });
  assert.equal(lane.latency.untimed, true);
  assert.ok(Number.isNaN(firstTime(lane.shown, "byte")));
  assert.equal(timesCsv(lane.shown).split("\r\n")[1], "1,,,1,9,event");
});

test("the CSV has every row; the rows of a read share its time and have no gap; no name is a formula", () => {
  assert.deepEqual(timesCsv(laneOf().shown).split("\r\n").slice(0, 4), [
    "row,time_us,gap_us,read,bytes,name",
    '1,100000,100000,1,9,"a,b"',
    "2,150000,50000,2,3,'=x",
    "3,150000,,2,6,event",
  ]);
});

test("a curve is thinned and keeps its ends", () => {
  const lane = emptyLane();
  lane.take(HEAD);
  for (let step = 1; step <= 2000; step++) {
    lane.take({ step, time: step * 10, size: 1, offset: step, rows: [[step, "event", "", step - 1, step, ""]] });
  }
  const curve = cumulative(lane.shown, 100);
  assert.ok(curve.length <= 102);
  assert.deepEqual([curve[0], curve.at(-1)], [[10, 1], [20_000, 2000]]);
});

test("gaps asked for at any moment, forward and back, are those of that moment", () => {
  const latency = new Latency();
  let time = 0;
  const times = [0];
  for (let step = 1; step <= 400; step++) {
    time += (step * 7919) % 101;
    times.push(time);
    latency.take({ step, time, size: 1, offset: step, rows: [[step, "event", "", 0, 1, ""]] }, step);
  }
  for (const step of [5, 6, 200, 199, 60, 400, 1, 0, 3]) {
    const gaps = times.slice(2, step + 1).map((each, place) => each - times[place + 1]);
    assert.deepEqual([...latency.gaps(step)], gaps.sort((one, other) => one - other), `${step}`);
  }
});
