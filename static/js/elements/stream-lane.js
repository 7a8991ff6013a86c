/**
 * <stream-lane>: a lane on the stage: its head, and Said beside or above Wire. Made by <stream-stage>.
 */

import { make } from "../drawing/dom.js";
import { drawNext } from "../model/frames.js";

/**
 * Address builders, given to the stage by the page.
 * @typedef {{
 *   bytes: (lane: number, from: number, to: number) => string,
 *   media: (lane: number, part: number) => string,
 *   preview: (lane: number) => string,
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
    /** @type {import("./lane-head.js").LaneHead} */
    this.head = pane("lane-head");
    /** @type {import("./said-pane.js").SaidPane} */
    this.said = pane("said-pane");
    /** @type {import("./pane-splitter.js").PaneSplitter} */
    this.splitter = pane("pane-splitter");
    /** @type {import("./wire-pane.js").WirePane} */
    this.wire = pane("wire-pane");
  }

  connectedCallback() {
    if (!this.firstChild) this.append(this.head, make("div", "lane-panes", this.said, this.splitter, this.wire));
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} index
   * @param {StageLinks} links
   */
  show(lane, index, links) {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Lane ${index + 1}, ${lane.facts.format}`);
    this.said.media = (part) => links.media(index, part);
    this.said.preview = links.preview(index);
    this.wire.bytes = (from, to) => links.bytes(index, from, to);
    this.head.lane = this.said.lane = this.wire.lane = lane;
    this.redraw();
  }

  redraw() {
    drawNext(this.head.redraw);
    drawNext(this.said.redraw);
    drawNext(this.wire.redraw);
  }
}

customElements.define("stream-lane", StreamLane);
