/**
 * <request-pane>: the request of a lane as it is kept, masked: method and address, headers, body as a tree or as it was
 * sent. A pane of <lane-tabs>. Dispatches "snippet" with the request, where the page has snippets.
 */

import { make, makeButton, makeCopyButton, reveal, write } from "../drawing/dom.js";
import { jsonTree } from "../drawing/json-tree.js";
import { parseExact } from "../model/exact-json.js";
import { count, size } from "../model/figures.js";
import { keptSnippet } from "../model/kept-request.js";
import { visibleLine } from "../model/visible.js";

/** Characters of a body that are shown before a button asks for the rest. */
const BODY_CUT = 50_000;

/** @typedef {"tree" | "text"} BodyMode */

export class RequestPane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/messages.js").LaneMessage | null} */
    this.facts = null;
    /** @type {BodyMode} */
    this.mode = "tree";
    this.drawn = "";
    this.redraw = () => this.draw();
    this.tools = make("div", "pane-tools");
    this.line = make("p", "request-line");
    this.headers = make("dl", "request-headers");
    this.weight = make("span", "request-weight");
    this.tree = make("div", "request-tree");
    this.text = make("pre", "request-text");
    this.modes = /** @type {BodyMode[]} */ (["tree", "text"]).map((mode) => ({ mode, button: makeButton("mode", mode, () => this.setMode(mode)) }));
    this.scroller = make("div", "request-scroller");
  }

  connectedCallback() {
    if (this.firstChild) return;
    const modes = make("div", "modes", ...this.modes.map(({ button }) => button));
    modes.setAttribute("role", "group");
    modes.setAttribute("aria-label", "How to show the body");
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "group");
    this.scroller.setAttribute("aria-label", "Request");
    this.scroller.append(
      this.line,
      make("h3", "request-title", "headers"),
      this.headers,
      make("div", "request-bar", make("h3", "request-title", "body"), this.weight, modes, makeCopyButton("quiet", () => this.facts?.request_body ?? "")),
      this.tree,
      this.text,
      make("p", "note", "Keys and other secrets were masked before anything was kept; as many characters stand in their place."),
    );
    this.append(this.scroller);
    this.setMode(this.mode);
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} _index
   * @param {import("./stream-lane.js").StageLinks} links
   */
  show(lane, _index, links) {
    this.facts = lane.facts;
    if (!links.snippets) return;
    const snippet = makeButton("quiet", "as a program", () => {
      this.dispatchEvent(new CustomEvent("snippet", { detail: [keptSnippet(lane.facts)], bubbles: true }));
    });
    this.tools.replaceChildren(snippet);
  }

  /** @param {BodyMode} mode */
  setMode(mode) {
    this.mode = mode;
    for (const entry of this.modes) entry.button.setAttribute("aria-pressed", String(entry.mode === mode));
    reveal(this.tree, mode === "tree" && this.tree.childElementCount > 0);
    reveal(this.text, !(mode === "tree" && this.tree.childElementCount > 0));
  }

  /** Once: a request is what it is. */
  draw() {
    const { facts } = this;
    if (!facts || this.drawn) return;
    this.drawn = "yes";
    const body = facts.request_body;
    this.line.replaceChildren(make("b", "request-method", facts.method), " ", make("span", "request-address", visibleLine(facts.url)), makeCopyButton("quiet", () => facts.url));
    this.headers.replaceChildren(...facts.request_headers.map(([name, value]) =>
      make("div", "", make("dt", "", visibleLine(name)), make("dd", "", visibleLine(value)))));
    write(this.weight, body === "" ? "none" : size(new TextEncoder().encode(body).length));
    const value = parseExact(body);
    if (value) this.tree.replaceChildren(jsonTree(value));
    for (const { button } of this.modes) reveal(button, value !== null);
    this.#drawText(body);
    this.setMode(value ? this.mode : "text");
  }

  /** @param {string} body */
  #drawText(body) {
    if (body.length <= BODY_CUT) return write(this.text, body);
    const more = makeButton("tree-more", `all ${count(body.length)} characters`, () => write(this.text, body));
    this.text.replaceChildren(`${body.slice(0, BODY_CUT).toWellFormed()}… `, more);
  }
}

customElements.define("request-pane", RequestPane);
