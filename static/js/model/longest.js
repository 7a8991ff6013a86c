/**
 * Numbers of which the largest of any stretch is soon found: the largest of each 256 are kept. Used by timeline-track.js
 * for the waits between reads.
 */

import { Column } from "./columns.js";

const EACH = 256;

export class Longest {
  constructor() {
    this.values = new Column(Float64Array);
    this.tops = new Column(Float64Array);
  }

  /** @param {number} value NaN is passed over */
  push(value) {
    const block = Math.floor(this.values.length / EACH);
    this.values.push(value);
    if (block === this.tops.length) this.tops.push(-Infinity);
    if (value > this.tops.values[block]) this.tops.values[block] = value;
  }

  /**
   * Where the largest of a stretch is, the first of equals; -1 when there is none.
   * @param {number} from
   * @param {number} to the first behind it
   */
  between(from, to) {
    const first = Math.ceil(from / EACH);
    const last = Math.floor(to / EACH);
    if (first >= last) return largest(this.values, from, to);
    const places = [largest(this.values, from, first * EACH)];
    const block = largest(this.tops, first, last);
    if (block >= 0) places.push(largest(this.values, block * EACH, (block + 1) * EACH));
    places.push(largest(this.values, last * EACH, to));
    return places.reduce((best, place) =>
      place >= 0 && (best < 0 || this.values.values[place] > this.values.values[best]) ? place : best);
  }
}

/**
 * @param {Column} column
 * @param {number} from
 * @param {number} to
 */
function largest(column, from, to) {
  let best = -1;
  let most = -Infinity;
  for (let index = from; index < to; index++) {
    if (column.values[index] > most) {
      most = column.values[index];
      best = index;
    }
  }
  return best;
}
