/**
 * <wire-pane>: what came over the wire, a row an event: a list of any length of which only the rows in sight exist.
 * Gets its lane and the address builder for bytes from <stream-lane>; <stream-stage> sends it keys.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { WireRow } from "../drawing/wire-row.js";
import { clockTime, columnSize, count } from "../model/figures.js";
import { RowFilter } from "../model/filter.js";
import { drawNext } from "../model/frames.js";
import { ListWindow } from "../model/list-window.js";
import { tellingOf } from "../model/preview.js";

/** Rows that are ready above and below those in sight, and milliseconds a frame for filtering. */
const SPARE = 8;
const FILTER_BUDGET = 6;
/** Previews that are kept before all are forgotten. */
const TOLD = 2000;
/** Characters of the column of names: at least, where events have no names, and at most. */
const NAME_LEAST = 9;
const NAME_UNNAMED = 15;
const NAME_MOST = 26;
/** Characters of a preview where its column has no width of its own. */
const ROOM = 48;
/** Pixels below the last row. */
const TAIL = 8;

let panes = 0;

export class WirePane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    this.bytes = (/** @type {number} */ _from, /** @type {number} */ _to) => "";
    this.following = true;
    /** Indexes of the rows that keys stand on and that is open, -1 for none. */
    this.current = -1;
    this.opened = -1;
    this.scrollTop_ = 0;
    this.viewHeight = 0;
    /** Characters of a preview that are in sight: a cut here spares a clip for every row. */
    this.room = ROOM;
    this.previewTitle = make("span", "wire-preview", "preview");
    this.character = make("span", "wire-character", "0".repeat(10));
    this.list = new ListWindow(20);
    /** @type {RowFilter | null} */
    this.filter = null;
    /** @type {WireRow[]} */
    this.slots = [];
    /** @type {Map<number, import("../model/preview.js").Telling>} */
    this.told = new Map();
    this.widths = "";
    this.slotName = `wire-${++panes}`;
    this.redraw = () => this.draw();
    this.field = make("input", "wire-filter");
    this.found = make("span", "wire-found");
    this.followSwitch = makeButton("quiet follow", "follow", () => this.setFollowing(!this.following));
    this.rowsBox = make("div", "wire-rows");
    this.empty = make("p", "pane-empty");
    this.grid = make("div", "wire-grid", this.rowsBox);
    /** @type {import("./row-detail.js").RowDetail} */
    this.detail = /** @type {any} */ (document.createElement("row-detail"));
    this.detailRow = make("div", "wire-detail");
    this.resized = new ResizeObserver(() => this.#measure());
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    this.resized.observe(this.grid);
    this.resized.observe(this.detailRow);
    this.resized.observe(this.previewTitle);
    drawNext(this.redraw);
  }

  disconnectedCallback() {
    this.resized.disconnect();
  }

  #build() {
    Object.assign(this.field, { type: "search", placeholder: "filter: text, event name", autocomplete: "off" });
    this.field.setAttribute("aria-label", "Filter rows by text or event name");
    this.field.spellcheck = false;
    this.field.addEventListener("input", () => this.#setFilter());
    this.field.addEventListener("keydown", (event) => this.#fieldKey(event));
    this.followSwitch.setAttribute("role", "switch");
    const titles = [
      make("span", "wire-number", "#"),
      make("span", "wire-time", "s"),
      make("span", "wire-gap", "ms"),
      make("span", "wire-size", "bytes"),
      make("span", "wire-name", "event"),
      this.previewTitle,
    ];
    for (const title of titles) title.setAttribute("role", "columnheader");
    const header = make("div", "wire-header", ...titles);
    this.character.setAttribute("aria-hidden", "true");
    this.grid.append(this.character);
    header.setAttribute("role", "row");
    header.setAttribute("aria-rowindex", "1");
    this.grid.prepend(header);
    this.grid.tabIndex = 0;
    this.grid.setAttribute("role", "treegrid");
    this.grid.setAttribute("aria-label", "Rows of the wire");
    this.rowsBox.setAttribute("role", "rowgroup");
    const cell = make("div", "", this.detail);
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("aria-colspan", "6");
    this.detailRow.append(cell);
    this.detailRow.setAttribute("role", "row");
    this.detailRow.setAttribute("aria-level", "2");
    this.detailRow.hidden = true;
    this.rowsBox.append(this.detailRow);
    this.grid.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.grid.addEventListener("keydown", (event) => this.#gridKey(event));
    this.rowsBox.addEventListener("click", (event) => this.#clicked(event));
    this.append(
      make("div", "pane-bar", make("h2", "pane-title", "Wire"), this.field, this.found, this.followSwitch),
      make("div", "wire-body", this.grid, this.empty),
    );
    this.setFollowing(this.following);
  }

  /** @param {boolean} following */
  setFollowing(following) {
    this.following = following;
    this.followSwitch.setAttribute("aria-checked", String(following));
    drawNext(this.redraw);
  }

  focusFilter() {
    this.field.focus();
    this.field.select();
  }

  /**
   * Move the current row by so many.
   * @param {number} by
   */
  move(by) {
    const { count: rows } = this.list;
    if (rows === 0) return;
    const { first, last } = this.list.sight(this.scrollTop_, this.viewHeight - this.list.rowHeight * 2, 0);
    const from = this.current < 0 ? -1 : this.#placeOf(this.current);
    const start = from < 0 ? (this.following ? last - 1 : first) : from + by;
    this.#stand(Math.min(rows - 1, Math.max(0, start)));
  }

  /** Open the current row, or close it. */
  toggle() {
    if (this.current >= 0) this.#setOpen(this.opened === this.current ? -1 : this.current);
  }

  /** Move to a place in the list and have it in sight. @param {number} place */
  #stand(place) {
    this.current = this.#indexAt(place);
    if (place < this.list.count - 1 && this.following) this.setFollowing(false);
    this.#scrollTo(this.list.reveal(place, this.scrollTop_, this.#bodyHeight));
    drawNext(this.redraw);
  }

  /** What the header leaves of the view. */
  get #bodyHeight() {
    return this.viewHeight - this.list.rowHeight;
  }

  /** @param {number} top */
  #scrollTo(top) {
    if (top === this.scrollTop_) return;
    this.grid.scrollTop = top;
    this.scrollTop_ = this.grid.scrollTop;
  }

  /** @param {number} index */
  #setOpen(index) {
    const { lane } = this;
    if (!lane) return;
    this.opened = index;
    this.list.open = index < 0 ? -1 : this.#placeOf(index);
    reveal(this.detailRow, index >= 0);
    if (index >= 0) {
      if (this.following && index < lane.rows.length - 1) this.setFollowing(false);
      this.detail.show(lane, index, this.bytes);
      this.list.openHeight = this.detailRow.offsetHeight;
      this.rowsBox.style.height = `${this.list.height + TAIL}px`;
      this.#scrollTo(this.list.reveal(this.list.open, this.scrollTop_, this.#bodyHeight));
    }
    drawNext(this.redraw);
  }

  /** @param {number} place */
  #indexAt(place) {
    return this.filter ? this.filter.found.values[place] : place;
  }

  /** The place of a row in the list, -1 when the filter hides it. @param {number} index */
  #placeOf(index) {
    if (!this.filter) return index;
    const place = this.filter.found.rank(index) - 1;
    return place >= 0 && this.filter.found.values[place] === index ? place : -1;
  }

  #setFilter() {
    const query = this.field.value.trim();
    this.filter = query ? new RowFilter(query) : null;
    drawNext(this.redraw);
  }

  /** @param {KeyboardEvent} event */
  #fieldKey(event) {
    if (event.key === "Escape" && this.field.value !== "") {
      event.stopPropagation();
      event.preventDefault();
      this.field.value = "";
      this.#setFilter();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      this.grid.focus();
      if (this.current < 0 || this.#placeOf(this.current) < 0) this.#stand(0);
    }
  }

  /** @param {KeyboardEvent} event */
  #gridKey(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.#bodyHeight / this.list.rowHeight) - 1);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.move(1),
      ArrowUp: () => this.move(-1),
      j: () => this.move(1),
      k: () => this.move(-1),
      PageDown: () => this.move(page),
      PageUp: () => this.move(-page),
      Home: () => this.#stand(0),
      End: () => this.#stand(this.list.count - 1),
      Enter: () => this.toggle(),
      " ": () => this.toggle(),
      ArrowRight: () => this.opened !== this.current && this.toggle(),
      ArrowLeft: () => this.opened === this.current && this.toggle(),
    };
    const act = keys[event.key];
    if (!act || this.list.count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    if (!(event.target instanceof Element) || getSelection()?.isCollapsed === false) return;
    const element = event.target.closest(".wire-row");
    const slot = this.slots.find((row) => row.element === element);
    if (!slot) return;
    this.current = slot.index;
    this.toggle();
  }

  #scrolled() {
    const { scrollTop } = this.grid;
    const end = this.list.height - this.#bodyHeight - scrollTop < this.list.rowHeight / 2;
    if (scrollTop < this.scrollTop_ && !end && this.following) this.setFollowing(false);
    else if (end && !this.following && scrollTop > this.scrollTop_ && this.opened < 0) this.setFollowing(true);
    this.scrollTop_ = scrollTop;
    drawNext(this.redraw);
  }

  #measure() {
    const { clientHeight } = this.grid;
    const openHeight = this.detailRow.offsetHeight;
    const width = this.previewTitle.clientWidth / (this.character.offsetWidth / 10 || 7);
    const room = width > 0 ? Math.floor(width) : ROOM;
    if (clientHeight === this.viewHeight && openHeight === this.list.openHeight && room === this.room) return;
    this.room = room;
    this.viewHeight = clientHeight;
    this.list.openHeight = openHeight;
    this.list.rowHeight = parseFloat(getComputedStyle(this.grid).getPropertyValue("--row")) || 20;
    drawNext(this.redraw);
  }

  draw() {
    const { lane, list } = this;
    if (!lane) return;
    const { rows } = lane;
    if (this.filter && !this.filter.scan(rows, lane.clock, FILTER_BUDGET)) drawNext(this.redraw);
    list.count = this.filter ? this.filter.found.length : rows.length;
    list.open = this.opened < 0 ? -1 : this.#placeOf(this.opened);
    reveal(this.detailRow, list.open >= 0);
    this.rowsBox.style.height = `${list.height + TAIL}px`;
    this.grid.setAttribute("aria-rowcount", String(list.count + 1));
    if (this.following) this.#scrollTo(Math.max(0, list.height + TAIL - this.#bodyHeight));
    this.#widenColumns(lane);
    this.#drawSlots(lane);
    write(this.found, this.filter ? `${count(list.count)} of ${count(rows.length)}` : "");
    write(this.empty, this.#emptyWord(lane));
    reveal(this.empty, list.count === 0);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawSlots(lane) {
    const { list, slots } = this;
    const { first, last } = list.sight(this.scrollTop_, this.viewHeight, SPARE);
    while (slots.length < last - first) {
      const slot = new WireRow(`${this.slotName}-${slots.length}`);
      slots.push(slot);
      this.rowsBox.append(slot.element);
    }
    const telling = (/** @type {number} */ index) => this.#telling(lane.rows, index);
    let active = "";
    for (const [number, slot] of slots.entries()) {
      const turn = Math.ceil((first - number) / slots.length);
      const place = number + turn * slots.length;
      if (place >= last) {
        slot.move(-1);
        continue;
      }
      const index = this.#indexAt(place);
      slot.draw(lane, index, place, telling, this.room);
      slot.move(list.top(place));
      slot.mark(index === this.current, place === list.open);
      if (index === this.current) active = slot.element.id;
    }
    if (active) this.grid.setAttribute("aria-activedescendant", active);
    else this.grid.removeAttribute("aria-activedescendant");
    if (list.open >= 0) this.detailRow.style.transform = `translateY(${(list.open + 1) * list.rowHeight}px)`;
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
  #widenColumns({ rows, steps }) {
    const number = Math.max(3, count(rows.length).length);
    const time = Math.max(5, clockTime(steps.times.at(-1)).length);
    const size = Math.max(5, columnSize(rows.largest).length);
    const widths = `${number} ${time} ${size} ${rows.names.length}`;
    if (widths === this.widths) return;
    this.widths = widths;
    const unnamed = rows.names.length <= 1 ? NAME_UNNAMED : NAME_LEAST;
    const longest = Math.max(...rows.names.map((name) => name.replace(/^response\./, "").length), unnamed);
    const { style } = this.grid;
    style.setProperty("--number", `${number}ch`);
    style.setProperty("--time", `${time}ch`);
    style.setProperty("--size", `${size}ch`);
    style.setProperty("--name", `${Math.min(NAME_MOST, longest)}ch`);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #emptyWord(lane) {
    if (this.filter && lane.rows.length > 0) return "No row matches. Esc clears the filter.";
    if (lane.open) return "Rows appear here as they come.";
    return lane.bytes > 0 ? "No rows in this body." : "No body came.";
  }
}

customElements.define("wire-pane", WirePane);
