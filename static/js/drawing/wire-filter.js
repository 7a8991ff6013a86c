/**
 * The filter of Wire: its field, and which row stands at which place of the list while it is on. Owned by <wire-pane>,
 * which hears of another filter, and of a person who leaves the field for the rows.
 */

import { count } from "../model/figures.js";
import { RowFilter } from "../model/filter.js";
import { make, write } from "./dom.js";

/** Milliseconds a frame for filtering. */
const FILTER_BUDGET = 6;

export class WireFilter {
  /**
   * @param {() => void} changed
   * @param {() => void} left
   */
  constructor(changed, left) {
    this.changed = changed;
    this.left = left;
    /** @type {RowFilter | null} */
    this.filter = null;
    /** @type {import("../model/findings.js").Findings | null} */
    this.findings = null;
    this.field = make("input", "wire-filter");
    this.found = make("span", "wire-found");
    Object.assign(this.field, { type: "search", placeholder: "filter: text, event name, finding", autocomplete: "off" });
    this.field.setAttribute("aria-label", "Filter rows by text, event name or finding");
    this.field.spellcheck = false;
    this.field.addEventListener("input", () => this.#read());
    this.field.addEventListener("keydown", (event) => this.#key(event));
  }

  get on() {
    return this.filter !== null;
  }

  focus() {
    this.field.focus();
    this.field.select();
  }

  #read() {
    const query = this.field.value.trim();
    this.filter = query ? new RowFilter(query, this.findings) : null;
    this.changed();
  }

  /** Have another query. @param {string} query */
  set(query) {
    this.field.value = query;
    this.#read();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.field.value !== "") {
      event.stopPropagation();
      event.preventDefault();
      this.set("");
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      this.left();
    }
  }

  /** Look at rows that came; whether all were. @param {import("../model/lane.js").LaneModel} lane */
  scan(lane) {
    this.findings = lane.findings;
    return this.filter === null || this.filter.scan(lane.rows, lane.clock, FILTER_BUDGET);
  }

  /** How many places the list has. @param {number} rows so many of the lane are in view */
  countOf(rows) {
    return this.filter ? this.filter.found.rank(rows - 1) : rows;
  }

  /** The index of the row at a place. @param {number} place */
  indexAt(place) {
    return this.filter ? this.filter.found.values[place] : place;
  }

  /** The place of a row in the list, -1 when the filter hides it. @param {number} index */
  placeOf(index) {
    if (!this.filter) return index;
    const place = this.filter.found.rank(index) - 1;
    return place >= 0 && this.filter.found.values[place] === index ? place : -1;
  }

  /** The place of a row, or of the next one where the filter hides it. @param {number} index */
  placeBehind(index) {
    return this.filter ? this.filter.found.rank(index - 1) : index;
  }

  /** A filter that hides a row is cleared. @param {import("../model/rows.js").Rows} rows @param {number} index */
  makeWay(rows, index) {
    if (this.filter && !this.filter.lets(rows, index)) this.set("");
  }

  /** What stands where no row does. @param {import("../model/shown.js").Shown} shown */
  emptyWord(shown) {
    if (this.on && shown.rows > 0) return "No row matches. Esc in the filter clears it.";
    if (shown.open) return "Rows appear here as they come.";
    return shown.bytes > 0 ? "No rows in this body." : "No body came.";
  }

  /** @param {number} places @param {number} rows */
  draw(places, rows) {
    write(this.found, this.filter ? `${count(places)} of ${count(rows)}` : "");
  }
}
