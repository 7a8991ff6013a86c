/**
 * Where the end of something that grows was a moment ago. Whoever scrolls down to there has reached the end, even if it
 * has moved on meanwhile. Used by both panes to begin following again.
 */

/** Milliseconds that count as a moment, and pixels that count as there. */
const MOMENT = 400;
const NEAR = 6;

export class RecentEnd {
  constructor() {
    /** @type {[time: number, end: number][]} */
    this.marks = [];
  }

  /**
   * @param {number} now milliseconds
   * @param {number} end the scroll position of the end
   */
  note(now, end) {
    this.marks.push([now, end]);
    while (this.marks.length > 1 && this.marks[1][0] <= now - MOMENT) this.marks.shift();
  }

  /** @param {number} position */
  reached(position) {
    return this.marks.length > 0 && position >= this.marks[0][1] - NEAR;
  }
}
