/**
 * <findings-pane>: what is wrong with a lane, a card a rule, the worst first; those are dimmed that come later than where
 * the player stands. A pane of <lane-tabs>. Dispatches "go" {lane, row}, "finding" {lane, by} and "filter" {lane, query}.
 */

import { FindingCard } from "../drawing/finding-card.js";
import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { count, counted } from "../model/figures.js";
import { bySeverity, countWords } from "../model/findings.js";
import { drawNext } from "../model/frames.js";
import { RuleBook } from "../model/rule-book.js";

export class FindingsPane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    this.index = 0;
    this.book = new RuleBook();
    /** @type {Map<import("../model/findings.js").Finding, FindingCard>} */
    this.cards = new Map();
    this.order = "";
    this.redraw = () => this.draw();
    this.tools = make("div", "pane-tools");
    this.sum = make("p", "findings-sum");
    this.list = make("ul", "findings-list");
    this.limits = make("details", "findings-limits");
    this.scroller = make("div", "findings-scroller", this.sum, this.list, this.limits);
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} index
   * @param {import("./stream-lane.js").StageLinks} links
   */
  show(lane, index, links) {
    this.lane = lane;
    this.index = index;
    this.book = links.rules ?? this.book;
  }

  connectedCallback() {
    if (this.firstChild) return;
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "group");
    this.scroller.setAttribute("aria-label", "Findings");
    const step = (/** @type {string} */ label, /** @type {number} */ by, /** @type {string} */ key) => {
      const button = makeButton("quiet", label, () => this.#tell("finding", { lane: this.index, by }));
      button.title = `${by < 0 ? "Previous" : "Next"} finding, key ${key}`;
      return button;
    };
    this.tools.append(step("previous", -1, "["), step("next", 1, "]"));
    if (this.book.address) {
      const all = make("a", "quiet", "all rules");
      all.href = this.book.address;
      this.tools.append(all);
    }
    this.limits.append(make("summary", "", "Thresholds of the rules over time and sums"), make("dl", "limits-list",
      ...this.book.thresholds.map(([name, value, says]) => make("div", "", make("dt", "mono", name), make("dd", "", make("b", "", String(value)), ` ${says}`)))));
    this.append(this.scroller);
  }

  draw() {
    const { lane } = this;
    if (!lane) return;
    const { shown, findings } = lane;
    const found = findings.list.toSorted(bySeverity);
    const here = new Set(findings.at(shown));
    for (const finding of found) this.#card(finding).update(here.has(finding));
    const order = found.map(({ number }) => number).join();
    if (order !== this.order) {
      this.order = order;
      this.list.replaceChildren(...found.map((finding) => this.#card(finding).element));
    }
    reveal(this.list, found.length > 0);
    reveal(this.limits, this.book.thresholds.length > 0);
    write(this.sum, found.length > 0 ? this.#sumWords(lane, here.size) : this.#emptyWords(lane));
  }

  /** @param {import("../model/findings.js").Finding} finding */
  #card(finding) {
    let card = this.cards.get(finding);
    if (!card) {
      card = new FindingCard(finding, this.book, {
        go: (row) => this.#tell("go", { lane: this.index, row }),
        filter: (rule) => this.#tell("filter", { lane: this.index, query: rule }),
        redraw: () => drawNext(this.redraw),
      });
      this.cards.set(finding, card);
    }
    return card;
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} here how many there are where the player stands
   */
  #sumWords({ findings, rows, open, shown }, here) {
    const rules = findings.list.length;
    const sum = `${countWords(findings.counts())}: ${rules} of ${this.#looking} ${rules === 1 ? "has" : "have"} something to say about ${counted(rows.length, "row")}`;
    if (shown.past && here < rules) return `${sum}, ${here || "none"} of them up to here.`;
    return open ? `${sum} so far. Some speak when the stream is over.` : `${sum}.`;
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #emptyWords({ catchingUp, open, rows, end }) {
    const seen = counted(rows.length, "row");
    if (catchingUp) return "Loading what was kept.";
    if (open && rows.length === 0) return `Nothing came yet. ${this.#looking} will look at every row as it comes.`;
    if (open) return `Nothing is wrong so far. ${this.#looking} look at every row as it comes, some of them when the stream is over.`;
    if (end?.how === "stopped") return `Nothing is wrong with the ${seen} that came: ${this.#looking} looked at them. An end that is missing is no fault where a person stopped.`;
    return `Nothing is wrong with this stream: ${this.#looking} looked at its ${seen}.`;
  }

  get #looking() {
    return `${count(this.book.size)} rules`;
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define("findings-pane", FindingsPane);
