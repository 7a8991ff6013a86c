/**
 * <stream-lane>: a lane on the stage: its head, and its tabs (Said and others) beside or above Wire. Made by <stream-stage>.
 */

import { make, write } from "../drawing/dom.js";
import { LaneLight } from "../drawing/lane-light.js";
import { drawNext, settleNext } from "../model/frames.js";

/**
 * What only the page's source has, given to the stage: bytes of a lane's body, addresses of its media and its preview
 * ("" where there is none), what is to be said of the rules, the lane as another format, and whether a request can be
 * shown as a program.
 * @typedef {{
 *   bytes: (lane: number, from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>,
 *   media: (lane: number, part: number) => string,
 *   preview: (lane: number) => string,
 *   rules?: import("../model/rule-book.js").RuleBook,
 *   lens?: import("../model/lens.js").LensLinks,
 *   snippets?: boolean,
 * }} StageLinks
 */

/**
 * @template {HTMLElement} Kind
 * @param {string} tag
 * @returns {Kind}
 */
function pane(tag) {
  return /** @type {Kind} */ (document.createElement(tag));
}

export class StreamLane extends HTMLElement {
  constructor() {
    super();
    // What its panes' headings stand below.
    this.heading = make("h2", "unseen");
    /** @type {import("./lane-head.js").LaneHead} */
    this.head = pane("lane-head");
    /** @type {import("./lane-tabs.js").LaneTabs} */
    this.tabs = pane("lane-tabs");
    /** @type {import("./pane-splitter.js").PaneSplitter} */
    this.splitter = pane("pane-splitter");
    /** @type {import("./wire-pane.js").WirePane} */
    this.wire = pane("wire-pane");
    this.light = new LaneLight(this);
    this.light.bring = (what) => what && this.said.bring(what);
    this.addEventListener("light", (event) => this.#lit(/** @type {CustomEvent} */ (event).detail));
  }

  connectedCallback() {
    this.light.connect();
    if (!this.firstChild) this.append(this.heading, this.head, make("div", "lane-panes", this.tabs, this.splitter, this.wire));
  }

  disconnectedCallback() {
    this.light.disconnect();
  }

  get said() {
    return /** @type {import("./said-pane.js").SaidPane} */ (/** @type {HTMLElement} */ (this.tabs.pane("said")));
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} index
   * @param {StageLinks} links
   */
  show(lane, index, links) {
    this.setAttribute("role", "group");
    write(this.heading, `Lane ${index + 1}, ${lane.facts.format}`);
    this.setAttribute("aria-label", `Lane ${index + 1}, ${lane.facts.format}`);
    this.wire.bytes = (from, to, signal) => links.bytes(index, from, to, signal);
    this.wire.id = `lane-wire-${index}`;
    this.wire.detail.rules = links.rules ?? this.wire.detail.rules;
    this.head.lane = this.wire.lane = lane;
    this.tabs.show(lane, index, links);
    this.light.lane = lane;
    this.said.drawn = this.light.repaint;
    this.redraw();
  }

  /**
   * Something else is lit. What was chosen in one pane comes into sight in the other.
   * @param {{from: "said" | "row", chosen: boolean}} how
   */
  #lit({ from, chosen }) {
    this.light.repaint();
    drawNext(this.wire.redraw);
    if (chosen && from === "said") this.wire.bringLit();
    if (chosen && from === "row") settleNext(() => this.light.bring(this.light.paint.firstIn(this.said)));
  }

  redraw() {
    drawNext(this.head.redraw);
    drawNext(this.tabs.redraw);
    drawNext(this.wire.redraw);
  }
}

customElements.define("stream-lane", StreamLane);
