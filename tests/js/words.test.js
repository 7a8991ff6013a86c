import assert from "node:assert/strict";
import { test } from "node:test";

import { Growth } from "../../static/js/model/growth.js";
import { nextWord, wholePairs, wordAt, wordBefore } from "../../static/js/model/words.js";

/** @param {string[]} pieces */
function grownOf(...pieces) {
  const growth = new Growth(0);
  pieces.forEach((piece, index) => growth.append(index + 1, piece));
  return growth;
}

test("a word is found where it is pointed at, over blocks and in scripts without blanks", () => {
  const growth = grownOf("Both c", "ities: ", "東京は晴れです", ' {"city":"Brest"}');
  const word = (/** @type {number} */ place) => {
    const { from, to } = wordAt(growth, place, growth.length);
    return growth.slice(from, to);
  };
  assert.equal(word(1), "Both");
  assert.equal(word(7), "cities");
  assert.equal(word(growth.text.indexOf("東")), "東京");
  assert.equal(word(growth.text.indexOf("Brest") + 2), "Brest");
  const long = grownOf(...Array.from({ length: 900 }, (_, index) => `word${index} `));
  assert.ok(long.blocks.length > 2);
  long.starts.forEach((start, block) => assert.equal(long.text.indexOf(long.blocks[block], start), start));
  const { from, to } = wordAt(long, long.starts[1], long.length);
  assert.match(long.slice(from, to), /^word\d+$/);
});

test("a range never ends in the half of a character", () => {
  const growth = grownOf("a\ud83d", "\ude00b");
  assert.deepEqual(wholePairs(growth, 2, 3), { from: 1, to: 3 });
  assert.deepEqual(wholePairs(growth, 0, 2), { from: 0, to: 3 });
  assert.deepEqual(wordAt(growth, 2, growth.length), { from: 1, to: 3 });
});

test("words follow each other, blanks and signs left out", () => {
  const growth = grownOf('{"city"', ': "Bre', 'st"}');
  const words = [];
  for (let word = nextWord(growth, 0, growth.length); word; word = nextWord(growth, word.to, growth.length)) words.push(word);
  assert.deepEqual(words.map(({ from, to }) => growth.slice(from, to)), ["city", "Brest"]);
  assert.deepEqual(wordBefore(growth, words[1].from, growth.length), words[0]);
  assert.equal(wordBefore(growth, words[0].from, growth.length), null);
});
