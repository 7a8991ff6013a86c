/**
 * What is wrong with a lane: one finding a rule, with every row that it was raised on and the step that told of it, so
 * that the list can be read as of any step. Filled by lane.js; read by panes, timeline and player.
 *
 * @typedef {"error" | "warning" | "info"} Severity
 * @typedef {{step: number, row: number, start: number | null, end: number | null, part: number | null, detail: string}}
 *   Occurrence `row` is an index, -1 where it concerns the whole body; `start` and `end` are bytes of the decoded body
 */

import { Column } from "./columns.js";

/** From the worst to the mildest; the same as SEVERITIES in playground/lint/rule.py. @type {Severity[]} */
export const SEVERITIES = ["error", "warning", "info"];

/** So many occurrences of a finding are kept; of all others only the row. */
const OCCURRENCES = 20;

/** All that one rule was raised on. */
export class Finding {
  /**
   * @param {number} number its place in the list
   * @param {string} rule
   * @param {Severity} severity
   * @param {number} step that told of it first
   */
  constructor(number, rule, severity, step) {
    this.number = number;
    this.rule = rule;
    this.severity = severity;
    this.step = step;
    /** Indexes of rows, and for each the step that told. */
    this.rows = new Column(Uint32Array, 8);
    this.steps = new Column(Uint32Array, 8);
    /** @type {Occurrence[]} */
    this.occurrences = [];
  }

  /** How many of its rows are known as of a step. @param {number} step */
  count(step = Infinity) {
    return this.steps.rank(step);
  }
}

export class Findings {
  constructor() {
    /** In the order in which they were first raised. @type {Finding[]} */
    this.list = [];
    /** @type {Map<string, Finding>} */
    this.byRule = new Map();
    /** A mark is a finding on a row: of each its finding, the step that told, and the mark before it on its row. */
    this.owners = new Column(Uint32Array);
    this.told = new Column(Uint32Array);
    this.earlier = new Column(Uint32Array);
    /** By row: its last mark's number and one, 0 for none. */
    this.last = new Column(Uint32Array);
    /** The row of each mark. */
    this.marked = new Column(Uint32Array);
  }

  /** How many marks there are: a number that grows with every finding on a row. */
  get marks() {
    return this.owners.length;
  }

  /**
   * Take what a step added.
   * @param {import("./messages.js").FindingMessage[]} found
   * @param {number} step
   */
  take(found, step) {
    for (const [rule, severity, rows, start, end, part, detail] of found) {
      let finding = this.byRule.get(rule);
      if (!finding) {
        finding = new Finding(this.list.length, rule, severity, step);
        this.list.push(finding);
        this.byRule.set(rule, finding);
      }
      if (finding.occurrences.length < OCCURRENCES) {
        finding.occurrences.push({ step, row: rows.length > 0 ? rows[0] - 1 : -1, start, end, part, detail });
      }
      for (const row of rows) this.#mark(finding, row - 1, step);
    }
  }

  /** How many rules of each severity are broken as of a step. @param {number} step */
  at(step = Infinity) {
    const counts = { error: 0, warning: 0, info: 0 };
    for (const { severity, step: first } of this.list) if (first <= step) counts[severity]++;
    return counts;
  }

  /**
   * The findings on a row as of a step, the worst first.
   * @param {number} index
   * @param {number} step
   */
  ofRow(index, step = Infinity) {
    /** @type {Finding[]} */
    const found = [];
    for (let mark = this.last.at(index); mark > 0; mark = this.earlier.values[mark - 1]) {
      if (this.told.values[mark - 1] <= step) found.push(this.list[this.owners.values[mark - 1]]);
    }
    const rank = (/** @type {Finding} */ { severity }) => SEVERITIES.indexOf(severity);
    return found.sort((one, other) => rank(one) - rank(other) || one.number - other.number);
  }

  /**
   * The nearest row behind or before one that has a finding as of a step, -1 when there is none.
   * @param {number} index
   * @param {1 | -1} by
   * @param {number} step
   */
  next(index, by, step = Infinity) {
    const start = by < 0 ? Math.min(index, this.last.length) - 1 : index + 1;
    for (let row = start; row >= 0 && row < this.last.length; row += by) {
      if (this.last.values[row] > 0 && this.ofRow(row, step).length > 0) return row;
    }
    return -1;
  }

  /**
   * @param {Finding} finding
   * @param {number} row
   * @param {number} step
   */
  #mark(finding, row, step) {
    finding.rows.push(row);
    finding.steps.push(step);
    while (this.last.length <= row) this.last.push(0);
    this.owners.push(finding.number);
    this.told.push(step);
    this.marked.push(row);
    this.earlier.push(this.last.values[row]);
    this.last.values[row] = this.marks;
  }
}
