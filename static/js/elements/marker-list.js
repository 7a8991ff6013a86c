/**
 * <marker-list>: a button with the number of markers, and their list: to go to each, to change and delete them, and to
 * note something at a row. Made by <player-bar>; dispatches "go" {lane, row}, and "note" to be told at which row a new one
 * is to stand. Where there are no doors it only shows.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { makeIcon } from "../drawing/icons.js";
import { clockTime, count, counted } from "../model/figures.js";

/** @typedef {import("../model/markers.js").Marker} Marker */
/** @typedef {import("../model/session.js").SessionModel} SessionModel */

/** Characters of a note; the same as NOTE in playground/recordings/markers.py. */
const LONGEST = 500;

let markerLists = 0;

export class MarkerList extends HTMLElement {
  constructor() {
    super();
    /** @type {SessionModel | null} */
    this.session = null;
    /** What the note is for: a row, or a marker that is changed. @type {{lane: number, row: number, marker: Marker | null} | null} */
    this.noting = null;
    this.drawn = "";
    this.number = make("span");
    this.button = makeButton("quiet marker-button", "", () => this.#setOpen(this.panel.hidden));
    this.list = make("ul", "marker-entries");
    this.none = make("p", "note", "No marker yet. A marker is a note at a row; it stays with the session.");
    this.label = make("label", "marker-label");
    this.field = make("input", "marker-field");
    this.fresh = makeButton("quiet", "note at the current row", () => this.dispatchEvent(new CustomEvent("note", { bubbles: true })));
    this.save = make("button", "chip", "keep");
    this.form = make("form", "marker-form", this.label, this.field, this.save);
    this.problem = make("p", "problem");
    this.panel = make("div", "marker-panel", this.list, this.none, this.fresh, this.form, this.problem);
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.panel.id = `marker-list-${++markerLists}`;
    this.field.id = `${this.panel.id}-note`;
    this.label.htmlFor = this.field.id;
    Object.assign(this.field, { type: "text", maxLength: LONGEST, autocomplete: "off", placeholder: "what is to be seen here" });
    this.save.type = "submit";
    this.button.append(makeIcon("flag"), this.number);
    this.button.setAttribute("aria-controls", this.panel.id);
    this.panel.setAttribute("role", "group");
    this.panel.setAttribute("aria-label", "Markers");
    this.problem.setAttribute("role", "alert");
    this.panel.hidden = true;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#keep();
    });
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusout", (event) => this.#left(event));
    this.append(this.button, this.panel);
    this.#setOpen(false);
  }

  /** Ask for a note at a row. @param {number} lane @param {number} row index */
  note(lane, row) {
    if (!this.session?.markers.doors) return;
    this.noting = { lane, row, marker: null };
    this.field.value = "";
    this.#setOpen(true);
  }

  /** @param {boolean} open */
  #setOpen(open) {
    reveal(this.panel, open);
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) this.noting = null;
    this.draw();
    if (open && this.noting) this.field.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || this.panel.hidden) return;
    event.preventDefault();
    event.stopPropagation();
    this.button.focus();
    this.#setOpen(false);
  }

  /** Whoever goes elsewhere has done with it. @param {FocusEvent} event */
  #left(event) {
    const { relatedTarget } = event;
    if (relatedTarget instanceof Node && !this.contains(relatedTarget)) this.#setOpen(false);
  }

  async #keep() {
    const { session, noting } = this;
    const note = this.field.value.trim();
    if (!session || !noting || note === "") return;
    const { markers } = session;
    const kept = noting.marker ? markers.edit(noting.marker.id, note) : markers.add(noting.lane, noting.row, note);
    if (!(await kept)) return;
    this.noting = null;
    this.button.focus();
    this.draw();
  }

  /** @param {Marker} marker */
  #change(marker) {
    this.noting = { lane: marker.lane, row: this.session?.markers.rowOf(marker) ?? -1, marker };
    this.field.value = marker.note;
    this.draw();
    this.field.focus();
  }

  draw() {
    const { session } = this;
    if (!session) return;
    const { list, doors, problem } = session.markers;
    reveal(this, list.length > 0 || doors !== null);
    write(this.number, list.length > 0 ? ` ${count(list.length)}` : "");
    const title = `${list.length > 0 ? counted(list.length, "marker") : "Markers"}`;
    if (this.button.title !== title) this.button.title = this.button.ariaLabel = title;
    if (this.panel.hidden) return;
    reveal(this.none, list.length === 0 && !this.noting);
    reveal(this.fresh, !this.noting && doors !== null);
    reveal(this.form, this.noting !== null && doors !== null);
    if (this.noting) write(this.label, `Note for ${this.#rowWords(this.noting.lane, this.noting.row)}`);
    write(this.problem, problem);
    const rows = list.map((marker) => session.markers.rowOf(marker));
    const state = JSON.stringify([list, rows, doors !== null]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.list.replaceChildren(...list.map((marker, index) => this.#entry(marker, rows[index])));
    reveal(this.list, list.length > 0);
  }

  /** @param {number} lane @param {number} row */
  #rowWords(lane, row) {
    const several = (this.session?.lanes.length ?? 1) > 1;
    return `${several ? `lane ${lane + 1}, ` : ""}row ${row < 0 ? "–" : count(row + 1)}`;
  }

  /** @param {Marker} marker @param {number} row */
  #entry(marker, row) {
    const { session } = this;
    const steps = session?.lanes[marker.lane]?.steps;
    const time = row >= 0 && steps ? steps.times.at(session?.lanes[marker.lane].rows.steps.at(row) ?? NaN) : NaN;
    const where = make("span", "marker-where", `${this.#rowWords(marker.lane, row)}${Number.isNaN(time) ? "" : ` · ${clockTime(time)} s`}`);
    const go = makeButton("quiet marker-go", "", () => {
      this.dispatchEvent(new CustomEvent("go", { detail: { lane: marker.lane, row }, bubbles: true }));
    });
    go.append(where, " ", make("span", "marker-note", marker.note));
    go.disabled = row < 0;
    if (!session?.markers.doors) return make("li", "", go);
    const change = makeButton("quiet", "edit", () => this.#change(marker));
    change.setAttribute("aria-label", `Edit ${marker.note}`);
    const remove = makeButton("quiet", "delete", () => {
      this.button.focus();
      session.markers.remove(marker.id);
    });
    remove.setAttribute("aria-label", `Delete ${marker.note}`);
    return make("li", "", go, change, remove);
  }
}

customElements.define("marker-list", MarkerList);
