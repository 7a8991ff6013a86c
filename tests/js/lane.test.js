import assert from "node:assert/strict";
import { test } from "node:test";

import { colourOfDeeds, wordOfDeeds } from "../../static/js/model/deeds.js";
import { firstTokenTime } from "../../static/js/model/latency.js";
import { LaneModel } from "../../static/js/model/lane.js";

const FACTS = {
  lane: 0, format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [],
  request_body: "", word: "waiting", last_step: null,
};

/** @param {Partial<typeof FACTS>} facts */
function laneOf(facts = {}) {
  let now = 1000;
  const lane = new LaneModel({ ...FACTS, ...facts }, () => now);
  return { lane, later: (/** @type {number} */ by) => (now += by) };
}

const HEAD = { step: 0, time: 100, size: 0, offset: 0, head: { status: 200, reason: "OK", headers: [] } };
const READ = {
  step: 1, time: 312_000, size: 40, offset: 40,
  rows: [[1, "event", "", 0, 20, "{}"], [2, "comment", "", 20, 40, " ping"]],
  operations: [[1, "open", 1, "text", { text: "" }, null], [1, "append", 1, "text", "Hi"]],
};
const END = {
  step: 2, time: 500_000, size: 0, offset: 40,
  end: { how: "closed", detail: "", word: "cut", complete: false },
};

test("a lane waits, streams, and says how it ended", () => {
  const { lane } = laneOf();
  assert.equal(lane.word, "waiting");
  lane.take(HEAD);
  assert.equal(lane.word, "streaming");
  lane.take(READ);
  lane.take(END);
  assert.equal(lane.word, "cut");
  assert.equal(lane.open, false);
});

test("a lane says ended at the format's end and failed once an error was said, before transport is over", () => {
  const { lane } = laneOf();
  lane.take(HEAD);
  lane.take({ ...READ, operations: [[1, "set", 0, "complete", true]] });
  assert.equal(lane.word, "ended");
  lane.take({ ...END, end: undefined, operations: [[1, "open", 1, "error", { message: "no" }, null]] });
  assert.equal(lane.word, "failed");
});

test("a kept lane has the word it ended with while its steps are still coming", () => {
  const { lane } = laneOf({ word: "cut", last_step: 2 });
  assert.equal(lane.word, "cut");
  assert.equal(lane.open, false);
  [HEAD, READ, END].forEach((step) => lane.take(step));
  assert.equal(lane.catchingUp, false);
});

test("a step that came before is passed over, a missing one is noticed", () => {
  const { lane } = laneOf();
  assert.ok(lane.take(HEAD));
  assert.ok(lane.take(HEAD));
  assert.equal(lane.steps.length, 1);
  assert.equal(lane.take(END), false);
  assert.ok(lane.take(READ));
  assert.ok(lane.take(READ));
  assert.equal(lane.rows.length, 2);
});

test("the first token is the first that says something, at the time of its read", () => {
  const { lane } = laneOf();
  lane.take(HEAD);
  lane.take({ ...READ, time: 200_000, operations: [[1, "open", 1, "text", { text: "" }, null]] });
  assert.ok(Number.isNaN(firstTokenTime(lane.shown)));
  const row = (/** @type {number} */ number) => [[number, "event", "", 40, 41, "{}"]];
  lane.take({ step: 2, time: 312_000, size: 1, offset: 41, rows: row(lane.rows.length + 1), operations: [[2, "append", 1, "text", "Hi"]] });
  lane.take({ step: 3, time: 400_000, size: 1, offset: 42, rows: row(lane.rows.length + 1), operations: [[2, "set", 1, "text", "Hi!"]] });
  assert.equal(firstTokenTime(lane.shown), 312_000);
  assert.equal(lane.said, 2);
  assert.deepEqual([...lane.steps.said.values.slice(0, 4)], [0, 0, 2, 2]);
});

test("silence is counted from when the last step was heard", () => {
  const { lane, later } = laneOf();
  lane.take(HEAD);
  later(2500);
  assert.equal(lane.silence(lane.clock()), 2_500_000);
});

test("a row has the colour and the word of what it did", () => {
  const { lane } = laneOf();
  lane.take(HEAD);
  const operations = [
    [1, "set", 0, "id", "x"],
    [2, "open", 1, "reasoning", { text: "hm" }, null],
    [3, "open", 2, "text", { text: "so" }, null],
    [3, "set", 0, "finish", "stop"],
    [4, "open", 3, "tool_call", { name: "f" }, null],
    [5, "append", 3, "arguments", "{"],
    [6, "set", 0, "usage", { output: 3 }],
    [7, "open", 4, "error", { message: "no" }, null],
    [8, "close", 1],
    [9, "link", 3],
  ];
  const rows = Array.from({ length: 9 }, (_, index) => [index + 1, "event", "", index, index + 1, "{}"]);
  lane.take({ ...READ, rows, operations });
  const told = [...lane.rows.deeds.values.slice(0, 9)].map((deeds) => [colourOfDeeds(deeds), wordOfDeeds(deeds)]);
  assert.deepEqual(told, [
    ["other", "start"],
    ["reasoning", "delta reasoning"],
    ["text", "delta content + finish"],
    ["tool", "delta tool call"],
    ["tool", "delta arguments"],
    ["usage", "usage"],
    ["error", "error"],
    ["reasoning", ""],
    ["tool", ""],
  ]);
});
