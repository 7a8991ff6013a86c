/**
 * What lights in Wire: tells which row is pointed at or chosen, says how many rows are lit because of something in Said,
 * and goes from one to the next. Used by the Wire pane; says with "light" on its grid that something else is lit.
 */

import { counted } from "../model/figures.js";
import { make, makeButton, reveal, write } from "./dom.js";

export class LitRows {
  /**
   * @param {import("./wire-list.js").WireList} list
   * @param {(index: number) => boolean} bring have a row in sight as the current one; false where a filter hides it
   */
  constructor(list, bring) {
    this.list = list;
    this.bring = bring;
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    /** The index of the row that was gone to last. */
    this.stands = -1;
    /** A lit row is to come into sight once the pane is shown. */
    this.owed = false;
    this.count = make("span", "lit-count");
    this.previous = makeButton("lit-step", "‹", () => this.move(-1));
    this.next = makeButton("lit-step", "›", () => this.move(1));
    this.previous.title = "Previous lit row (p)";
    this.next.title = "Next lit row (n)";
    this.previous.setAttribute("aria-label", "Previous lit row");
    this.next.setAttribute("aria-label", "Next lit row");
    this.element = make("div", "lit-rows", this.count, this.previous, this.next);
    this.element.hidden = true;
  }

  watch() {
    const { rows } = this.list;
    rows.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#point(this.list.indexOf(event.target));
    });
    rows.addEventListener("pointerleave", () => this.#point(-1));
  }

  /** @param {number} index */
  #point(index) {
    if (!this.lane) return;
    if (index < 0 ? this.lane.light.leave() : this.lane.light.row(index)) this.#tell(false);
  }

  /** A row was chosen, with -1 none. @param {number} index */
  choose(index) {
    if (!this.lane) return;
    this.stands = index;
    this.lane.light.holdRow(index);
    this.#tell(true);
  }

  /** @param {boolean} chosen */
  #tell(chosen) {
    this.list.grid.dispatchEvent(new CustomEvent("light", { detail: { from: "row", chosen }, bubbles: true }));
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  draw(lane) {
    this.lane = lane;
    const beam = lane.light.lit;
    const held = beam !== null && beam === lane.light.held;
    reveal(this.element, beam !== null);
    if (!beam) return;
    const again = beam.repeats.length > 0 ? ` + ${beam.repeats.length} again` : "";
    write(this.count, `${counted(beam.rows.length, "row")}${again}`);
    this.count.title = again ? "Rows that brought it, and rows that say it again" : "Rows that brought it";
    const several = held && beam.rows.length + beam.repeats.length > 0;
    reveal(this.previous, several);
    reveal(this.next, several);
  }

  /** Go to the next lit row, or with -1 to the previous one. @param {1 | -1} by */
  move(by) {
    const beam = this.lane?.light.lit;
    if (!beam) return;
    const rows = [...beam.rows, ...beam.repeats].sort((a, b) => a - b);
    const from = this.stands + 1;
    const before = rows.filter((row) => row < from).length;
    const count = rows.length;
    let place = by > 0 ? before + (rows[before] === from ? 1 : 0) : before - 1;
    for (let tried = 0; tried < count; tried++, place += by) {
      const index = rows[((place % count) + count) % count] - 1;
      if (!this.bring(index)) continue;
      this.stands = index;
      return;
    }
  }

  /** Have the first lit row in sight, unless one is. @param {number} first @param {number} last indexes in sight */
  come(first, last) {
    const beam = this.lane?.light.lit;
    if (!beam || beam.rows.length === 0) return;
    if (beam.rows.some((row) => row > first && row <= last + 1)) return;
    this.stands = -1;
    this.move(1);
  }
}
