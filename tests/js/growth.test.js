import assert from "node:assert/strict";
import { test } from "node:test";

import { BLOCK, Growth, LONG } from "../../static/js/model/growth.js";

/** @param {string[]} pieces */
function grown(pieces) {
  const growth = new Growth(0);
  pieces.forEach((piece, index) => growth.append(index + 1, piece));
  return growth;
}

/** Cut a text at pseudo-random places. @param {string} text @param {number} seed */
function shreds(text, seed) {
  const pieces = [];
  for (let place = 0; place < text.length; ) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const length = 1 + (seed % 37) * (seed % 5 === 0 ? 100 : 1);
    pieces.push(text.slice(place, place + length));
    place += length;
  }
  return pieces;
}

const PROSE = `${"A line of words that ends somewhere. ".repeat(9)}\n\n`.repeat(40);
const PAIRS = "😀".repeat(9000);
const FAMILIES = "👩‍👩‍👧 é ".repeat(3000);
const WALL = "x".repeat(20_000);

test("blocks add up to what came, however it was cut", () => {
  for (const text of [PROSE, PAIRS, FAMILIES, WALL, ""]) {
    for (const seed of [1, 7, 99]) assert.equal(grown(shreds(text, seed)).text, text);
    assert.equal(grown([text]).text, text);
  }
});

test("no block but the last grows beyond the limit, and prose is cut behind line ends", () => {
  const { blocks } = grown(shreds(PROSE, 3));
  assert.ok(blocks.length > 3);
  for (const block of blocks.slice(0, -1)) {
    assert.ok(block.length >= BLOCK && block.length <= LONG);
    assert.equal(block.at(-1), "\n");
  }
});

test("a line without end is cut all the same, and never inside a character", () => {
  for (const text of [PAIRS, FAMILIES, WALL]) {
    for (const pieces of [[text], [...shreds(text, 5)], text.split("")]) {
      const { blocks } = grown(pieces);
      assert.ok(blocks.length > 1);
      for (const block of blocks) {
        assert.ok(block.length <= LONG);
        assert.ok(block.isWellFormed(), "no half of a pair at an edge");
        assert.doesNotMatch(block, /^[\p{M}\u200d]/u);
      }
    }
  }
});

test("a half at the end waits in the open block for its other half", () => {
  const growth = grown(["x".repeat(LONG - 1), "\ud83d", "\ude00", "y"]);
  assert.ok(growth.blocks.every((block) => block.isWellFormed()));
});

test("its length at every earlier position is known", () => {
  const growth = new Growth(4);
  growth.append(5, "abc");
  growth.append(9, "de");
  assert.deepEqual([4, 5, 8, 9, Infinity].map((position) => growth.lengthAt(position)), [0, 3, 3, 5, 5]);
});
