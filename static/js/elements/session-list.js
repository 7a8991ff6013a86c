/**
 * <session-list>: the library's sessions, a row each; only rows in sight are there, so that ten thousand scroll like ten.
 * The page sets `library`; it sends `more` when the end is near, `act` {act, id, ...} for what a person wants with one.
 */

import { make, reveal, write } from "../drawing/dom.js";
import { ENTRY_COLUMNS, EntryRow } from "../drawing/entry-row.js";
import { drawNext } from "../model/frames.js";
import { ListWindow } from "../model/list-window.js";

const SPARE_ENTRIES = 8;

/** @typedef {import("../model/library.js").LibraryModel} LibraryModel */
/** @typedef {import("./tag-editor.js").TagEditor} TagEditor */

export class SessionList extends HTMLElement {
  /** @type {LibraryModel | null} */
  #library = null;
  #forget = () => {};
  /** @type {Map<string, EntryRow>} */
  #rows = new Map();
  #sight = new ListWindow(44);
  #before = 0;
  /** What is edited in place: the title or the tags of one. @type {{id: string, what: string, field: HTMLElement} | null} */
  #editing = null;
  #head = make("div", "entry entry-head");
  #body = make("div", "entry-rows");
  #scroller = make("div", "entry-scroller", this.#head, this.#body);
  redraw = () => this.#draw();

  connectedCallback() {
    if (!this.#scroller.isConnected) {
      const heads = [{ name: "choose", title: "", number: false }, { name: "title", title: "Title", number: false }, ...ENTRY_COLUMNS];
      this.#head.append(...heads.map(({ name, title, number }) => {
        const head = make("div", `entry-${name}${number ? " number" : ""}`, title || make("span", "unseen", "Choose"));
        head.setAttribute("role", "columnheader");
        return head;
      }));
      this.#head.setAttribute("role", "row");
      this.#head.setAttribute("aria-rowindex", "1");
      this.#body.setAttribute("role", "rowgroup");
      Object.entries({ role: "grid", "aria-label": "Sessions", "aria-multiselectable": "true" }).forEach(([name, value]) => this.#scroller.setAttribute(name, value));
      this.#scroller.tabIndex = 0;
      this.#scroller.addEventListener("scroll", () => drawNext(this.redraw), { passive: true });
      this.#body.addEventListener("click", (event) => this.#pressed(event));
      this.append(this.#scroller);
      new ResizeObserver(() => drawNext(this.redraw)).observe(this.#scroller);
    }
    this.#watch();
  }

  disconnectedCallback() {
    this.#forget();
  }

  /** @param {LibraryModel} library */
  set library(library) {
    this.#library = library;
    if (this.isConnected) this.#watch();
  }

  #watch() {
    this.#forget();
    this.#forget = this.#library?.subscribe(() => drawNext(this.redraw)) ?? (() => {});
    this.#draw();
  }

  takeFocus() {
    this.#scroller.focus({ preventScroll: true });
  }

  /** Bring the place that keys point at into sight. */
  revealCurrent() {
    const library = this.#library;
    if (!library || library.current < 0) return;
    this.#measure(library);
    const head = this.#head.offsetHeight;
    this.#scroller.scrollTop = this.#sight.reveal(library.current, this.#scroller.scrollTop, this.#scroller.clientHeight - head);
    this.takeFocus();
    drawNext(this.redraw);
  }

  /** Edit one in place. @param {string} id @param {"rename" | "tags"} what */
  edit(id, what) {
    const entry = this.#library?.entries.find((each) => each.id === id);
    const row = this.#rows.get(id);
    if (!entry || !row || this.#library?.gone.has(id)) return;
    this.#close();
    const field = what === "rename" ? this.#titleField(id, entry.title) : this.#tagField(id, entry.tags);
    this.#editing = { id, what, field };
    row.row.toggleAttribute("data-edited", true);
    (what === "rename" ? row.link : row.line).after(field);
    if (field instanceof HTMLInputElement) {
      field.focus();
      field.select();
    } else field.takeFocus();
  }

  /** @param {string} id @param {string} title */
  #titleField(id, title) {
    const field = make("input", "entry-name");
    Object.assign(field, { value: title, maxLength: 200 });
    field.setAttribute("aria-label", "Title");
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      event.stopPropagation();
      if (event.key === "Enter") field.blur();
      else if (event.key === "Escape") this.#close();
    });
    field.addEventListener("blur", () => {
      if (this.#editing?.field !== field) return;
      this.#close();
      const wanted = field.value.trim();
      if (wanted !== "" && wanted !== title) this.#send("title", id, { title: wanted });
    });
    return field;
  }

  /** @param {string} id @param {string[]} tags */
  #tagField(id, tags) {
    const field = /** @type {TagEditor} */ (document.createElement("tag-editor"));
    field.tags = tags;
    field.known = Object.keys(this.#library?.counts?.tags ?? {});
    field.addEventListener("tag", (event) => this.#send("tag", id, /** @type {CustomEvent} */ (event).detail));
    field.addEventListener("done", () => this.#close());
    field.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node) || !field.contains(event.relatedTarget)) setTimeout(() => !field.contains(document.activeElement) && this.#editing?.field === field && this.#close());
    });
    return field;
  }

  #close() {
    const editing = this.#editing;
    if (!editing) return;
    this.#editing = null;
    const focused = editing.field.contains(document.activeElement);
    this.#rows.get(editing.id)?.row.toggleAttribute("data-edited", false);
    editing.field.remove();
    if (focused) this.takeFocus();
  }

  /** @param {string} act @param {string} id @param {object} [more] */
  #send(act, id, more = {}) {
    this.dispatchEvent(new CustomEvent("act", { detail: { act, id, ...more } }));
  }

  /** A press on a row points at it; on its free space it opens the session. @param {MouseEvent} event */
  #pressed(event) {
    const row = event.target instanceof Element ? event.target.closest(".entry") : null;
    const place = this.#library?.entries.findIndex(({ id }) => `entry-${id}` === row?.id) ?? -1;
    if (place >= 0) this.#library?.point(place);
  }

  /** @param {LibraryModel} library */
  #measure(library) {
    const height = parseFloat(getComputedStyle(this).getPropertyValue("--entry-height")) || 44;
    this.#sight.rowHeight = height;
    this.#sight.count = library.entries.length;
  }

  #draw() {
    const library = this.#library;
    if (!library) return;
    reveal(this.#scroller, library.entries.length > 0);
    this.#measure(library);
    const added = library.before - this.#before;
    this.#before = library.before;
    if (added > 0 && this.#scroller.scrollTop > 0) this.#scroller.scrollTop += added * this.#sight.rowHeight;
    this.#scroller.setAttribute("aria-rowcount", String(library.next === null ? library.entries.length + 1 : -1));
    this.#body.style.setProperty("height", `${this.#sight.height}px`);
    const { first, last } = this.#sight.sight(this.#scroller.scrollTop, this.#scroller.clientHeight, SPARE_ENTRIES);
    this.#drawRows(library, first, last);
    const pointed = library.pointed && this.#rows.has(library.pointed.id) ? `entry-${library.pointed.id}` : "";
    if (pointed) this.#scroller.setAttribute("aria-activedescendant", pointed);
    else this.#scroller.removeAttribute("aria-activedescendant");
    if (library.next !== null && last >= library.entries.length - SPARE_ENTRIES) this.dispatchEvent(new CustomEvent("more"));
  }

  /** @param {LibraryModel} library @param {number} first @param {number} last */
  #drawRows(library, first, last) {
    const wanted = new Set(library.entries.slice(first, last).map(({ id }) => id));
    /** Rows out of sight, which show others from now on. @type {EntryRow[]} */
    const spare = [];
    for (const [id, row] of this.#rows) {
      if (wanted.has(id)) continue;
      if (this.#editing?.id === id) this.#close();
      spare.push(row);
      this.#rows.delete(id);
    }
    for (let place = first; place < last; place += 1) {
      const entry = library.entries[place];
      const shown = this.#rows.get(entry.id) ?? spare.pop() ?? this.#newRow();
      this.#rows.set(entry.id, shown);
      shown.draw(entry, { chosen: library.chosen.has(entry.id), current: place === library.current, gone: library.gone.get(entry.id) ?? "", number: place + 1 });
      shown.row.style.setProperty("transform", `translateY(${this.#sight.top(place)}px)`);
      if (this.#editing?.id === entry.id && "tags" in this.#editing.field) /** @type {TagEditor} */ (this.#editing.field).tags = entry.tags;
      if (this.#body.children[place - first] !== shown.row) this.#body.insertBefore(shown.row, this.#body.children[place - first] ?? null);
    }
    for (const { row } of spare) row.remove();
  }

  #newRow() {
    return new EntryRow(
      (id, act) => (act === "rename" || act === "tags" ? this.edit(id, act) : this.#send(act, id)),
      (id, on) => this.#library?.choose(id, on),
    );
  }
}

customElements.define("session-list", SessionList);
