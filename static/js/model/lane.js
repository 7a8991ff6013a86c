/**
 * One request and its stream: rows, steps, what was said, how it ended. Steps come in by session.js; panes read.
 */

import { GREW, SAID_SOMETHING, deedOf } from "./deeds.js";
import { Findings } from "./findings.js";
import { Latency } from "./latency.js";
import { Growing } from "./growing.js";
import { Light } from "./light.js";
import { Rows } from "./rows.js";
import { Shown } from "./shown.js";
import { Steps } from "./steps.js";
import { Transcript } from "./transcript.js";

/**
 * Where a lane stands: the last step in view (-1 for none), how many rows are (those of the step may be cut off behind
 * one of them), and the lane's own time.
 * @typedef {{step: number, rows: number, time: number}} Moment
 */

/** Words of a lane that still streams. */
const RUNNING = new Set(["waiting", "streaming"]);

/**
 * How many UTF-16 units an operation added to what was said. A final form of what had grown already adds nothing.
 * @param {import("./transcript.js").Operation} operation
 * @param {import("./transcript.js").Part | null} part
 */
function saidBy(operation, part) {
  if (operation[1] === "append") return operation[4].length;
  if (operation[1] === "open") return (operation[4].text ?? "").length + (operation[4].arguments ?? "").length;
  return part?.grown.get(operation[3])?.length === 1 ? operation[4].length : 0;
}

export class LaneModel {
  /**
   * @param {import("./messages.js").LaneMessage} facts
   * @param {() => number} clock milliseconds that never fall
   */
  constructor(facts, clock) {
    this.facts = facts;
    this.clock = clock;
    this.rows = new Rows();
    this.steps = new Steps();
    this.transcript = new Transcript();
    this.light = new Light(this.transcript, () => this.shown.position);
    this.findings = new Findings();
    this.latency = new Latency();
    /** @type {import("./messages.js").HeadMessage | null} */
    this.head = null;
    /** @type {import("./messages.js").EndMessage | null} */
    this.end = null;
    /** Its row of the target's ledger, once that is known. @type {import("./charge.js").Charge | null} */
    this.charge = null;
    /** UTF-16 units of text, reasoning, refusals and arguments so far. */
    this.said = 0;
    this.growing = new Growing();
    /** Where the player stands, null at the end of what is here. @type {Moment | null} */
    this.moment = null;
    /** When this page heard of the last step, by `clock`; the session says so. Its own start before any. */
    this.heard = clock();
    /** The last step that the server has kept, as far as this page was told. */
    this.lastStep = facts.last_step ?? -1;
    /** The server pushes no more until this page has caught up. */
    this.behind = false;
  }

  /** The number of the last step that is here, -1 before any. */
  get have() {
    return this.steps.length - 1;
  }

  /** Steps are still to come that the server has already. */
  get catchingUp() {
    return this.have < this.lastStep;
  }

  /** It is over, and comes out of the recording. */
  get replayed() {
    return this.catchingUp && !RUNNING.has(this.facts.word);
  }

  /**
   * Stand at a moment, or with null at the end, wherever that will be.
   * @param {Moment | null} moment
   */
  stand(moment) {
    this.moment = moment;
  }

  /** What there is to see of the lane: all of it, or what was there at the moment where it stands. */
  get shown() {
    return this.moment ? this.#shownAt(this.moment) : this.whole;
  }

  /** All that is here. */
  get whole() {
    return new Shown(this, this.have, this.rows.length, this.transcript.position, NaN, false);
  }

  /** @param {Moment} moment */
  #shownAt({ step, rows, time }) {
    const { positions } = this.steps;
    if (step < 0) return new Shown(this, -1, 0, 0, time, true);
    let position = positions.values[step];
    if (rows < this.steps.rows.values[step]) {
      const before = step > 0 ? positions.values[step - 1] : 0;
      position = Math.min(position, Math.max(before, this.transcript.rowOf.rank(rows)));
    }
    return new Shown(this, step, rows, position, time, true);
  }

  /** The one word of the lane as it is now, wherever the player stands. */
  get word() {
    if (!this.end && this.replayed) return this.facts.word;
    return this.whole.word;
  }

  /** Whether bytes may still come. */
  get open() {
    return this.end === null && (RUNNING.has(this.facts.word) || !this.catchingUp);
  }

  /** Microseconds from the request to the last step, NaN when unknown. */
  get elapsed() {
    return this.steps.times.at(-1);
  }

  /**
   * Microseconds since the last step came, by this page's clock.
   * @param {number} now
   */
  silence(now) {
    return Math.max(0, now - this.heard) * 1000;
  }

  /**
   * Take a step; false when one before it is missing. A step that is here already is passed over.
   * @param {import("./messages.js").StepMessage} step
   */
  take(step) {
    const { rows, steps, transcript } = this;
    if (step.step < steps.length) return true;
    if (step.step > steps.length) return false;
    if (step.rows) for (const row of step.rows) rows.push(row, step.step);
    if (step.operations) this.#fold(step.operations);
    if (step.step > 0 && !step.end) this.latency.take(step, rows.eventsTo.at(-1) || 0);
    if (step.findings) this.findings.take(step.findings, step.step);
    if (step.head) this.head = step.head;
    if (step.end) this.end = step.end;
    steps.push(step, rows.length, transcript.position, this.said);
    if (step.step > this.lastStep) this.lastStep = step.step;
    if (!this.catchingUp) this.behind = false;
    return true;
  }

  /** Apply operations. @param {import("./transcript.js").Operation[]} operations */
  #fold(operations) {
    const { transcript } = this;
    const deeds = this.rows.deeds.values;
    for (const operation of operations) {
      const part = transcript.apply(operation);
      const deed = deedOf(operation, part);
      if (deed & SAID_SOMETHING) this.said += saidBy(operation, part);
      if (deed & GREW && part) this.growing.note(transcript.position, part);
      if (operation[0] > 0) deeds[operation[0] - 1] |= deed;
    }
  }
}
