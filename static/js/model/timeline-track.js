/**
 * The rows of a lane by colour, and the waits between its reads, so that the timeline can ask for any stretch of time.
 * Grows with the lane, every row once; what is asked is found by halving, never by walking. Used by timeline.js.
 */

import { Column } from "./columns.js";
import { colourOfDeeds } from "./deeds.js";
import { Longest } from "./longest.js";
import { LaneMarks } from "./timeline-marks.js";

/** @typedef {import("./deeds.js").Colour} Colour */
/** @typedef {{values: ArrayLike<number>, length: number}} RowList indexes of rows, rising */

/** @type {Uint32Array} */
const NO_ROWS_LIT = new Uint32Array(0);

export class LaneTrack {
  /** @param {import("./lane.js").LaneModel} lane */
  constructor(lane) {
    this.lane = lane;
    /** Microseconds by which the lane began later than its session; axis.js says so. */
    this.began = 0;
    /** Drawn by row number in place of time. */
    this.byRow = false;
    /** Indexes of the rows of each colour. @type {Record<Colour, Column>} */
    this.bands = {
      reasoning: new Column(Uint32Array), text: new Column(Uint32Array), tool: new Column(Uint32Array),
      usage: new Column(Uint32Array), error: new Column(Uint32Array), other: new Column(Uint32Array),
    };
    /** Indexes of rows that are no event. */
    this.silent = new Column(Uint32Array);
    /** Numbers of the steps that brought rows, and how long each of them was waited for. */
    this.busy = new Column(Uint32Array);
    this.waits = new Longest();
    this.marks = new LaneMarks(lane.findings);
    /** Indexes of rows that are lit, and the numbers that they were made of. @type {RowList} */
    this.lightened = { values: NO_ROWS_LIT, length: 0 };
    this.numbers = NO_ROWS_LIT;
    /** Rows that were looked at, and the era of the transcript in which that was. */
    this.length = 0;
    this.era = this.lane.transcript.era;
  }

  /** The body turned out to be something else: what rows did is void. */
  get stale() {
    return this.era !== this.lane.transcript.era;
  }

  /** Take in the rows that came since. */
  follow() {
    const { rows, steps } = this.lane;
    for (; this.length < rows.length; this.length++) {
      const index = this.length;
      this.bands[colourOfDeeds(rows.deeds.values[index])].push(index);
      if (rows.kind(index) !== "event") this.silent.push(index);
      const step = rows.steps.values[index];
      const before = this.busy.at(-1);
      if (step === before) continue;
      this.busy.push(step);
      this.waits.push(steps.clock.values[step] - steps.clock.at(before));
    }
    this.marks.follow();
  }

  /** Indexes of the rows that are lit, rising. */
  get lit() {
    const numbers = this.lane.light.beam?.rows ?? NO_ROWS_LIT;
    if (numbers !== this.numbers) {
      this.numbers = numbers;
      /** @type {RowList} */
    this.lightened = { values: numbers.map((number) => number - 1), length: numbers.length };
    }
    return this.lightened;
  }

  /** Where the last row stands on the axis, 0 before any. */
  get end() {
    return this.length > 0 ? this.at(this.length - 1) : 0;
  }

  /** When the lane was over, as far as that is known. */
  get over() {
    return this.lane.end && !this.byRow ? this.began + this.lane.steps.clock.at(-1) : this.end;
  }

  /** The stretch between the read that brought a row and the one before it. @param {number} index */
  waitBefore(index) {
    const read = this.busy.rank(this.lane.rows.steps.values[index]) - 1;
    const before = read > 0 ? this.lane.steps.clock.values[this.busy.values[read - 1]] : 0;
    return { from: this.began + before, to: this.at(index) };
  }

  /** Where a row stands on the axis: session time, or its number. @param {number} index */
  at(index) {
    return this.byRow ? index + 1 : this.began + this.lane.steps.clock.values[this.lane.rows.steps.values[index]];
  }

  /**
   * How many rows of a list stand before a place on the axis.
   * @param {RowList} list
   * @param {number} place
   * @param {number} low so many of them are known to
   */
  before(list, place, low = 0) {
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(list.values[middle]) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The index of the first row at a place or behind it, the number of rows when there is none. @param {number} place */
  rowAt(place) {
    return halve(this.length, (index) => this.at(index) < place);
  }

  /** The index of the first row behind a place, the number of rows when there is none. @param {number} place */
  rowBehind(place) {
    return halve(this.length, (index) => this.at(index) <= place);
  }

  /**
   * The columns of the axis that have rows of a list, from left to right.
   * @param {RowList} list
   * @param {number} from the first place that is seen
   * @param {number} to the last
   * @param {number} width of a column; they begin at 0, wherever the view does
   * @param {(column: number, rows: number, first: number) => void} visit how many rows, and where in the list the first is
   */
  columns(list, from, to, width, visit) {
    for (let place = this.before(list, Math.floor(from / width) * width); place < list.length; ) {
      const at = this.at(list.values[place]);
      if (at > to) return;
      const column = Math.floor(at / width);
      const next = Math.max(place + 1, this.before(list, (column + 1) * width, place));
      visit(column, next - place, place);
      place = next;
    }
  }

  /**
   * The place in a list of the row that stands nearest, -1 when none does within reach.
   * @param {RowList} list
   * @param {number} place
   * @param {number} reach
   */
  nearest(list, place, reach) {
    const behind = this.before(list, place);
    const [left, right] = [behind - 1, behind].map((one) =>
      one >= 0 && one < list.length ? Math.abs(this.at(list.values[one]) - place) : Infinity);
    if (Math.min(left, right) > reach) return -1;
    return left < right ? behind - 1 : behind;
  }
}

/**
 * The first of `length` indexes that is not in front, when all that are come first.
 * @param {number} length
 * @param {(index: number) => boolean} inFront
 */
function halve(length, inFront) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (inFront(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
