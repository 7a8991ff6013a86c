/**
 * The findings of a lane as the timeline marks them: rows by severity in order, and the waits that a finding speaks of.
 * Used by timeline-track.js.
 *
 * @typedef {{from: number, to: number, row: number, words: string}} Wait places on the axis, and the row that ended it: -1
 *   where none did
 */

import { Column, joined } from "./columns.js";
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
    /** What waits were asked for last, and found: each band of the lane asks for the same. @type {Wait[]} */
    this.found = [];
    this.asked = "";
  }

  /** A wait before the end of the body was found: the axis goes on until then. */
  get over() {
    return WAITS.some(([rule]) => this.findings.byRule.get(rule)?.atEnd === true);
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
    const asked = [from, to, track.end, track.over, this.findings.list.length, this.findings.marks].join();
    if (asked !== this.asked) this.found = this.#waits(track, from, to);
    this.asked = asked;
    return this.found;
  }

  /**
   * @param {import("./timeline-track.js").LaneTrack} track
   * @param {number} from
   * @param {number} to
   * @returns {Wait[]}
   */
  #waits(track, from, to) {
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
      if (finding.atEnd) waits.push({ from: track.end, to: track.over, row: -1, words: `${word} ${duration(track.over - track.end)}` });
      return waits;
    });
  }
}
