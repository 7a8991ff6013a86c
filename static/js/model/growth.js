/**
 * Text that grows, in blocks that a pane can draw one by one. Used by transcript.js, drawn by drawing/grown-text.js.
 *
 * A block ends behind a line end once it holds BLOCK characters; a line that is longer than LONG is cut where a reader
 * notices it least, and never inside a character. Only the last block still grows.
 */

import { Column } from "./columns.js";

export const BLOCK = 2048;
export const LONG = 3072;

/**
 * Whether a cut between these two UTF-16 units would tear a character: a pair, a mark from its letter, a joined emoji.
 * @param {string} text
 * @param {number} place
 */
function tears(text, place) {
  const code = text.codePointAt(place - 1) ?? 0;
  if (code >= 0xd800 && code < 0xdc00) return true;
  if (code > 0xffff) return true;
  return /^[\p{M}\u200d\ufe0f]/u.test(text.slice(place, place + 2)) || text[place - 1] === "\u200d";
}

/**
 * Where a line that has grown too long is cut: behind its last space or comma, else at the last whole character.
 * @param {string} text longer than LONG
 */
function quietCut(text) {
  for (let place = LONG; place > BLOCK; place--) {
    const before = text[place - 1];
    if ((before === " " || before === ",") && !tears(text, place)) return place;
  }
  let place = LONG;
  while (place > BLOCK && tears(text, place)) place--;
  return place;
}

export class Growth {
  /** @param {number} position number of operations that had been applied when this text began */
  constructor(position) {
    this.began = position;
    this.blocks = [""];
    /** Where each block begins. */
    this.starts = [0];
    this.length = 0;
    this.positions = new Column(Uint32Array, 4);
    this.lengths = new Column(Uint32Array, 4);
  }

  /**
   * @param {number} position
   * @param {string} text
   */
  append(position, text) {
    this.length += text.length;
    this.positions.push(position);
    this.lengths.push(this.length);
    const last = this.blocks.length - 1;
    const before = this.blocks[last].length;
    this.blocks[last] += text;
    if (before + text.length > BLOCK) this.#cut(before);
  }

  /**
   * Close what can be closed. Line ends in front of `looked` were looked at before.
   * @param {number} looked
   */
  #cut(looked) {
    let open = this.blocks[this.blocks.length - 1];
    if (open.length <= LONG && !open.includes("\n", Math.max(looked, BLOCK - 1))) return;
    this.blocks.pop();
    let from = Math.max(looked, BLOCK - 1);
    for (;;) {
      const line = open.indexOf("\n", from);
      let place = 0;
      if (line >= 0 && line < LONG) place = line + 1;
      else if (open.length > LONG) place = quietCut(open);
      if (place === 0 || place === open.length) break;
      this.blocks.push(open.slice(0, place));
      this.starts.push(this.starts[this.starts.length - 1] + place);
      open = open.slice(place);
      from = BLOCK - 1;
    }
    this.blocks.push(open);
  }

  /** All of it, as the wire has it: halves of characters that found each other are joined. */
  get text() {
    return this.blocks.length === 1 ? this.blocks[0] : this.blocks.join("");
  }

  /**
   * The block that holds the unit at a place; the last one for a place behind the end.
   * @param {number} place
   */
  blockAt(place) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  slice(from, to) {
    let text = "";
    for (let block = this.blockAt(from); block < this.blocks.length && this.starts[block] < to; block++) {
      const start = this.starts[block];
      text += this.blocks[block].slice(Math.max(0, from - start), to - start);
    }
    return text;
  }

  /**
   * How long it was when `position` operations had been applied.
   * @param {number} position
   */
  lengthAt(position) {
    const marks = this.positions.rank(position);
    return marks === 0 ? 0 : this.lengths.values[marks - 1];
  }

  /**
   * What of it stood there when `position` operations had been applied.
   * @param {number} position
   */
  textAt(position) {
    const length = this.lengthAt(position);
    return length === this.length ? this.text : this.text.slice(0, length);
  }
}
