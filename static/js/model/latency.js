/**
 * When things came, as of any step: first byte, event, reasoning, text and tool argument; gaps, pace, curve. Filled by
 * lane.js; read by the Latency pane and the lane's head. The figures are those of playground/latency.py, and a test holds
 * the two together; docs/latency.md defines them. Times are microseconds since the request was written, NaN when unknown.
 */

import { Column } from "./columns.js";

/** What an output token is taken for before the wire has counted. */
const TOKEN_CHARACTERS = 4;

/** Upper bounds of the histogram's classes, microseconds; the last class has none. */
export const GAP_CLASSES = [
  100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
  10_000_000,
];

/** By kind of part: the field that grows, and what its first character is the first of. @type {Record<string, [string, First]>} */
const FIRST_OF = {
  text: ["text", "text"], refusal: ["text", "text"], reasoning: ["text", "reasoning"], tool_call: ["arguments", "tool"],
  server_tool: ["input", "tool"],
};

/** @typedef {"byte" | "event" | "reasoning" | "text" | "tool"} First */
/**
 * @typedef {object} GapFigures microseconds; NaN where there are no gaps
 * @property {number} count
 * @property {number} median
 * @property {number} p95
 * @property {number} longest
 * @property {number} burstiness
 */

export class Latency {
  constructor() {
    /** The step at which each came first. @type {Map<First, number>} */
    this.firsts = new Map();
    /** Reads that brought events and have a time: their steps, times, and how many events there were behind each. */
    this.busy = new Column(Uint32Array);
    this.times = new Column(Float64Array);
    this.totals = new Column(Float64Array);
    /** Some read had no time. */
    this.untimed = false;
    /** Parts whose first character is awaited. @type {Map<number, [string, First]>} */
    this.awaited = new Map();
    this.sought = new Set(/** @type {First[]} */ (["reasoning", "text", "tool"]));
    /** The gaps that were asked for last, the shortest first. @type {Float64Array} */
    this.sorted = new Float64Array(0);
  }

  /**
   * Take a read.
   * @param {import("./messages.js").StepMessage} step neither the head nor the end
   * @param {number} events how many there are behind it
   */
  take({ step, time, offset, rows = [], operations }, events) {
    if (time === null) {
      this.untimed = true;
      return;
    }
    if (!this.firsts.has("byte") && offset > 0) this.firsts.set("byte", step);
    if (!rows.some((row) => row[1] === "event")) return;
    if (this.busy.length === 0) this.firsts.set("event", step);
    this.busy.push(step);
    this.times.push(time);
    this.totals.push(events);
    if (operations && this.sought.size > 0) this.#seek(step, operations);
  }

  /**
   * The first character of a part that was opened, perhaps long before.
   * @param {number} step
   * @param {import("./transcript.js").Operation[]} operations
   */
  #seek(step, operations) {
    for (const operation of operations) {
      if (operation[1] === "open") {
        const [, , part, kind, fields] = operation;
        const sought = FIRST_OF[kind];
        if (!sought || !this.sought.has(sought[1])) continue;
        this.awaited.set(part, sought);
        if (fields[sought[0]]) this.#came(step, sought[1]);
      } else if ((operation[1] === "append" || operation[1] === "set") && operation[4]) {
        const awaited = this.awaited.get(operation[2]);
        if (awaited && operation[3] === awaited[0]) this.#came(step, awaited[1]);
      }
    }
  }

  /** @param {number} step @param {First} first */
  #came(step, first) {
    this.firsts.set(first, step);
    this.sought.delete(first);
    for (const [part, [, each]] of this.awaited) if (each === first) this.awaited.delete(part);
  }

  /**
   * The lengths of all gaps up to a step, the shortest first, not to be changed. What came since the last time is put
   * between what was there, and what is not in view any more is taken out: nothing is sorted twice.
   * @param {number} step
   */
  gaps(step = Infinity) {
    const count = Math.max(0, this.busy.rank(step) - 1);
    const before = this.sorted.length;
    if (count > before) this.sorted = mergedGaps(this.sorted, this.#between(before, count));
    else if (count < before) this.sorted = gapsWithout(this.sorted, this.#between(count, before));
    return this.sorted;
  }

  /** The gaps of these places, the shortest first. @param {number} from @param {number} to */
  #between(from, to) {
    const gaps = new Float64Array(to - from);
    for (let place = from; place < to; place++) gaps[place - from] = this.times.values[place + 1] - this.times.values[place];
    return gaps.sort();
  }
}

/** @param {Float64Array} one @param {Float64Array} other */
function mergedGaps(one, other) {
  if (one.length === 0) return other;
  const all = new Float64Array(one.length + other.length);
  for (let place = 0, from = 0, beside = 0; place < all.length; place++) {
    all[place] = beside === other.length || one[from] <= other[beside] ? one[from++] : other[beside++];
  }
  return all;
}

/** @param {Float64Array} all @param {Float64Array} gone that are among them */
function gapsWithout(all, gone) {
  const rest = new Float64Array(all.length - gone.length);
  let place = 0;
  let next = 0;
  for (const gap of all) {
    if (gap === gone[next]) next++;
    else rest[place++] = gap;
  }
  return rest;
}

/**
 * The moment at which something came first, NaN while it has not.
 * @param {import("./shown.js").Shown} shown
 * @param {First} first
 */
export function firstTime({ lane, step }, first) {
  const came = lane.latency.firsts.get(first);
  return came !== undefined && came <= step ? lane.steps.times.values[came] : NaN;
}

/** The first reasoning, text, refusal or argument that is not empty. @param {import("./shown.js").Shown} shown */
export function firstTokenTime(shown) {
  const times = /** @type {First[]} */ (["reasoning", "text", "tool"]).map((first) => firstTime(shown, first));
  return times.reduce((one, other) => (other < one || Number.isNaN(one) ? other : one), NaN);
}

/** From the request to the last read that brought an event, else to the end. @param {import("./shown.js").Shown} shown */
export function durationOf({ lane, step, end }) {
  const busy = lane.latency.busy.rank(step);
  if (busy > 0) return lane.latency.times.values[busy - 1];
  return end ? lane.steps.times.at(-1) : NaN;
}

/**
 * @param {Float64Array} gaps in order
 * @returns {GapFigures}
 */
export function gapFigures(gaps) {
  const count = gaps.length;
  if (count === 0) return { count, median: NaN, p95: NaN, longest: NaN, burstiness: NaN };
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / count;
  const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / count);
  const rank = (/** @type {number} */ share) => gaps[Math.max(0, Math.ceil(share * count) - 1)];
  return { count, median: rank(0.5), p95: rank(0.95), longest: gaps[count - 1], burstiness: (deviation - mean) / (deviation + mean) };
}

/** How many gaps there are in each class. @param {Float64Array} gaps in order */
export function gapHistogram(gaps) {
  const counts = new Array(GAP_CLASSES.length + 1).fill(0);
  for (const gap of gaps) {
    const place = GAP_CLASSES.findIndex((bound) => gap < bound);
    counts[place < 0 ? GAP_CLASSES.length : place]++;
  }
  return counts;
}

/**
 * Output tokens a second, from the first token to the last read that brought an event. Reasoning that stays hidden was
 * made before the first token: where it is counted and none came, it is taken off.
 * @param {import("./shown.js").Shown} shown
 * @returns {{tokens: number, rate: number, estimated: boolean, span: number}} NaN where there is none
 */
export function tokenPace(shown) {
  const usage = shown.finish.length > 0 ? shown.value("usage") : null;
  const estimated = typeof usage?.output !== "number";
  const hidden = Number.isNaN(firstTime(shown, "reasoning")) ? (usage?.reasoning ?? 0) : 0;
  const tokens = estimated ? shown.said / TOKEN_CHARACTERS || NaN : Math.max(0, usage.output - hidden);
  const span = durationOf(shown) - firstTokenTime(shown);
  return { tokens, rate: span > 0 ? (tokens * 1e6) / span : NaN, estimated, span };
}

/**
 * Points of the cumulative curve, thinned to about `points`; the first and the last are kept.
 * @param {import("./shown.js").Shown} shown
 * @param {number} points
 * @returns {[time: number, events: number][]}
 */
export function cumulative({ lane, step }, points = 500) {
  const { busy, times, totals } = lane.latency;
  const count = busy.rank(step);
  const stride = Math.max(1, Math.ceil(count / points));
  /** @type {[number, number][]} */
  const curve = [];
  for (let place = 0; place < count; place += stride) curve.push([times.values[place], totals.values[place]]);
  if (count > 0 && (count - 1) % stride !== 0) curve.push([times.values[count - 1], totals.values[count - 1]]);
  return curve;
}

/** When a share of the events had come. @param {import("./shown.js").Shown} shown @param {number} share */
export function timeOfShare({ lane, step }, share) {
  const { busy, times, totals } = lane.latency;
  const count = busy.rank(step);
  return count > 0 ? times.values[Math.min(count - 1, totals.rank(share * totals.values[count - 1] - 1e-9))] : NaN;
}

/** What a spreadsheet would read as a formula, which no name may be. */
const FORMULA = /^[=+\-@\t\r]/;

/** Every row in view as CSV. Rows of one read share its time: the first has the gap. @param {import("./shown.js").Shown} shown */
export function timesCsv({ lane: { rows, steps }, rows: count }) {
  const lines = ["row,time_us,gap_us,read,bytes,name"];
  const plain = (/** @type {number} */ value) => (Number.isNaN(value) ? "" : String(value));
  let before = 0;
  for (let index = 0; index < count; index++) {
    const read = rows.steps.values[index];
    const shares = index > 0 && rows.steps.values[index - 1] === read;
    const time = steps.times.values[read];
    const name = rows.name(index) || rows.kind(index);
    const safe = FORMULA.test(name) ? `'${name}` : name;
    const quoted = /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    const size = rows.ends.values[index] - rows.starts.values[index];
    lines.push([index + 1, plain(time), shares ? "" : plain(time - before), read, size, quoted].join(","));
    before = time;
  }
  return `${lines.join("\r\n")}\r\n`;
}
