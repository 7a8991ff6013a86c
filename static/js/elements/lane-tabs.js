/**
 * <lane-tabs>: what a lane shows beside Wire, one pane at a time, and the tabs that choose it. Made by <stream-lane>; says
 * with "pane" which tab was pressed, and <stream-stage> chooses it in every lane.
 *
 * A pane is an element with `show(lane, index, links)`, `redraw`, and `tools`: its controls, which stand beside the tabs.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { drawNext } from "../model/frames.js";

/** @typedef {import("../model/lane.js").LaneModel} LaneModel */
/** @typedef {import("./stream-lane.js").StageLinks} StageLinks */
/**
 * @typedef {HTMLElement & {
 *   show: (lane: LaneModel, index: number, links: StageLinks) => void, redraw: () => void, tools: HTMLElement,
 * }} LanePane
 */

/** The panes: name, element, label, and the link that a pane cannot do without. @type {[string, string, string, (keyof StageLinks)?][]} */
const LANE_PANES = [
  ["said", "said-pane", "Said"],
  ["findings", "findings-pane", "Findings"],
  ["latency", "latency-pane", "Latency"],
  ["lens", "lens-pane", "Lens", "lens"],
  ["request", "request-pane", "Request"],
];

/** Where Said and Wire have no room beside each other, Wire has a tab too, the second. */
const WIRE_TAB = "wire";

export class LaneTabs extends HTMLElement {
  constructor() {
    super();
    /** @type {{lane: LaneModel, index: number, links: StageLinks} | null} */
    this.shows = null;
    /** The pane that is chosen, and whether Wire is in its place. */
    this.chosen = "said";
    this.wire = false;
    /** Made when they are chosen for the first time. @type {Map<string, LanePane>} */
    this.panes = new Map();
    /** @type {Map<string, HTMLButtonElement>} */
    this.tabs = new Map();
    this.list = make("div", "tabs");
    this.tools = make("div", "tab-tools");
    this.place = make("div", "lane-pane");
    this.redraw = () => this.draw();
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.list.setAttribute("role", "tablist");
    this.list.setAttribute("aria-label", "Panes");
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.place.setAttribute("role", "tabpanel");
    this.append(make("div", "pane-bar tab-bar", this.list, this.tools), this.place);
  }

  /**
   * @param {LaneModel} lane
   * @param {number} index
   * @param {StageLinks} links
   */
  show(lane, index, links) {
    this.shows = { lane, index, links };
    this.panes.clear();
    this.tabs.clear();
    const offered = LANE_PANES.filter(([, , , needed]) => !needed || links[needed]);
    const [said, ...others] = offered.map(([name, , label]) => [name, label]);
    for (const [name, label] of [said, [WIRE_TAB, "Wire"], ...others]) this.tabs.set(name, this.#tab(name, label));
    this.list.replaceChildren(...this.tabs.values());
    this.place.replaceChildren();
    this.place.id = `lane-pane-${index}`;
    this.choose(this.chosen, this.wire);
  }

  /**
   * @param {string} name
   * @param {string} label
   */
  #tab(name, label) {
    const tab = makeButton("tab", "", () => this.dispatchEvent(new CustomEvent("pane", { detail: name, bubbles: true })));
    tab.append(make("span", "", label), make("span", "tab-count"));
    tab.id = `lane-tab-${this.shows?.index}-${name}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", `lane-${name === WIRE_TAB ? "wire" : "pane"}-${this.shows?.index}`);
    return tab;
  }

  /**
   * Show a pane; a name that no tab has shows Said.
   * @param {string} name
   * @param {boolean} wire Wire is shown in its place, where only one has room
   */
  choose(name, wire = false) {
    this.chosen = this.tabs.has(name) ? name : "said";
    this.wire = wire;
    for (const [each, tab] of this.tabs) {
      const selected = each === (wire ? WIRE_TAB : this.chosen);
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
    if (!this.shows) return;
    const pane = this.pane(this.chosen);
    this.place.setAttribute("aria-labelledby", this.tabs.get(this.chosen)?.id ?? "");
    if (!pane.parentNode) this.place.append(pane);
    for (const each of this.panes.values()) reveal(each, each === pane);
    if (pane.tools.parentNode !== this.tools) this.tools.replaceChildren(pane.tools);
    reveal(this.tools, !wire);
    drawNext(this.redraw);
  }

  /** The pane of that name, made the first time. @param {string} name */
  pane(name) {
    let pane = this.panes.get(name);
    if (!pane) {
      const [, tag] = LANE_PANES.find(([each]) => each === name) ?? LANE_PANES[0];
      pane = /** @type {LanePane} */ (document.createElement(tag));
      if (this.shows) pane.show(this.shows.lane, this.shows.index, this.shows.links);
      this.panes.set(name, pane);
    }
    return pane;
  }

  draw() {
    const { findings } = this.shows?.lane ?? {};
    const tab = this.tabs.get("findings");
    if (tab?.lastElementChild && findings) write(tab.lastElementChild, findings.list.length > 0 ? String(findings.list.length) : "");
    if (this.shows) this.pane(this.chosen).redraw();
  }

  /** Arrows move between tabs and choose. @param {KeyboardEvent} event */
  #key(event) {
    const tabs = [...this.tabs.values()].filter((tab) => tab.offsetParent !== null);
    const place = tabs.findIndex((tab) => tab === document.activeElement);
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs.at(moves[event.key] % tabs.length);
    next?.focus();
    next?.click();
  }
}

customElements.define("lane-tabs", LaneTabs);
