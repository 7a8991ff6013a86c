import assert from "node:assert/strict";
import { test } from "node:test";

import { Findings, countWords } from "../../static/js/model/findings.js";

/** @param {[step: number, ...found: any[]][]} steps */
function findingsOf(steps) {
  const findings = new Findings();
  for (const [step, ...found] of steps) findings.take(found, step);
  return findings;
}

const THREE = /** @type {any[]} */ ([
  [2, ["bom", "info", [], 0, 3, null, "at the start"]],
  [4, ["delta-without-block", "error", [7, 8], 100, 140, null, "index 3"], ["ping", "warning", [7], 90, 99, null, ""]],
  [9, ["delta-without-block", "error", [12], 300, 310, 5, "index 4"]],
  [20, ["late", "warning", [2], 10, 20, null, "known at the end"]],
]);

/** @param {import("../../static/js/model/findings.js").Finding[]} found */
const rules = (found) => found.map(({ rule }) => rule);

test("a rule has one finding, with every row that it was raised on", () => {
  const findings = findingsOf(THREE);
  assert.deepEqual(rules(findings.list), ["bom", "delta-without-block", "ping", "late"]);
  const [, delta] = findings.list;
  assert.deepEqual([...delta.rows.values.slice(0, delta.rows.length)], [6, 7, 11]);
  assert.deepEqual(delta.occurrences.map(({ row, detail }) => [row, detail]), [[6, "index 3"], [11, "index 4"]]);
  assert.equal(findings.list[0].occurrences[0].row, -1);
});

test("findings can be read as of any step", () => {
  const findings = findingsOf(THREE);
  const view = (/** @type {number} */ step, rows = 100) => ({ step, rows });
  assert.deepEqual(findings.counts(view(1)), { error: 0, warning: 0, info: 0 });
  assert.deepEqual(findings.counts(view(4)), { error: 1, warning: 1, info: 1 });
  assert.deepEqual(findings.counts(), { error: 1, warning: 2, info: 1 });
  assert.deepEqual(rules(findings.at(view(4, 6))), ["bom"]);
});

test("a row has its findings, the worst first", () => {
  const findings = findingsOf(THREE);
  assert.deepEqual(rules(findings.ofRow(6)), ["delta-without-block", "ping"]);
  assert.deepEqual(rules(findings.ofRow(0)), []);
  assert.deepEqual(rules(findings.ofRow(1000)), []);
});

test("the next and the previous row with a finding are found from anywhere", () => {
  const findings = findingsOf(THREE);
  assert.deepEqual([-1, 1, 6, 7, 11].map((from) => findings.next(from, 1)), [1, 6, 7, 11, -1]);
  assert.deepEqual([1000, 11, 7, 6, 1].map((from) => findings.next(from, -1)), [11, 7, 6, 1, -1]);
});

test("a finding on every row keeps its rows and few occurrences", () => {
  const steps = Array.from({ length: 1000 }, (_, step) => [step + 1, ["flood", "info", [step + 1], 0, 1, null, "x"]]);
  const [flood] = findingsOf(/** @type {any} */ (steps)).list;
  assert.equal(flood.rows.length, 1000);
  assert.equal(flood.occurrences.length, 20);
});

test("the head says how many rules are broken, and infos only where there is nothing worse", () => {
  assert.equal(countWords({ error: 2, warning: 1, info: 4 }), "2 errors · 1 warning");
  assert.equal(countWords({ error: 0, warning: 0, info: 1 }), "1 info");
  assert.equal(countWords({ error: 0, warning: 0, info: 0 }), "");
});
