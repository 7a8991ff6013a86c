/**
 * <wire-pane>: what came over the wire, a row an event: a list of any length of which only the rows in sight exist.
 * Gets its lane and its way to bytes from <stream-lane>; <stream-stage> sends it keys.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { ExplainLine } from "../drawing/explain-line.js";
import { rowKey } from "../drawing/grid-keys.js";
import { LitRows } from "../drawing/lit-rows.js";
import { WireFilter } from "../drawing/wire-filter.js";
import { WireList } from "../drawing/wire-list.js";
import { drawNext } from "../model/frames.js";
import { ListWindow } from "../model/list-window.js";
import { RecentEnd } from "../model/recent-end.js";

/** Pixels of a row before the page has said it, and below the last row. */
const ROW_HEIGHT = 20;
const TAIL = 18;
/** Milliseconds in which a scroll is laid to the hand that moved last; dragging a scrollbar may take long. */
const BY_HAND = 10_000;

export class WirePane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    /** @type {import("./row-detail.js").AskBytes} */
    this.bytes = async () => new Uint8Array(0);
    /** The address of a row on this page, and what people noted at it. */
    this.address = (/** @type {number} */ _row) => "";
    this.noteOf = (/** @type {number} */ _row) => "";
    this.following = true;
    /** Indexes of the row that keys stand on and of the open one, -1 for none. */
    this.current = -1;
    this.opened = -1;
    /** How the current row is to come in sight with the next drawing. */
    this.coming = "";
    /** The open row stays wholly in sight while its bytes come, until the person moves on. */
    this.unfolding = false;
    this.scrolledTo = 0;
    /** When the person last moved the view by hand; the browser moves it too, where the layout changes. */
    this.handled = -Infinity;
    this.viewHeight = 0;
    this.list = new ListWindow(ROW_HEIGHT);
    this.drawn = new WireList(this.list);
    this.explained = new ExplainLine(this.drawn);
    this.lit = new LitRows(this.drawn, (index) => this.#come(index));
    this.end = new RecentEnd();
    this.filter = new WireFilter(() => drawNext(this.redraw), () => this.#enter());
    /** The rows that are chosen on the timeline. @type {import("../model/timeline-span.js").SpanRows | null} */
    this.span = null;
    this.followSwitch = makeButton("quiet follow", "follow", () => this.setFollowing(!this.following));
    this.heading = make("h2", "pane-title", "Wire");
    this.empty = make("p", "pane-empty");
    this.detail = /** @type {import("./row-detail.js").RowDetail} */ (document.createElement("row-detail"));
    this.detailRow = make("div", "wire-detail");
    this.redraw = () => this.draw();
    this.resized = new ResizeObserver(() => this.#measure());
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    for (const element of [this.drawn.grid, this.drawn.previewTitle, this.detailRow]) this.resized.observe(element);
    drawNext(this.redraw);
  }

  disconnectedCallback() {
    this.resized.disconnect();
  }

  #build() {
    this.followSwitch.setAttribute("role", "switch");
    const cell = make("div", "", this.detail);
    Object.assign(cell, { role: "gridcell", ariaColSpan: "6" });
    this.detailRow.append(cell);
    Object.assign(this.detailRow, { role: "row", ariaLevel: "2", hidden: true });
    const { grid, rows } = this.drawn;
    rows.append(this.detailRow);
    rows.addEventListener("click", (event) => this.#clicked(event));
    this.explained.watch(this.detail);
    this.lit.watch();
    grid.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    for (const name of ["wheel", "touchmove", "pointerdown"]) {
      grid.addEventListener(name, () => (this.handled = performance.now()), { passive: true });
    }
    grid.addEventListener("keydown", (event) => this.#gridKey(event));
    this.append(
      make("div", "pane-bar", this.heading, this.filter.field, this.filter.found, this.followSwitch),
      make("div", "wire-body", grid, this.empty, this.lit.element),
      this.explained.element,
    );
    this.setFollowing(this.following);
  }

  /** @param {boolean} following */
  setFollowing(following) {
    this.following = following;
    this.followSwitch.setAttribute("aria-checked", String(following));
    drawNext(this.redraw);
  }

  #enter() {
    this.drawn.grid.focus();
    if (this.current < 0 || this.filter.placeOf(this.current) < 0) this.#stand(0);
  }

  /** Move the current row; the first time, to the first in sight or the last that came. @param {number} by */
  move(by) {
    if (this.list.count === 0) return;
    const from = this.current < 0 ? -1 : this.filter.placeOf(this.current);
    if (from >= 0) this.#stand(from + by);
    else this.#stand(this.following ? this.list.count - 1 : this.list.placeAt(this.scrolledTo));
  }

  /** Mark the rows that were chosen on the timeline, the first of them in sight. @param {WirePane["span"]} span */
  showSpan(span) {
    const moved = span !== null && span.to > span.from && span.from !== this.span?.from;
    this.span = span;
    if (moved) {
      if (this.following) this.setFollowing(false);
      this.#scrollTo(this.list.top(Math.min(this.filter.placeBehind(span.from), this.list.count - 1)));
    }
    drawNext(this.redraw);
  }

  /** Open the current row, or close it. */
  toggle() {
    if (this.current < 0) return;
    this.#setOpen(this.opened === this.current ? -1 : this.current);
    this.#tellRow();
    if (this.opened < 0) this.lit.choose(-1);
  }

  /**
   * Have a row as the current one, in sight, once it is drawn; `open` shows what is in it.
   * @param {number} index
   * @param {boolean} open
   */
  come(index, open = false) {
    this.current = index;
    this.coming = open ? "open" : "here";
    drawNext(this.redraw);
  }

  /** The same at once; false where the filter hides it. @param {number} index */
  #come(index) {
    const place = this.filter.placeOf(index);
    if (place < 0) return false;
    this.current = index;
    this.#reveal(place);
    return true;
  }

  /** Have a lit row in sight, if none is. */
  bringLit() {
    if ((this.lit.owed = this.viewHeight === 0)) return;
    const { first, last } = this.list.sight(this.scrolledTo, this.#bodyHeight, 0);
    if (last > first) this.lit.come(this.filter.indexAt(first), this.filter.indexAt(last - 1));
  }

  #arrive() {
    const { coming, current } = this;
    this.coming = "";
    if (coming === "open" && this.opened !== current) this.#setOpen(current);
    else this.#reveal(this.filter.placeOf(current));
  }

  /** Move to a place in the list and have it in sight. @param {number} wanted */
  #stand(wanted) {
    const place = Math.min(this.list.count - 1, Math.max(0, wanted));
    this.current = this.filter.indexAt(place);
    this.unfolding = false;
    this.#reveal(place);
    this.#tellRow();
  }

  /** The person chose the current row. */
  #tellRow() {
    this.lit.choose(this.current);
    this.dispatchEvent(new CustomEvent("row", { detail: { row: this.current }, bubbles: true }));
  }

  /** @param {number} place */
  #reveal(place) {
    if (place < this.list.count - 1 && this.following) this.setFollowing(false);
    this.#scrollTo(this.list.reveal(place, this.scrolledTo, this.#bodyHeight));
    drawNext(this.redraw);
  }

  /** @param {number} index */
  #setOpen(index) {
    const { lane, list } = this;
    if (!lane) return;
    this.opened = index;
    this.unfolding = index >= 0;
    list.open = index < 0 ? -1 : this.filter.placeOf(index);
    reveal(this.detailRow, index >= 0);
    if (index >= 0) {
      if (this.following && index < lane.shown.rows - 1) this.setFollowing(false);
      this.detail.show(lane, index, this.bytes, this.address(index));
      list.openHeight = this.detailRow.offsetHeight;
      this.#unfold();
    }
    drawNext(this.redraw);
  }

  #unfold() {
    this.#stretch();
    this.#scrollTo(this.list.reveal(this.list.open, this.scrolledTo, this.#bodyHeight));
  }

  #stretch() {
    this.drawn.rows.style.height = `${this.list.height + TAIL}px`;
  }

  /** What the header leaves of the view. */
  get #bodyHeight() {
    return this.viewHeight - this.list.rowHeight;
  }

  /** @param {number} top */
  #scrollTo(top) {
    if (top === this.scrolledTo) return;
    this.drawn.grid.scrollTop = top;
    this.scrolledTo = this.drawn.grid.scrollTop;
  }

  /** @param {KeyboardEvent} event */
  #gridKey(event) {
    if (event.target !== this.drawn.grid || this.list.count === 0) return;
    const page = Math.max(1, Math.floor(this.#bodyHeight / this.list.rowHeight) - 1);
    const act = rowKey(event, page, {
      move: (by) => this.move(by),
      leap: (end) => this.#stand(end === "first" ? 0 : this.list.count - 1),
      toggle: (open) => open !== (this.opened === this.current) && this.toggle(),
    });
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const index = this.drawn.indexOf(event.target);
    if (index < 0 || getSelection()?.isCollapsed === false) return;
    this.current = index;
    this.toggle();
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.drawn.grid;
    if (scrollTop === this.scrolledTo) return;
    const [down, clamped] = [scrollTop > this.scrolledTo, scrollHeight - clientHeight - scrollTop < 1];
    const byHand = performance.now() - this.handled < BY_HAND;
    this.unfolding &&= !byHand;
    if (!down && !clamped && byHand && this.following) this.setFollowing(false);
    else if (down && !this.following && this.opened < 0 && this.end.reached(scrollTop)) this.setFollowing(true);
    this.scrolledTo = scrollTop;
    drawNext(this.redraw);
  }

  #measure() {
    const { clientHeight } = this.drawn.grid;
    const { offsetHeight } = this.detailRow;
    const changed = this.drawn.measure();
    if (!changed && clientHeight === this.viewHeight && offsetHeight === this.list.openHeight) return;
    this.viewHeight = clientHeight;
    this.list.openHeight = offsetHeight;
    if (this.lit.owed) this.bringLit();
    if (this.unfolding && this.list.open >= 0) this.#unfold();
    drawNext(this.redraw);
  }

  draw() {
    const { lane, list } = this;
    if (!lane) return;
    const { shown } = lane;
    if (this.coming) this.filter.makeWay(lane.rows, this.current);
    if (!this.filter.scan(lane)) drawNext(this.redraw);
    list.count = this.filter.countOf(shown.rows);
    list.open = this.opened < 0 || this.opened >= shown.rows ? -1 : this.filter.placeOf(this.opened);
    reveal(this.detailRow, list.open >= 0);
    this.#stretch();
    const end = Math.max(0, list.height + TAIL - this.#bodyHeight);
    this.end.note(lane.clock(), end);
    if (this.coming && this.filter.placeOf(this.current) >= 0) this.#arrive();
    if (this.following) this.#scrollTo(end);
    if (!this.drawn.draw(lane, this.scrolledTo, this.viewHeight, (place) => this.filter.indexAt(place), this.current, this.span, this.noteOf)) drawNext(this.redraw);
    if (list.open >= 0) this.detailRow.style.transform = `translateY(${(list.open + 1) * list.rowHeight}px)`;
    this.lit.draw(lane);
    this.explained.draw(lane, this.current, this.opened);
    this.filter.draw(list.count, shown.rows);
    write(this.empty, this.filter.emptyWord(shown));
    reveal(this.empty, list.count === 0);
  }
}

customElements.define("wire-pane", WirePane);
