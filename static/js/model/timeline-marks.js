/**
 * The findings of a lane as the timeline marks them: rows by severity in order, and the waits that a finding speaks of.
 * Used by timeline-track.js.
 *
 * @typedef {{from: number, to: number, row: number, words: string}} Wait places on the axis, and the row that ended it: -1
 *   where none did
 */

import { Column } from "./columns.js";
import { duration } from "./figures.js";

/** @typedef {import("./findings.js").Severity} Severity */

/** Rules that speak of a wait in front of a row, and what it is called. */
const WAITS = [["stall", "stall"], ["sudden-gap", "gap"]];

export class LaneMarks {
  /** @param {import("./findings.js").Findings} findings */
  constructor(findings) {
    this.findings = findings;
    /** Indexes of rows, rising; a row stands in it once for each finding. @type {Record<Severity, Column>} */
    this.rows = { error: new Column(Uint32Array, 8), warning: new Column(Uint32Array, 8), info: new Column(Uint32Array, 8) };
    this.length = 0;
  }

  /** A wait before the end of the body was found: the axis goes on until then. */
  get over() {
    return WAITS.some(([rule]) => this.findings.byRule.get(rule)?.occurrences.some(({ row }) => row < 0));
  }

  /** Take in the findings that came since. */
  follow() {
    const { findings } = this;
    /** @type {Record<Severity, number[]>} */
    const fresh = { error: [], warning: [], info: [] };
    for (; this.length < findings.marks; this.length++) {
      fresh[findings.list[findings.owners.values[this.length]].severity].push(findings.marked.values[this.length]);
    }
    for (const severity of /** @type {Severity[]} */ (Object.keys(fresh))) {
      if (fresh[severity].length > 0) this.rows[severity] = joined(this.rows[severity], fresh[severity]);
    }
  }

  /**
   * Waits in front of rows that stand in a stretch, and one before the end of the body.
   * @param {import("./timeline-track.js").LaneTrack} track
   * @param {number} from
   * @param {number} to
   * @returns {Wait[]}
   */
  waits(track, from, to) {
    return WAITS.flatMap(([rule, word]) => {
      const finding = this.findings.byRule.get(rule);
      if (!finding) return [];
      /** @type {Wait[]} */
      const waits = [];
      for (let place = track.before(finding.rows, from); place < finding.rows.length; place++) {
        const row = finding.rows.values[place];
        const wait = track.waitBefore(row);
        if (wait.from > to) break;
        waits.push({ ...wait, row, words: `${word} ${duration(wait.to - wait.from)}` });
      }
      const last = finding.occurrences.some((occurrence) => occurrence.row < 0);
      if (last) waits.push({ from: track.end, to: track.over, row: -1, words: `${word} ${duration(track.over - track.end)}` });
      return waits;
    });
  }
}

/**
 * A rising column with more numbers, rising again; the same one where they come behind what is there.
 * @param {Column} column
 * @param {number[]} fresh
 */
function joined(column, fresh) {
  fresh.sort((one, other) => one - other);
  if (column.length === 0 || fresh[0] >= column.at(-1)) {
    for (const value of fresh) column.push(value);
    return column;
  }
  const whole = new Column(Uint32Array, column.length + fresh.length);
  let next = 0;
  for (let place = 0; place < column.length; place++) {
    while (next < fresh.length && fresh[next] < column.values[place]) whole.push(fresh[next++]);
    whole.push(column.values[place]);
  }
  for (; next < fresh.length; next++) whole.push(fresh[next]);
  return whole;
}
