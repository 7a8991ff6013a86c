/**
 * Which rows a filter lets through. Works through the rows a few milliseconds at a time, so that 100,000 of them hold
 * nobody up, and goes on as rows arrive. Used by the Wire pane.
 */

import { Column, joined } from "./columns.js";
import { wordOfDeeds } from "./deeds.js";

/** Rows looked at between two looks at the clock. */
const STRIDE = 512;

export class RowFilter {
  /**
   * @param {string} query words that must all be found in a row's data, name, kind or findings (error, missing-event-name,
   *   finding for any); in capitals: exactly so
   * @param {import("./findings.js").Findings | null} findings
   */
  constructor(query, findings = null) {
    this.query = query;
    this.findings = findings;
    this.marks = 0;
    this.scanned = 0;
    this.found = new Column(Uint32Array);
    this.patterns = query
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), word === word.toLowerCase() ? "i" : ""));
  }

  /**
   * Look at rows that were not looked at yet until `clock` says that `budget` milliseconds are over; whether all were.
   * @param {import("./rows.js").Rows} rows
   * @param {() => number} clock
   * @param {number} budget
   */
  scan(rows, clock, budget) {
    const until = clock() + budget;
    this.#lookBack(rows);
    while (this.scanned < rows.length) {
      const stop = Math.min(this.scanned + STRIDE, rows.length);
      for (let index = this.scanned; index < stop; index++) if (this.lets(rows, index)) this.found.push(index);
      this.scanned = stop;
      if (clock() > until) break;
    }
    return this.scanned === rows.length;
  }

  /**
   * @param {import("./rows.js").Rows} rows
   * @param {number} index
   */
  lets(rows, index) {
    const data = rows.data[index];
    return this.patterns.every(
      (pattern) =>
        pattern.test(data) || pattern.test(rows.name(index)) || pattern.test(this.#word(rows, index)) || this.#flagged(pattern, index),
    );
  }

  /**
   * @param {RegExp} pattern
   * @param {number} index
   */
  #flagged(pattern, index) {
    const { findings } = this;
    if (!findings || !(findings.last.at(index) > 0)) return false;
    return findings.ofRow(index).some(({ rule, severity }) => pattern.test(`finding ${severity} ${rule}`));
  }

  /** Rows that were looked at and have a finding since may be let through now. @param {import("./rows.js").Rows} rows */
  #lookBack(rows) {
    const { findings } = this;
    if (!findings) return;
    /** @type {Set<number>} */
    const fresh = new Set();
    for (; this.marks < findings.marks; this.marks++) {
      const index = findings.marked.values[this.marks];
      if (index >= this.scanned || fresh.has(index) || this.found.at(this.found.rank(index) - 1) === index) continue;
      if (this.lets(rows, index)) fresh.add(index);
    }
    if (fresh.size > 0) this.found = joined(this.found, [...fresh]);
  }

  /**
   * @param {import("./rows.js").Rows} rows
   * @param {number} index
   */
  #word(rows, index) {
    const kind = rows.kind(index);
    if (kind !== "event") return kind;
    return rows.nameOf.values[index] === 0 ? wordOfDeeds(rows.deeds.values[index]) : "";
  }
}
