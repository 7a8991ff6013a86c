/**
 * The steps of a lane, in columns; a step's index is its number. Filled by lane.js, read by panes and the player.
 */

import { Column } from "./columns.js";

export class Steps {
  constructor() {
    /** Microseconds since the request was written, NaN when unknown. */
    this.times = new Column(Float64Array);
    /** The same for a clock: never falls, and what is unknown is taken for the time before it. */
    this.clock = new Column(Float64Array);
    /** Every read that brought a row has a time, and none is before the one in front of it. */
    this.timed = true;
    /** Body bytes of the read, as they came. */
    this.sizes = new Column(Uint32Array);
    /** Length of the decoded body behind the read. */
    this.offsets = new Column(Float64Array);
    /** How many rows there are behind the step, how many operations, and how many UTF-16 units were said. */
    this.rows = new Column(Uint32Array);
    this.positions = new Column(Uint32Array);
    this.said = new Column(Float64Array);
    /** How many reads brought bytes, and how many bytes, the step included. */
    this.reads = new Column(Uint32Array);
    this.bytes = new Column(Float64Array);
  }

  get length() {
    return this.times.length;
  }

  /**
   * @param {import("./messages.js").StepMessage} step
   * @param {number} rows
   * @param {number} position
   * @param {number} said
   */
  push(step, rows, position, said) {
    const before = this.clock.at(-1) || 0;
    if (step.rows && !step.end && !((step.time ?? NaN) >= before)) this.timed = false;
    this.times.push(step.time ?? NaN);
    this.clock.push(Math.max(before, step.time ?? before));
    this.sizes.push(step.size);
    this.offsets.push(step.offset);
    this.rows.push(rows);
    this.positions.push(position);
    this.said.push(said);
    this.reads.push((this.reads.at(-1) || 0) + (step.size > 0 ? 1 : 0));
    this.bytes.push((this.bytes.at(-1) || 0) + step.size);
  }
}
