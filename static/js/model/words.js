/**
 * The word at a place of a text that grows, in UTF-16 units. Used to light what is pointed at in Said.
 */

/** Units that are looked at on both sides. */
const AROUND = 96;

/** @type {Intl.Segmenter | null} */
let wordSegmenter = null;

/**
 * Whether a place is between the halves of a character.
 * @param {string} text
 * @param {number} place
 */
function splitsPair(text, place) {
  const before = text.charCodeAt(place - 1);
  const after = text.charCodeAt(place);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

/**
 * A range that ends in no half of a character.
 * @param {import("./growth.js").Growth} growth
 * @param {number} from
 * @param {number} to
 */
export function wholePairs(growth, from, to) {
  const start = from > 0 && splitsPair(growth.slice(from - 1, from + 1), 1) ? from - 1 : from;
  const end = to > 0 && splitsPair(growth.slice(to - 1, to + 1), 1) ? to + 1 : to;
  return { from: start, to: end };
}

/**
 * The word that holds the unit at a place: a run of letters, of blanks, or one sign.
 * @param {import("./growth.js").Growth} growth
 * @param {number} place
 * @param {number} length units that are in view
 */
export function wordAt(growth, place, length) {
  const start = wholePairs(growth, Math.max(0, place - AROUND), place).from;
  const end = wholePairs(growth, place, Math.min(length, place + AROUND)).to;
  const text = growth.slice(start, Math.min(end, length));
  wordSegmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const word = wordSegmenter.segment(text).containing(place - start);
  if (!word) return { from: place, to: place };
  return { from: start + word.index, to: start + word.index + word.segment.length };
}

/** Whether a text is more than blanks and signs. @param {string} text */
function isTold(text) {
  return /[^\s\p{P}]/u.test(text);
}

/**
 * The first word at a place or behind it, null when none follows.
 * @param {import("./growth.js").Growth} growth
 * @param {number} place
 * @param {number} length units that are in view
 */
export function nextWord(growth, place, length) {
  for (let at = place; at < length; ) {
    const word = wordAt(growth, at, length);
    if (isTold(growth.slice(word.from, word.to))) return word;
    at = Math.max(word.to, at + 1);
  }
  return null;
}

/**
 * The last word in front of a place, null when there is none.
 * @param {import("./growth.js").Growth} growth
 * @param {number} place
 * @param {number} length units that are in view
 */
export function wordBefore(growth, place, length) {
  for (let at = place - 1; at >= 0; ) {
    const word = wordAt(growth, at, length);
    if (isTold(growth.slice(word.from, word.to))) return word;
    at = Math.min(word.from, at) - 1;
  }
  return null;
}
