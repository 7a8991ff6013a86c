/**
 * The drawn rows of Wire: a header, and as many recycled rows as are in sight. Told by the Wire pane which to draw.
 */

import { clockTime, columnSize, count } from "../model/figures.js";
import { tellingOf } from "../model/preview.js";
import { make } from "./dom.js";
import { NAME_PREFIX, WireRow } from "./wire-row.js";

/** Rows that are ready above and below those in sight. */
const SPARE = 8;
/** Rows that are made in one frame at most: all at once would hold it up. */
const MADE = 24;
/** Previews that are kept before all are forgotten. */
const TOLD = 2000;
/** Characters of the column of names: at least, and at most. */
const NAME_LEAST = 9;
const NAME_MOST = 28;
/** Characters of a preview where its column has no width of its own. */
const ROOM = 48;

let lists = 0;

export class WireList {
  /** @param {import("../model/list-window.js").ListWindow} list */
  constructor(list) {
    this.list = list;
    this.name = `wire-${++lists}`;
    /** The id of the element that says what the current row is for. */
    this.describedBy = "";
    /** @type {WireRow[]} */
    this.slots = [];
    /** @type {Map<number, import("../model/preview.js").Telling>} */
    this.told = new Map();
    this.widths = "";
    /** The longest name that was drawn, and how many names had been looked at. */
    this.longest = NAME_LEAST;
    this.named = 0;
    this.prefixed = false;
    /** Characters of a preview that are in sight: a cut here spares a clip for every row. */
    this.room = ROOM;
    this.previewTitle = make("span", "wire-preview", "preview");
    this.character = make("span", "wire-character", "0".repeat(10));
    this.header = make("div", "wire-header",
      make("span", "wire-number", "#"),
      make("span", "wire-time", "s"),
      make("span", "wire-gap", "ms"),
      make("span", "wire-size", "bytes"),
      make("span", "wire-name", "event"),
      this.previewTitle);
    this.rows = make("div", "wire-rows");
    this.grid = make("div", "wire-grid", this.header, this.rows, this.character);
    this.header.setAttribute("role", "row");
    this.header.setAttribute("aria-rowindex", "1");
    for (const title of this.header.children) title.setAttribute("role", "columnheader");
    this.character.setAttribute("aria-hidden", "true");
    this.rows.setAttribute("role", "rowgroup");
    this.grid.tabIndex = 0;
    this.grid.setAttribute("role", "treegrid");
    this.grid.setAttribute("aria-label", "Rows of the wire");
  }

  /** Look how much room there is; whether that has changed. */
  measure() {
    const width = this.previewTitle.clientWidth / (this.character.offsetWidth / 10 || 7);
    const room = width > 0 ? Math.floor(width) : ROOM;
    const rowHeight = parseFloat(getComputedStyle(this.grid).getPropertyValue("--row")) || this.list.rowHeight;
    const changed = room !== this.room || rowHeight !== this.list.rowHeight;
    this.room = room;
    this.list.rowHeight = rowHeight;
    return changed;
  }

  /**
   * Draw the rows in sight; whether all of them could be.
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} scrollTop
   * @param {number} height
   * @param {(place: number) => number} indexAt the row that stands at a place of the list
   * @param {number} current index of the row that keys stand on
   * @param {import("../model/timeline-span.js").SpanRows | null} span
   * @param {(index: number) => string} noteOf what people noted at a row
   */
  draw(lane, scrollTop, height, indexAt, current, span, noteOf) {
    const { list, slots } = this;
    const { first: wanted, last } = list.sight(scrollTop, height, SPARE);
    const size = Math.min(Math.max(slots.length, last - wanted), slots.length + MADE);
    const first = Math.max(wanted, last - size);
    while (slots.length < size) {
      const slot = new WireRow(`${this.name}-${slots.length}`);
      slots.push(slot);
      this.rows.append(slot.element);
    }
    const beam = lane.light.lit;
    const telling = (/** @type {number} */ index) => this.#telling(lane.rows, index);
    let active = "";
    for (const [number, slot] of slots.entries()) {
      const place = number + Math.ceil((first - number) / slots.length) * slots.length;
      if (place >= last) {
        slot.move(-1);
        continue;
      }
      const index = indexAt(place);
      slot.draw(lane, index, place, telling, this.room, noteOf(index));
      slot.move(list.top(place));
      slot.mark(index === current, place === list.open, span !== null && index >= span.from && index < span.to);
      slot.shine(lane.light.ofRow(index, beam));
      if (index === current) {
        active = slot.element.id;
        slot.element.setAttribute("aria-describedby", this.describedBy);
      }
      if (slot.nameLength > this.longest) this.longest = slot.nameLength;
    }
    this.#widen(lane);
    this.grid.setAttribute("aria-rowcount", String(list.count + 1));
    if (active) this.grid.setAttribute("aria-activedescendant", active);
    else this.grid.removeAttribute("aria-activedescendant");
    return first === wanted;
  }

  /** The drawn row of an index, when it is drawn. @param {number} index */
  slotOf(index) {
    return index < 0 ? undefined : this.slots.find((slot) => slot.index === index && slot.top >= 0);
  }

  /** The index of the row that an element belongs to, -1 when it is none. @param {EventTarget | null} target */
  indexOf(target) {
    const element = target instanceof Element ? target.closest(".wire-row") : null;
    return this.slots.find((slot) => slot.element === element)?.index ?? -1;
  }

  /**
   * @param {import("../model/rows.js").Rows} rows
   * @param {number} index
   */
  #telling(rows, index) {
    let telling = this.told.get(index);
    if (!telling) {
      if (this.told.size >= TOLD) this.told.clear();
      telling = tellingOf(rows.kind(index), rows.name(index), rows.data[index]);
      this.told.set(index, telling);
    }
    return telling;
  }

  /** Columns are as wide as what came needs. @param {import("../model/lane.js").LaneModel} lane */
  #widen({ rows, steps, findings }) {
    const number = Math.max(3, count(rows.length).length);
    const time = Math.max(5, clockTime(steps.times.at(-1)).length);
    const size = Math.max(5, columnSize(rows.largest).length);
    for (const name of rows.names.slice(this.named)) {
      const length = name.startsWith(NAME_PREFIX) ? name.length - NAME_PREFIX.length : name.length;
      this.longest = Math.max(this.longest, length);
      this.prefixed ||= name.startsWith(NAME_PREFIX);
    }
    this.named = rows.names.length;
    const flags = findings.marks > 0 ? 2 : 0;
    const widths = `${number} ${time} ${size} ${this.longest} ${this.prefixed} ${flags}`;
    if (widths === this.widths) return;
    this.widths = widths;
    const { style } = this.grid;
    style.setProperty("--number", `${number}ch`);
    style.setProperty("--time", `${time}ch`);
    style.setProperty("--size", `${size}ch`);
    style.setProperty("--name", `${Math.min(NAME_MOST, this.longest) + flags}ch`);
    style.setProperty("--prefix", `${this.prefixed ? NAME_PREFIX.length : 0}ch`);
  }
}
