/**
 * A lane as far as it is shown: all of it, or as it was at the moment where the player stands. Made by lane.js; whatever
 * draws a lane reads it, so every pane stands at the same moment. Nothing here is slower the longer a lane is.
 */

export class Shown {
  /** @type {Set<import("./transcript.js").Part> | undefined} */
  #growing;

  /**
   * @param {import("./lane.js").LaneModel} lane
   * @param {number} step the last step in view, -1 for none
   * @param {number} rows how many rows are in view
   * @param {number} position how many operations are
   * @param {number} time microseconds of the lane at which it stands, NaN when unknown
   * @param {boolean} past the player stands here; otherwise all that is here is in view
   */
  constructor(lane, step, rows, position, time, past) {
    this.lane = lane;
    this.step = step;
    this.rows = rows;
    this.position = position;
    this.time = time;
    this.past = past;
  }

  /** The head, once it is in view. */
  get head() {
    return this.step >= 0 ? this.lane.head : null;
  }

  /** The end, once all is in view. */
  get end() {
    const { lane } = this;
    return this.step === lane.have && this.rows === lane.rows.length ? lane.end : null;
  }

  /** Bytes may still come. */
  get open() {
    return this.past ? this.end === null : this.lane.open;
  }

  /** The one word for it; the rule is lane_word in playground/reads.py. */
  get word() {
    if (this.end) return this.end.word;
    if (this.lane.transcript.failedAt(this.position)) return "failed";
    if (this.value("complete") === true) return "ended";
    return this.head && this.head.status !== null ? "streaming" : "waiting";
  }

  /** A field of the lane's own. @param {string} field @returns {any} */
  value(field) {
    return this.lane.transcript.laneAt(this.position).value(field, this.position);
  }

  /** Why the model stopped, as the wire says it; of every choice that says so. @returns {string[]} */
  get finish() {
    const { fields } = this.lane.transcript.laneAt(this.position);
    const choices = [...fields.keys()].filter((field) => field === "finish" || field.startsWith("finish:"));
    return choices.map((field) => this.value(field)).filter((reason) => typeof reason === "string");
  }

  get events() {
    return this.rows > 0 ? this.lane.rows.eventsTo.values[this.rows - 1] : 0;
  }

  /** Reads that brought bytes. */
  get reads() {
    return this.step >= 0 ? this.lane.steps.reads.values[this.step] : 0;
  }

  /** Bytes of the body as they came. */
  get bytes() {
    return this.step >= 0 ? this.lane.steps.bytes.values[this.step] : 0;
  }

  /** UTF-16 units of text, reasoning, refusals and arguments. */
  get said() {
    return this.step >= 0 ? this.lane.steps.said.values[this.step] : 0;
  }

  /** Microseconds from the request to the last step, NaN when unknown. */
  get elapsed() {
    return this.step >= 0 ? this.lane.steps.times.values[this.step] : NaN;
  }

  /**
   * Microseconds since the last step came.
   * @param {number} now by this page's clock
   */
  silence(now) {
    if (!this.open) return 0;
    if (!this.past) return this.lane.silence(now);
    return Math.max(0, this.time - (this.step >= 0 ? this.elapsed : 0)) || 0;
  }

  /** The parts that may be in the middle of something: of each choice the one that grew last. */
  get growing() {
    const { growing, transcript } = this.lane;
    return (this.#growing ??= growing.at(this.position, transcript.eraAt(this.position).began));
  }

  /**
   * Whether a part was cut short: the format says so, or it was growing when the body ended too soon.
   * @param {import("./transcript.js").Part} part
   */
  brokenOff(part) {
    if (part.value("broken", this.position) === true) return true;
    if (!this.end || this.end.complete || !this.growing.has(part)) return false;
    return part.closedAt > this.lane.steps.positions.at(-2);
  }
}
