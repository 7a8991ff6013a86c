// The links between Said and Wire against the corridor: for every operation of every golden stream the range that a row
// changed is the text that it brought, and pointing at that text finds the row.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { LaneModel } from "../../static/js/model/lane.js";
import { changesOf, rowsOf } from "../../static/js/model/links.js";
import { GROWING, Transcript } from "../../static/js/model/transcript.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const FACTS = {
  lane: 0, format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [],
  request_body: "", word: "waiting", last_step: null,
};

/** The row that brought each unit of what grew, by part and field, kept the plain way. */
class Owners {
  constructor() {
    /** @type {Map<string, number[]>} */
    this.units = new Map();
  }

  /** @param {any[]} operation @returns {[field: string, from: number, to: number][]} what it brought */
  take([row, name, part, ...rest]) {
    if (name === "reset") this.units.clear();
    const [fields, fresh] = name === "open" ? [Object.entries(rest[1]), true] : [[[rest[0], rest[1]]], name === "set"];
    if (name !== "open" && name !== "set" && name !== "append") return [];
    return fields.filter(([field]) => GROWING.has(field)).map(([field, text]) => {
      const key = `${part} ${field}`;
      const units = fresh ? [] : (this.units.get(key) ?? []);
      const from = units.length;
      for (let unit = 0; unit < text.length; unit++) units.push(row);
      this.units.set(key, units);
      return [field, from, units.length];
    });
  }
}

/** @param {Uint32Array} rows */
const plain = (rows) => [...rows];

test("ranges and rows are those of the corridor, in every golden stream", async () => {
  const python = spawn(process.env.PYTHON ?? "python3", ["-m", "tests.support.corridor"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise((resolve) => python.on("close", resolve));
  const cases = new Set();
  for await (const line of createInterface({ input: python.stdout })) {
    const { case: name, cut, steps, parts } = JSON.parse(line);
    cases.add(name);
    const lane = new LaneModel(FACTS, () => 0);
    const { transcript } = lane;
    const owners = new Owners();
    /** What each row brought; at the end of a body rows of earlier steps may still close parts. @type {Map<number, any[]>} */
    const expected = new Map();
    steps.forEach((step, index) => {
      assert.ok(lane.take(step));
      if (!step.operations) return;
      const where = `${name}, ${cut}, step ${index}`;
      for (const operation of step.operations) {
        const list = expected.get(operation[0]) ?? [];
        for (const [field, from, to] of owners.take(operation)) list.push([operation[2], field, from, to]);
        expected.set(operation[0], list);
      }
      for (const row of new Set(step.operations.map((/** @type {any[]} */ [row]) => row))) {
        const ranges = expected.get(row);
        if (row === 0) continue;
        const changes = changesOf(transcript, row).filter(({ growth }) => growth);
        assert.deepEqual(changes.map(({ spot }) => [spot.part.number, spot.field, spot.from, spot.to]), ranges, where);
        for (const { spot, growth } of changes) {
          const { part, field, from = 0, to = 0 } = spot;
          if (transcript.part(part.number) !== part) continue;
          if (part.growth(field) !== growth || to === from) continue;
          const said = parts[index].find((/** @type {any} */ other) => other.number === part.number).grown[field];
          assert.equal(said.slice(from, to), growth.slice(from, to), where);
          assert.ok(plain(rowsOf(transcript, spot).brought).includes(row), where);
        }
      }
    });
    for (const [key, units] of owners.units) {
      const [number, field] = key.split(" ");
      const part = transcript.part(Number(number));
      units.forEach((row, unit) => {
        const { brought } = rowsOf(transcript, { part, field, from: unit, to: unit + 1 });
        assert.deepEqual(plain(brought), row > 0 ? [row] : [], `${name}, ${cut}, ${key}, unit ${unit}`);
      });
      const all = [...new Set(units)].filter((row) => row > 0);
      const { brought } = rowsOf(transcript, { part, field, from: 0, to: units.length });
      const empty = plain(brought).filter((row) => !all.includes(row));
      assert.deepEqual(plain(brought).filter((row) => all.includes(row)), all, `${name}, ${cut}, ${key}`);
      for (const row of empty) {
        assert.ok(changesOf(transcript, row).some(({ spot }) => spot.part === part && spot.field === field), name);
      }
    }
  }
  assert.equal(await exit, 0, "the corridor walked to its end");
  assert.ok(cases.size >= 159, `${cases.size} cases`);
});

/** @param {any[][]} operations */
function folded(...operations) {
  const transcript = new Transcript();
  for (const operation of operations) transcript.apply(/** @type {any} */ (operation));
  return transcript;
}

test("a value that came again leaves the rows that repeat it beside those that brought it", () => {
  const transcript = folded(
    [1, "open", 1, "text", { text: "" }, null],
    [2, "append", 1, "text", "Two "],
    [3, "append", 1, "text", "cities"],
    [4, "link", 1],
    [5, "close", 1],
  );
  const part = transcript.part(1);
  assert.deepEqual(rowsOf(transcript, { part, field: "text", from: 0, to: 2 }), {
    brought: Uint32Array.of(2), repeated: Uint32Array.of(4),
  });
  const whole = rowsOf(transcript, { part, field: "" });
  assert.deepEqual([plain(whole.brought), plain(whole.repeated)], [[1, 2, 3], [4, 5]]);
  assert.deepEqual(changesOf(transcript, 4).map(({ did, spot }) => [did, spot.field]), [["repeated", ""]]);
  assert.deepEqual(changesOf(transcript, 5).map(({ did }) => did), ["closed"]);
});

test("text that a final value replaced belongs to the row of that value, and to its deltas at an earlier moment", () => {
  const transcript = folded(
    [1, "open", 1, "text", { text: "Tow" }, null],
    [2, "append", 1, "text", " cities"],
    [3, "set", 1, "text", "Two cities"],
  );
  const part = transcript.part(1);
  const spot = { part, field: "text", from: 4, to: 10 };
  assert.deepEqual(plain(rowsOf(transcript, spot).brought), [3]);
  assert.deepEqual(plain(rowsOf(transcript, spot, 2).brought), [2]);
});

test("a usage figure belongs to the row where it got its value", () => {
  const transcript = folded(
    [1, "set", 0, "usage", { input: 9, output: 1 }],
    [2, "set", 0, "usage", { input: 9, output: 5 }],
    [3, "set", 0, "usage", { input: 9, output: 5 }],
  );
  const part = transcript.lane;
  const of = (/** @type {string | undefined} */ figure, position = Infinity) => {
    const { brought, repeated } = rowsOf(transcript, { part, field: "usage", figure }, position);
    return [plain(brought), plain(repeated)];
  };
  assert.deepEqual(of("input"), [[1], [2, 3]]);
  assert.deepEqual(of("output"), [[2], [3]]);
  assert.deepEqual(of("output", 1), [[1], []]);
  assert.deepEqual(of(undefined), [[1, 2, 3], []]);
});

test("a reset is no change, and what stood before it is found by its own rows", () => {
  const transcript = folded(
    [1, "open", 1, "error", { message: "no" }, null],
    [2, "reset"],
    [2, "open", 1, "text", { text: "yes" }, null],
  );
  assert.deepEqual(changesOf(transcript, 1).map(({ spot }) => spot.part.kind), ["error"]);
  assert.deepEqual(changesOf(transcript, 2).map(({ spot }) => spot.part.kind), ["text"]);
});

test("at 100,000 events a question costs less than a millisecond, and all rows of a part a few", () => {
  const transcript = new Transcript();
  transcript.apply([1, "open", 1, "text", { text: "" }, null]);
  for (let row = 2; row <= 100_000; row++) transcript.apply([row, "append", 1, "text", "word "]);
  const part = transcript.part(1);
  const began = performance.now();
  for (let turn = 0; turn < 1000; turn++) {
    const from = (turn * 487) % 499_000;
    rowsOf(transcript, { part, field: "text", from, to: from + 5 });
    changesOf(transcript, turn * 99 + 1);
  }
  assert.ok((performance.now() - began) / 1000 < 1, "per question");
  const { brought } = rowsOf(transcript, { part, field: "" });
  assert.equal(brought.length, 100_000);
});

test("a row that said nothing yet repeats nothing", () => {
  const transcript = folded(
    [1, "open", 1, "text", { text: "" }, null],
    [2, "link", 1],
    [3, "append", 1, "text", "Two"],
    [4, "link", 1],
  );
  const { repeated } = rowsOf(transcript, { part: transcript.part(1), field: "text", from: 0, to: 3 });
  assert.deepEqual(plain(repeated), [4]);
});
