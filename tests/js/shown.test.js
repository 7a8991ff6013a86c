// Standing at a moment shows what was there live, to the character.

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyLane, goldenStreams, plainParts } from "./corridor.js";

/** All that a pane may read of a lane as it is shown. @param {import("../../static/js/model/lane.js").LaneModel} lane */
function seen(lane) {
  const { shown } = lane;
  const { transcript } = lane;
  const standing = [...transcript.standing(shown.position)];
  return {
    word: shown.word, finish: shown.finish, open: shown.open, end: shown.end, head: shown.head,
    events: shown.events, reads: shown.reads, bytes: shown.bytes, rows: shown.rows, step: shown.step,
    said: shown.said, firstToken: shown.firstToken, lastToken: shown.lastToken, elapsed: shown.elapsed,
    usage: shown.value("usage"), id: shown.value("id"), model: shown.value("model"),
    growing: [...shown.growing].map((part) => part.number).sort(),
    broken: standing.filter((part) => shown.brokenOff(part)).map((part) => part.number),
    parts: plainParts(transcript, shown.position),
  };
}

/** @param {import("../../static/js/model/lane.js").LaneModel} lane @param {number} step */
function standBehind(lane, step) {
  lane.stand({ step, rows: lane.steps.rows.at(step), time: lane.steps.times.at(step) });
}

test("at every step of every golden stream a lane shows what it showed live", async () => {
  /** @type {Map<string, import("../../static/js/model/lane.js").LaneModel>} */
  const bytewise = new Map();
  const whole = new Map();
  for await (const { case: name, cut, steps } of goldenStreams()) {
    const lane = emptyLane();
    const live = steps.map((step) => {
      lane.take(step);
      return seen(lane);
    });
    for (let step = steps.length - 1; step >= 0; step--) {
      standBehind(lane, step);
      assert.deepEqual(seen(lane), live[step], `${name}, ${cut}, back at step ${step}`);
    }
    lane.stand(null);
    assert.deepEqual(seen(lane), live.at(-1), `${name}, ${cut}, at the end`);
    if (cut === "bytes") bytewise.set(name, lane);
    if (cut === "whole") whole.set(name, lane);
  }
  let compared = 0;
  for (const [name, slow] of bytewise) {
    const lane = whole.get(name);
    // A body that is no event stream may be recognised later, the more it is cut.
    if (lane.end.body !== "stream") continue;
    for (let rows = 1; rows < lane.steps.rows.at(1); rows++) {
      const step = slow.steps.rows.rank(rows - 1);
      if (slow.steps.rows.at(step) !== rows) continue;
      lane.stand({ step: 1, rows, time: 0 });
      const { position } = lane.shown;
      assert.deepEqual(plainParts(lane.transcript, position), plainParts(slow.transcript, slow.steps.positions.at(step)), `${name} behind row ${rows}`);
      compared++;
    }
  }
  assert.ok(compared > 500, `${compared} rows inside a read`);
});

test("before the first step nothing is shown, and the lane waits", () => {
  const lane = emptyLane();
  lane.take({ step: 0, time: 10, size: 0, offset: 0, head: { status: 200, reason: "", headers: [], started: null } });
  lane.stand({ step: -1, rows: 0, time: 0 });
  assert.deepEqual([lane.shown.word, lane.shown.events, lane.shown.reads, lane.shown.head], ["waiting", 0, 0, null]);
  assert.equal(lane.word, "streaming");
});
