/**
 * What is wrong with a lane: one finding a rule, with every row that it was raised on, and the step that told of it first,
 * so that the list can be read as of any step. Filled by lane.js; read by panes, timeline and player.
 *
 * @typedef {"error" | "warning" | "info"} Severity
 * @typedef {{step: number, row: number, start: number | null, end: number | null, part: number | null, detail: string}}
 *   Occurrence `row` is an index, -1 where it concerns the whole body; `start` and `end` are bytes of the decoded body
 * @typedef {{step: number, rows: number}} View how much is in view: the last step, and how many rows
 */

import { Column } from "./columns.js";
import { counted } from "./figures.js";

/** From the worst to the mildest; the same as SEVERITIES in playground/lint/rule.py. @type {Severity[]} */
export const SEVERITIES = ["error", "warning", "info"];

/** @type {View} */
const EVERYTHING = { step: Infinity, rows: Infinity };

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
    /** Indexes of rows. */
    this.rows = new Column(Uint32Array, 8);
    /** @type {Occurrence[]} */
    this.occurrences = [];
    /** It was raised on no row: on the whole body, or on its end. */
    this.atEnd = false;
  }
}

export class Findings {
  constructor() {
    /** In the order in which they were first raised. @type {Finding[]} */
    this.list = [];
    /** @type {Map<string, Finding>} */
    this.byRule = new Map();
    /** A mark is a finding on a row: of each its finding, its row, and the mark before it on its row. */
    this.owners = new Column(Uint32Array);
    this.marked = new Column(Uint32Array);
    this.earlier = new Column(Uint32Array);
    /** By row: its last mark's number and one, 0 for none. */
    this.last = new Column(Uint32Array);
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
      finding.atEnd ||= rows.length === 0;
      if (finding.occurrences.length < OCCURRENCES) {
        finding.occurrences.push({ step, row: rows.length > 0 ? rows[0] - 1 : -1, start, end, part, detail });
      }
      for (const row of rows) this.#mark(finding, row - 1);
    }
  }

  /** What is in view, in the order in which it was raised. @param {View} view */
  at(view = EVERYTHING) {
    return this.list.filter(({ step, occurrences }) => step <= view.step && occurrences[0].row < view.rows);
  }

  /** How many rules of each severity are broken. @param {View} view */
  counts(view = EVERYTHING) {
    const counts = { error: 0, warning: 0, info: 0 };
    for (const { severity } of this.at(view)) counts[severity]++;
    return counts;
  }

  /** The findings on a row, the worst first. @param {number} index */
  ofRow(index) {
    /** @type {Finding[]} */
    const found = [];
    for (let mark = this.last.at(index); mark > 0; mark = this.earlier.values[mark - 1]) {
      found.push(this.list[this.owners.values[mark - 1]]);
    }
    return found.sort((one, other) => bySeverity(one, other) || one.number - other.number);
  }

  /**
   * The nearest row behind or before one that has a finding, -1 when there is none.
   * @param {number} index
   * @param {1 | -1} by
   */
  next(index, by) {
    const { length, values } = this.last;
    let row = by < 0 ? Math.min(index, length) - 1 : index + 1;
    while (row >= 0 && row < length && values[row] === 0) row += by;
    return row >= 0 && row < length ? row : -1;
  }

  /**
   * @param {Finding} finding
   * @param {number} row
   */
  #mark(finding, row) {
    finding.rows.push(row);
    while (this.last.length <= row) this.last.push(0);
    this.owners.push(finding.number);
    this.marked.push(row);
    this.earlier.push(this.last.values[row]);
    this.last.values[row] = this.marks;
  }
}

/** The worst first. @param {{severity: Severity}} one @param {{severity: Severity}} other */
export function bySeverity(one, other) {
  return SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
}

/**
 * 2 errors · 1 warning; infos are named only where there is nothing worse; "" where there is nothing.
 * @param {Record<Severity, number>} counts
 */
export function countWords({ error, warning, info }) {
  const words = [];
  if (error > 0) words.push(counted(error, "error"));
  if (warning > 0) words.push(counted(warning, "warning"));
  if (words.length === 0 && info > 0) words.push(counted(info, "info"));
  return words.join(" · ");
}
