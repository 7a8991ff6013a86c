/**
 * One request and its stream: rows, steps, what was said, how it ended. Steps come in by session.js; panes read.
 */

import { GREW, SAID_SOMETHING, deedOf } from "./deeds.js";
import { Light } from "./light.js";
import { Findings } from "./findings.js";
import { Rows } from "./rows.js";
import { Steps } from "./steps.js";
import { Transcript } from "./transcript.js";

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
    this.light = new Light(this.transcript, () => this.transcript.position);
    this.findings = new Findings();
    /** @type {import("./messages.js").HeadMessage | null} */
    this.head = null;
    /** @type {import("./messages.js").EndMessage | null} */
    this.end = null;
    /** Its row of the target's ledger, once that is known. @type {import("./charge.js").Charge | null} */
    this.charge = null;
    /** Reads that brought bytes; bytes of the body as they came. */
    this.reads = 0;
    this.bytes = 0;
    /** UTF-16 units of text, reasoning, refusals and arguments so far. */
    this.said = 0;
    /** Microseconds of the first and the last token, NaN while there is none or the times are unknown. */
    this.firstToken = NaN;
    this.lastToken = NaN;
    /** The part of each choice that grew last: the only one that may be in the middle of something.
     * @type {Set<import("./transcript.js").Part>} */
    this.growing = new Set();
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

  /** The one word that the lane shows; the rule is lane_word in playground/reads.py. */
  get word() {
    if (this.end) return this.end.word;
    if (this.catchingUp && !RUNNING.has(this.facts.word)) return this.facts.word;
    if (this.transcript.errors > 0) return "failed";
    if (this.transcript.lane.value("complete") === true) return "ended";
    return this.head && this.head.status !== null ? "streaming" : "waiting";
  }

  /** Why the model stopped, as the wire says it; of every choice that says so. */
  get finish() {
    const { fields } = this.transcript.lane;
    const choices = [...fields.keys()].filter((field) => field === "finish" || field.startsWith("finish:"));
    return choices.map((field) => fields.get(field)?.at(Infinity)).filter((reason) => typeof reason === "string");
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
   * Whether a part was cut short: the format says so, or it was growing when the body ended too soon.
   * @param {import("./transcript.js").Part} part
   */
  brokenOff(part) {
    if (part.value("broken") === true) return true;
    if (!this.end || this.end.complete || !this.growing.has(part)) return false;
    return part.closedAt > this.steps.positions.at(-2);
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
    const token = step.operations ? this.#fold(step.operations) : false;
    if (step.findings) this.findings.take(step.findings, step.step);
    if (step.size > 0) {
      this.reads++;
      this.bytes += step.size;
    }
    if (step.head) this.head = step.head;
    if (step.end) this.end = step.end;
    steps.push(step, rows.length, transcript.position, this.said);
    if (token && step.time !== null) {
      if (Number.isNaN(this.firstToken)) this.firstToken = step.time;
      this.lastToken = step.time;
    }
    if (step.step > this.lastStep) this.lastStep = step.step;
    if (!this.catchingUp) this.behind = false;
    return true;
  }

  /**
   * Another part grows: the one of its choice that grew before is whole, or will go on later.
   * @param {import("./transcript.js").Part} part
   */
  #grows(part) {
    const choice = part.value("choice");
    for (const other of this.growing) if (other.value("choice") === choice) this.growing.delete(other);
    this.growing.add(part);
  }

  /**
   * Apply operations; whether they said something.
   * @param {import("./transcript.js").Operation[]} operations
   */
  #fold(operations) {
    const { transcript } = this;
    const deeds = this.rows.deeds.values;
    let all = 0;
    for (const operation of operations) {
      const part = transcript.apply(operation);
      const deed = deedOf(operation, part);
      if (deed & SAID_SOMETHING) this.said += saidBy(operation, part);
      if (part === null) this.growing.clear();
      else if (deed & GREW && !this.growing.has(part)) this.#grows(part);
      if (operation[0] > 0) deeds[operation[0] - 1] |= deed;
      all |= deed;
    }
    return (all & SAID_SOMETHING) !== 0;
  }
}
