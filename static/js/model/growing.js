/**
 * Which parts are in the middle of something: of each choice the one that grew last, now and at any earlier position.
 * Kept by lane.js, asked by whoever draws a caret.
 *
 * @typedef {import("./transcript.js").Part} Part
 */

import { Column } from "./columns.js";

export class Growing {
  constructor() {
    /** Of each choice, who grew and from which position on. @type {Map<unknown, {from: Column, parts: Part[]}>} */
    this.choices = new Map();
    /** @type {Part | null} */
    this.latest = null;
  }

  /**
   * A part grows: the one of its choice that grew before is whole, or will go on later.
   * @param {number} position
   * @param {Part} part
   */
  note(position, part) {
    if (part === this.latest) return;
    this.latest = part;
    const choice = part.value("choice");
    let turns = this.choices.get(choice);
    if (!turns) this.choices.set(choice, (turns = { from: new Column(Uint32Array, 4), parts: [] }));
    if (turns.parts[turns.parts.length - 1] === part) return;
    turns.from.push(position);
    turns.parts.push(part);
  }

  /**
   * The parts that grew last at a position, what was taken back by a reset left out.
   * @param {number} position
   * @param {number} began the position at which the era of that position began
   * @returns {Set<Part>}
   */
  at(position, began) {
    const found = new Set();
    for (const { from, parts } of this.choices.values()) {
      const turn = from.rank(position) - 1;
      if (turn >= 0 && from.values[turn] > began) found.add(parts[turn]);
    }
    return found;
  }
}
