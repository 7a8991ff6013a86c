/**
 * The rows of a lane, in columns: numbers in typed arrays, names once, data as it came. Filled by lane.js, read by the
 * Wire pane. A row's index is its number less one.
 */

import { Column } from "./columns.js";

/** Kinds of rows; the same as RowKind in playground/sse/rows.py. */
export const ROW_KINDS = ["event", "comment", "ignored", "block", "tail"];

export class Rows {
  constructor() {
    /** @type {string[]} */
    this.data = [];
    /** Each name once, in order of appearance. */
    this.names = [""];
    /** @type {Map<string, number>} */
    this.nameNumbers = new Map([["", 0]]);
    this.kinds = new Column(Uint8Array);
    this.nameOf = new Column(Uint32Array);
    this.starts = new Column(Float64Array);
    this.ends = new Column(Float64Array);
    this.steps = new Column(Uint32Array);
    this.deeds = new Column(Uint32Array);
    /** How many events there are up to each row, the row included. */
    this.eventsTo = new Column(Uint32Array);
    /** Bytes of the largest row. */
    this.largest = 0;
  }

  get length() {
    return this.data.length;
  }

  /**
   * @param {import("./messages.js").RowMessage} row
   * @param {number} step
   */
  push([, kind, name, start, end, data], step) {
    let number = this.nameNumbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.nameNumbers.set(name, number);
    }
    this.data.push(data);
    this.kinds.push(ROW_KINDS.indexOf(kind));
    this.nameOf.push(number);
    this.starts.push(start);
    this.ends.push(end);
    this.steps.push(step);
    this.deeds.push(0);
    this.eventsTo.push((this.eventsTo.at(-1) || 0) + (kind === "event" ? 1 : 0));
    if (end - start > this.largest) this.largest = end - start;
  }

  /** @param {number} index */
  kind(index) {
    return ROW_KINDS[this.kinds.values[index]];
  }

  /** @param {number} index */
  name(index) {
    return this.names[this.nameOf.values[index]];
  }
}
