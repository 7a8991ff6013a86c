/**
 * One recycled row of Wire: six cells that are written again when another row of the lane takes the place.
 */

import { colourOfDeeds, wordOfDeeds } from "../model/deeds.js";
import { clockTime, columnSize, count, gap } from "../model/figures.js";
import { visibleLine } from "../model/visible.js";
import { make, reveal, write } from "./dom.js";
import { makeIcon } from "./icons.js";

/** What many event names begin with: dimmed, and left out where there is no room for it. */
export const NAME_PREFIX = "response.";

/** Characters of a note that are shown at least, and what its sign takes. */
const NOTE_LEAST = 12;
const NOTE_SIGN = 4;

export class WireRow {
  /** @param {string} id */
  constructor(id) {
    /** What is drawn: index of the row, and all that may change about it. */
    this.index = -1;
    this.state = "";
    /** @type {boolean | undefined} */
    this.current = undefined;
    /** @type {boolean | undefined} */
    this.open = undefined;
    /** @type {boolean | undefined} */
    this.chosen = undefined;
    this.lit = "";
    this.top = NaN;
    /** Characters of the name, its prefix left out. */
    this.nameLength = 0;
    this.prefix = make("span", "wire-prefix");
    this.name = make("span", "");
    this.flag = make("span", "wire-flag");
    this.flagWord = make("span", "wire-flag-word");
    this.cells = ["number", "time", "gap", "size", "name", "preview"].map((name) => make("span", `wire-${name}`));
    this.cells[4].append(this.prefix, this.name, this.flag);
    this.note = make("span", "wire-note");
    this.said = make("span", "wire-said");
    this.rest = make("span", "");
    this.cells[5].append(this.note, this.said, this.rest, this.flagWord);
    for (const cell of this.cells) cell.setAttribute("role", "gridcell");
    this.element = make("div", "wire-row", ...this.cells);
    this.element.id = id;
    this.element.setAttribute("role", "row");
    this.element.setAttribute("aria-level", "1");
  }

  /** What the row is called. */
  get shownName() {
    return (this.prefix.textContent ?? "") + this.name.textContent;
  }

  /** @param {number} top pixels; below zero hides the row */
  move(top) {
    if (top === this.top) return;
    this.top = top;
    this.element.style.transform = top < 0 ? "translateY(-100vh)" : `translateY(${top}px)`;
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} index of the row in the lane
   * @param {number} place in the list
   * @param {(index: number) => import("../model/preview.js").Telling} telling
   * @param {number} room characters of a preview that are in sight
   * @param {string} note what people noted at the row
   */
  draw(lane, index, place, telling, room, note) {
    const { rows, steps } = lane;
    const deeds = rows.deeds.values[index];
    const state = `${index} ${place} ${deeds} ${room} ${lane.findings.last.at(index) || 0} ${note}`;
    if (state === this.state) return;
    this.state = state;
    this.index = index;
    const step = rows.steps.values[index];
    const shares = index > 0 && rows.steps.values[index - 1] === step;
    const time = steps.times.values[step];
    const before = index > 0 ? steps.times.values[rows.steps.values[index - 1]] : 0;
    const [number, when, wait, size] = this.cells;
    write(number, count(index + 1));
    write(when, clockTime(time));
    write(wait, shares ? "·" : gap(time - before));
    write(size, columnSize(rows.ends.values[index] - rows.starts.values[index]));
    const kind = rows.kind(index);
    const told = telling(index);
    const name = visibleLine(nameOfRow(rows, index, kind, told.type));
    const dimmed = name.startsWith(NAME_PREFIX) ? NAME_PREFIX : "";
    write(this.prefix, dimmed);
    write(this.name, name.slice(dimmed.length));
    this.nameLength = name.length - dimmed.length;
    const noted = fitting(note, Math.max(NOTE_LEAST, room >> 1));
    this.#drawNote(noted, note);
    const left = noted ? Math.max(0, room - noted.length - NOTE_SIGN) : room;
    write(this.said, fitting(told.said, left));
    const between = told.said && told.rest ? "  " : "";
    write(this.rest, fitting(between + told.rest, left - told.said.length));
    const { dataset } = this.element;
    dataset.colour = kind === "event" ? colourOfDeeds(deeds) : "other";
    this.#drawFlag(lane.findings.ofRow(index));
    this.element.classList.toggle("silent", kind !== "event");
    this.element.classList.toggle("first-of-read", !shares);
    this.element.setAttribute("aria-rowindex", String(place + 2));
  }

  /** How it is lit because of something in Said. @param {"lit" | "again" | ""} lit */
  shine(lit) {
    if (lit === this.lit) return;
    this.lit = lit;
    this.element.classList.toggle("lit", lit === "lit");
    this.element.classList.toggle("again", lit === "again");
  }

  /** A triangle for what is wrong with the row; its word stands on hover and focus. @param {import("../model/findings.js").Finding[]} found */
  #drawFlag(found) {
    write(this.flag, found.length > 0 ? " ▲" : "");
    write(this.flagWord, found.map(({ rule, severity }) => `${severity}: ${rule}`).join(", "));
    this.element.dataset.severity = found[0]?.severity ?? "";
  }

  /** @param {string} noted @param {string} note all of it */
  #drawNote(noted, note) {
    reveal(this.note, noted !== "");
    if (noted === "" || this.note.title === note) return;
    this.note.title = note;
    this.note.replaceChildren(makeIcon("flag"), noted);
  }

  /**
   * @param {boolean} current
   * @param {boolean} open
   * @param {boolean} chosen on the timeline
   */
  mark(current, open, chosen) {
    if (current === this.current && open === this.open && chosen === this.chosen) return;
    this.current = current;
    this.open = open;
    this.chosen = chosen;
    this.element.classList.toggle("chosen", chosen);
    this.element.classList.toggle("current", current);
    this.element.classList.toggle("open", open);
    this.element.setAttribute("aria-expanded", String(open));
    this.element.setAttribute("aria-selected", String(current));
  }
}

/**
 * As much of a text as there is room for; an ellipsis stands for the rest.
 * @param {string} text
 * @param {number} room characters
 */
function fitting(text, room) {
  if (text.length <= room) return text;
  return room > 2 ? `${text.slice(0, room - 1).toWellFormed()}…` : "";
}

/**
 * What a row is called: its event name; for an event without one what it did, or its own type.
 * @param {import("../model/rows.js").Rows} rows
 * @param {number} index
 * @param {string} kind
 * @param {string} type
 */
function nameOfRow(rows, index, kind, type) {
  const name = rows.name(index);
  if (kind !== "event") return kind === "ignored" && name ? `ignored ${name}` : kind;
  if (name) return name;
  if (type) return type;
  if (rows.data[index] === "[DONE]") return "done";
  return wordOfDeeds(rows.deeds.values[index]) || "event";
}
