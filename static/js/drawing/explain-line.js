/**
 * The line at the foot of Wire that says what an event or a field is for: what is pointed at, else what has the focus,
 * else the row that keys stand on. It covers nothing and stays. Used by the Wire pane.
 */

import { explainEvent, explainField } from "../model/explain.js";
import { make, write } from "./dom.js";

const TEACHES = "Point at an event, or at a field of an open row: this line says what it is for.";
const STRANGE = "Not a part of the format: most clients pass over it.";

export class ExplainLine {
  /** @param {import("./wire-list.js").WireList} list */
  constructor(list) {
    this.list = list;
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    this.term = make("b", "explain-term");
    this.sentence = make("span", "");
    this.element = make("p", "wire-explain", this.term, " ", this.sentence);
    this.element.id = `${list.name}-explain`;
    list.describedBy = this.element.id;
    /** Indexes of the row under the pointer, of the one that keys stand on, and of the open one; -1 for none. */
    this.pointed = -1;
    this.current = -1;
    this.opened = -1;
    /** @type {import("./tree-walk.js").TreeField | null} */
    this.field = null;
  }

  /** @param {HTMLElement & {walk: import("./tree-walk.js").TreeWalk}} detail the open row, which says with "explain" which field is meant */
  watch(detail) {
    const { rows } = this.list;
    detail.walk.describedBy = this.element.id;
    rows.addEventListener("pointerover", (event) => this.#point(this.list.indexOf(event.target)));
    rows.addEventListener("pointerleave", () => this.#point(-1));
    detail.addEventListener("explain", (event) => {
      this.field = /** @type {CustomEvent} */ (event).detail;
      this.#draw();
    });
  }

  /** @param {number} index */
  #point(index) {
    if (index === this.pointed) return;
    this.pointed = index;
    this.#draw();
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} current
   * @param {number} opened
   */
  draw(lane, current, opened) {
    this.lane = lane;
    this.current = current;
    if (opened !== this.opened) this.field = null;
    this.opened = opened;
    this.#draw();
  }

  #draw() {
    if (!this.lane) return;
    const { format } = this.lane.facts;
    const index = this.pointed >= 0 ? this.pointed : this.current;
    if (this.field && this.pointed < 0) {
      const { path, value } = this.field;
      const event = this.list.slotOf(this.opened)?.shownName ?? this.lane.rows.name(this.opened);
      this.#say(value ? `${path} ${value}` : path, explainField(format, event, path, value));
      return;
    }
    const name = this.list.slotOf(index)?.shownName;
    if (name) this.#say(name, explainEvent(format, this.lane.rows.kind(index), name));
    else if (index < 0) this.#say("", TEACHES);
  }

  /**
   * @param {string} term
   * @param {string} sentence
   */
  #say(term, sentence) {
    write(this.term, term);
    write(this.sentence, sentence || STRANGE);
    this.element.classList.toggle("idle", term === "");
  }
}
