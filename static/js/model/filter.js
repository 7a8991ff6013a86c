/**
 * Which rows a filter lets through. Works through the rows a few milliseconds at a time, so that 100,000 of them hold
 * nobody up, and goes on as rows arrive. Used by the Wire pane.
 */

import { Column } from "./columns.js";
import { wordOfDeeds } from "./deeds.js";

/** Rows looked at between two looks at the clock. */
const STRIDE = 512;

export class RowFilter {
  /** @param {string} query words that must all be found in a row's data, name or kind; in capitals: exactly so */
  constructor(query) {
    this.query = query;
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
      (pattern) => pattern.test(data) || pattern.test(rows.name(index)) || pattern.test(this.#word(rows, index)),
    );
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
