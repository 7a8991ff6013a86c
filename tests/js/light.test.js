import assert from "node:assert/strict";
import { test } from "node:test";

import { Light, union } from "../../static/js/model/light.js";
import { Transcript } from "../../static/js/model/transcript.js";

/** @param {string[]} pieces the text of part 1, a row each from row 2 on */
function lit(...pieces) {
  const transcript = new Transcript();
  transcript.apply([1, "open", 1, "text", { text: "" }, null]);
  pieces.forEach((piece, index) => transcript.apply([index + 2, "append", 1, "text", piece]));
  let position = Infinity;
  const light = new Light(transcript, () => Math.min(position, transcript.position));
  const part = transcript.part(1);
  return { transcript, light, part, at: (/** @type {number} */ moment) => (position = moment) };
}

test("pointing lights the rows that brought a word, and leaving puts them out", () => {
  const { light, part } = lit("Both ", "cit", "ies");
  assert.equal(light.beam, null);
  assert.ok(light.said(part, "text", 5, 11));
  assert.equal(light.said(part, "text", 5, 11), false, "the same again changes nothing");
  assert.deepEqual([0, 1, 2, 3].map((index) => light.ofRow(index)), ["", "", "lit", "lit"]);
  assert.ok(light.leave());
  assert.equal(light.ofRow(2), "");
});

test("what was chosen stays until it is let go; what is pointed at goes before it", () => {
  const { light, part } = lit("Both ", "cities");
  light.hold([{ part, field: "text", from: 0, to: 4 }]);
  light.row(2);
  assert.deepEqual(light.beam?.changes.map(({ spot }) => [spot.from, spot.to]), [[5, 11]]);
  light.leave();
  assert.equal(light.ofRow(1), "lit");
  assert.ok(light.release());
  assert.equal(light.release(), false);
  assert.equal(light.beam, null);
});

test("rows that say it again are lit apart", () => {
  const { light, part, transcript } = lit("Both");
  transcript.apply([3, "link", 1]);
  light.said(part, "text", 0, 4);
  assert.deepEqual([1, 2].map((index) => light.ofRow(index)), ["lit", "again"]);
});

test("several pieces light their rows together", () => {
  const { light, part } = lit("Both ", "big ", "cities");
  light.hold([{ part, field: "text", from: 9, to: 15 }, { part, field: "text", from: 0, to: 4 }]);
  assert.deepEqual([...(light.beam?.rows ?? [])], [2, 4]);
});

test("the light follows the moment in view, and what still grows", () => {
  const { light, part, transcript, at } = lit("Both ", "cities");
  light.hold([{ part, field: "" }]);
  assert.equal(light.beam?.rows.length, 3);
  at(2);
  assert.equal(light.beam?.rows.length, 2);
  at(Infinity);
  transcript.apply([4, "append", 1, "text", "!"]);
  assert.equal(light.beam?.rows.length, 4);
});

test("lists of rows are joined rising, each row once", () => {
  const lists = [[1, 4, 9], [2, 4], [], [9, 10], [1]].map((list) => Uint32Array.from(list));
  assert.deepEqual([...union(lists)], [1, 2, 4, 9, 10]);
  assert.deepEqual([...union([])], []);
});

test("what is lit is another edition once the moment in view brings another row of it", () => {
  const { light, part, at } = lit("Both ", "cities");
  light.hold([{ part, field: "text", from: 0, to: 11 }]);
  const before = light.edition;
  assert.equal(light.edition, before);
  at(2);
  assert.ok(light.edition > before);
  assert.deepEqual([...(light.beam?.rows ?? [])], [2]);
});
