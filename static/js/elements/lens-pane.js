/**
 * <lens-pane>: the lane as another format, event by event, and what was lost on the way. A pane of <lane-tabs>; reads when
 * it is first looked at, and again when the lane has ended. Dispatches "reveal" {row} for the row behind a chosen event.
 */

import { make, makeButton, makeCopyButton, reveal, write } from "../drawing/dom.js";
import { counted } from "../model/figures.js";
import { drawNext } from "../model/frames.js";
import { LensModel } from "../model/lens.js";

/** @typedef {import("../model/lane.js").LaneModel} LaneModel */
/** @typedef {import("../model/lens.js").LensLinks} LensLinks */

export class LensPane extends HTMLElement {
  constructor() {
    super();
    /** @type {LaneModel | null} */
    this.source = null;
    this.index = 0;
    /** @type {LensLinks | undefined} */
    this.links = undefined;
    this.format = "";
    /** @type {LensModel | null} */
    this.lens = null;
    this.asking = new AbortController();
    this.problem = "";
    /** What is read, or was read last, has the lane's end. */
    this.whole = false;
    this.redraw = () => this.draw();
    this.modes = make("div", "modes");
    this.save = make("a", "quiet", "save");
    this.tools = make("div", "pane-tools", this.modes, makeCopyButton("quiet", () => this.lens?.text ?? ""), this.save);
    this.sum = make("p", "lens-sum");
    this.again = makeButton("quiet", "read on", () => this.#read());
    this.lost = make("dl", "lens-lost");
    this.wire = /** @type {import("./wire-pane.js").WirePane} */ (document.createElement("wire-pane"));
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.modes.setAttribute("role", "group");
    this.modes.setAttribute("aria-label", "Format");
    this.save.title = "The converted wire as a file";
    this.sum.setAttribute("role", "status");
    reveal(this.wire.followSwitch, false);
    this.wire.addEventListener("row", (event) => {
      event.stopPropagation();
      const row = this.lens?.sources.at(/** @type {CustomEvent<{row: number}>} */ (event).detail.row) ?? NaN;
      if (row >= 1) this.dispatchEvent(new CustomEvent("reveal", { detail: { row: row - 1 }, bubbles: true }));
    });
    this.append(make("div", "lens-told", make("div", "lens-line", this.sum, this.again), this.lost), this.wire);
  }

  disconnectedCallback() {
    this.asking.abort();
  }

  /**
   * @param {LaneModel} lane
   * @param {number} index
   * @param {import("./stream-lane.js").StageLinks} links
   */
  show(lane, index, links) {
    this.source = lane;
    this.index = index;
    this.links = links.lens;
    const formats = links.lens?.formats.filter(({ name }) => name !== lane.facts.format) ?? [];
    this.modes.replaceChildren(...formats.map(({ name, title }) => {
      const button = makeButton("mode", title, () => this.choose(name, title));
      button.dataset.format = name;
      return button;
    }));
    if (formats.length > 0) this.choose(formats[0].name, formats[0].title);
  }

  /** @param {string} format @param {string} title */
  choose(format, title) {
    if (!this.links) return;
    this.format = format;
    this.lens = null;
    this.wire.heading.textContent = `As ${title}`;
    this.wire.drawn.grid.setAttribute("aria-label", `Events as ${title}`);
    this.save.href = this.links.file(this.index, format);
    this.save.setAttribute("download", "");
    for (const button of this.modes.children) {
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.format === format));
    }
    this.#read();
  }

  /** Read it from the start: what is shown stays until all is here, unless nothing is. */
  async #read() {
    const { source, links } = this;
    if (!source || !links) return;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const lens = new LensModel(source, this.format);
    this.problem = "";
    this.whole = source.end !== null;
    if (!this.lens) this.#put(lens);
    try {
      await links.read(this.index, this.format, (lines) => {
        lens.take(lines);
        drawNext(this.redraw);
      }, signal);
      if (!lens.end) throw new Error("it broke off");
    } catch (problem) {
      if (signal.aborted) return;
      this.problem = `It could not be read (${problem instanceof Error ? problem.message : problem}).`;
    }
    this.#put(lens);
  }

  /** @param {LensModel} lens */
  #put(lens) {
    if (this.lens !== lens) {
      this.wire.lane = lens.lane;
      this.wire.bytes = async (from, to) => lens.bytes(from, to);
      this.wire.setFollowing(false);
    }
    this.lens = lens;
    drawNext(this.redraw);
  }

  draw() {
    const { lens, source } = this;
    if (!lens || !source) return;
    const { end } = lens;
    if (source.end && !this.whole) this.#read();
    lens.stand();
    write(this.sum, this.problem || this.#sentence(lens));
    reveal(this.again, this.problem !== "" || (end !== null && !end.over));
    write(this.again, this.problem ? "try again" : "read on");
    const lost = end?.lost ?? [];
    if (this.lost.childElementCount !== lost.length) {
      this.lost.replaceChildren(...lost.map(([element, sentence]) =>
        make("div", "", make("dt", "mono", element), make("dd", "", sentence))));
    }
    reveal(this.lost, lost.length > 0);
    drawNext(this.wire.redraw);
  }

  /** @param {LensModel} lens */
  #sentence({ lane, end }) {
    const events = counted(lane.rows.length, "event");
    if (!end) return `${events} so far, more are being read.`;
    if (lane.rows.length === 0) return "Nothing came that could be told in another format.";
    const lost = end.lost.length === 0 ? "Nothing was lost." : `${counted(end.lost.length, "thing")} could not be told as it was:`;
    return `${events}${end.over ? "" : " as far as it came"}. ${lost}`;
  }
}

customElements.define("lens-pane", LensPane);
