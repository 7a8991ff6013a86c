/**
 * <stream-stage>: the lanes of a session. The page sets `session` and `links`; what the template put inside is shown
 * while there is no session. Where there is no room for all, a chooser picks the lane, and Wire is a tab.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { drawNext } from "../model/frames.js";
import { rowAddress } from "../model/row-address.js";

const SPLIT = "stage.split";
/** Pixels that a lane wants beside others, and below which Said and Wire of one lane are shown one at a time. */
const LANE_WIDTH = 280;
const PANES_WIDTH = 560;
/** A page as narrow as a telephone's, whatever the stage gets of it. */
const NARROW_PAGE = "(max-width: 700px)";

/** @typedef {import("./stream-lane.js").StreamLane} StreamLane */
/** @typedef {CustomEvent<{rows: import("../model/timeline-span.js").SpanRows[] | null}>} SpanEvent */

export class StreamStage extends HTMLElement {
  /** @type {import("../model/session.js").SessionModel | null} */
  #session = null;
  #forget = () => {};

  constructor() {
    super();
    /** @type {import("./stream-lane.js").StageLinks} */
    this.links = { bytes: async () => new Uint8Array(0), media: () => "", preview: () => "" };
    /** @type {StreamLane[]} */
    this.lanes = [];
    /** The tab that was chosen last, Wire left out. */
    this.pane = "said";
    /** @type {Node[]} */
    this.teaching = [];
    this.redraw = () => this.draw();
    this.resized = new ResizeObserver(() => this.#measure());
    this.notice = make("p", "stage-notice");
    this.laneButtons = make("div", "stage-lanes-chooser");
    this.row = make("div", "stage-lanes");
    const chooser = make("div", "stage-chooser", this.laneButtons);
    this.player = /** @type {import("./player-bar.js").PlayerBar} */ (document.createElement("player-bar"));
    /** The row at which the player stood when it was last drawn, and what is to be said in the notice. */
    this.stood = "";
    this.told = "";
    this.timeLine = /** @type {import("./time-line.js").TimeLine} */ (document.createElement("time-line"));
    this.built = make("div", "stage", this.notice, chooser, this.row, this.player, this.timeLine);
    this.notice.setAttribute("role", "status");
    this.laneButtons.setAttribute("role", "group");
    this.laneButtons.setAttribute("aria-label", "Lane");
    this.laneButtons.classList.add("modes");
    this.row.addEventListener("pane", (event) => this.choosePane(/** @type {CustomEvent<string>} */ (event).detail));
    this.row.addEventListener("finding", (event) => {
      const { lane, by } = /** @type {CustomEvent<{lane: number, by: 1 | -1}>} */ (event).detail;
      this.moveFinding(by, lane);
    });
    this.row.addEventListener("filter", (event) => {
      const { lane, query } = /** @type {CustomEvent<{lane: number, query: string}>} */ (event).detail;
      if (this.hasAttribute("data-one-pane")) this.choosePane("wire");
      this.lanes[lane].wire.filter.set(query);
    });
    this.row.addEventListener("light", () => drawNext(this.timeLine.redraw));
    this.row.addEventListener("split", (event) => this.#split(/** @type {CustomEvent<number>} */ (event).detail));
    this.row.addEventListener("reveal", (event) => this.#reveal(/** @type {CustomEvent<{row: number}>} */ (event)));
    this.row.addEventListener("row", (event) => this.#chosen(/** @type {CustomEvent<{row: number}>} */ (event)));
    this.built.addEventListener("go", (event) => this.go(/** @type {CustomEvent} */ (event).detail));
    this.built.addEventListener("seek", (event) => this.#session?.player.seek(/** @type {CustomEvent} */ (event).detail.time));
    this.player.addEventListener("note", () => this.note());
    this.timeLine.addEventListener("span", (event) => this.#span(/** @type {SpanEvent} */ (event).detail.rows));
  }

  connectedCallback() {
    if (this.teaching.length === 0) this.teaching = [...this.childNodes];
    this.choosePane(this.dataset.pane ?? "said");
    this.resized.observe(this);
    this.#watch();
  }

  disconnectedCallback() {
    this.resized.disconnect();
    this.#forget();
  }

  get session() {
    return this.#session;
  }

  set session(session) {
    this.#forget();
    this.#session = session;
    this.lanes = [];
    this.row.replaceChildren();
    this.laneButtons.replaceChildren();
    this.timeLine.session = session;
    this.player.show(session);
    this.stood = this.told = "";
    if (this.isConnected) this.#watch();
  }

  #watch() {
    this.#forget();
    const session = this.#session;
    if (!session) {
      if (this.built.isConnected) this.replaceChildren(...this.teaching);
      return;
    }
    if (!this.built.isConnected) this.replaceChildren(this.built);
    const unsubscribe = session.subscribe(this.redraw);
    this.#forget = () => {
      unsubscribe();
      this.#forget = () => {};
    };
    this.draw();
  }

  #measure() {
    const width = this.clientWidth;
    const narrow = matchMedia(NARROW_PAGE).matches;
    this.toggleAttribute("data-one-lane", this.lanes.length > 1 && (narrow || width < this.lanes.length * LANE_WIDTH));
    this.toggleAttribute("data-one-pane", narrow || width < PANES_WIDTH);
  }

  draw() {
    const session = this.#session;
    if (!session) return;
    while (this.lanes.length < session.lanes.length) this.#addLane(session, this.lanes.length);
    for (const lane of this.lanes) lane.redraw();
    this.#follow(session.player.row);
    drawNext(this.player.redraw);
    drawNext(this.timeLine.redraw);
    const lost = session.touch === "reconnecting" ? "The connection to this server was lost. Trying again." : "";
    write(this.notice, session.problem?.message ?? (lost || this.told));
    reveal(this.notice, this.notice.textContent !== "");
  }

  /**
   * @param {import("../model/session.js").SessionModel} session
   * @param {number} index
   */
  #addLane(session, index) {
    const lane = /** @type {StreamLane} */ (document.createElement("stream-lane"));
    this.lanes.push(lane);
    this.row.append(lane);
    lane.show(session.lanes[index], index, this.links);
    lane.wire.address = (row) => new URL(rowAddress(index, row, session.lanes.length), location.href).href;
    lane.wire.noteOf = (row) => session.markers.ofRow(index, row).map(({ note }) => note).join(" · ");
    this.laneButtons.append(makeButton("mode", session.lanes[index].facts.format, () => this.chooseLane(index)));
    this.built.dataset.count = String(this.lanes.length);
    reveal(this.laneButtons, this.lanes.length > 1);
    this.chooseLane(Math.min(Number(this.dataset.lane ?? 0), this.lanes.length - 1));
    this.choosePane(this.dataset.pane ?? this.pane);
    this.#measure();
    this.#split(Number(localStorage.getItem(SPLIT)) || 0.5);
  }

  /** The row to which the player went is the current one of its lane. @param {{lane: number, row: number} | null} stands */
  #follow(stands) {
    const stood = JSON.stringify(stands);
    if (stood === this.stood) return;
    this.stood = stood;
    if (stands) this.lanes[stands.lane]?.wire.come(stands.row);
  }

  /**
   * Stand where a row has just come, which is the current one then; `open` shows what is in it.
   * @param {{lane: number, row: number, open?: boolean}} where indexes
   */
  go({ lane, row, open = false }) {
    if (!this.#session?.player.goTo(lane, row)) return;
    this.told = "";
    this.chooseLane(lane);
    if (open) {
      this.choosePane("wire");
      this.lanes[lane].wire.come(row, true);
    }
    this.#tellChosen(lane, row);
  }

  /** Say something above the lanes until there is another session. @param {string} words */
  tell(words) {
    this.told = words;
    drawNext(this.redraw);
  }

  /** Have a row in sight that another pane of its lane speaks of. @param {CustomEvent<{row: number}>} event */
  #reveal(event) {
    const lane = this.lanes.find((each) => each.contains(/** @type {Node} */ (event.target)));
    lane?.wire.come(event.detail.row);
  }

  /** @param {CustomEvent<{row: number}>} event */
  #chosen(event) {
    const lane = this.lanes.findIndex((each) => each.contains(/** @type {Node} */ (event.target)));
    if (lane >= 0) this.#tellChosen(lane, event.detail.row);
  }

  /** @param {number} lane @param {number} row */
  #tellChosen(lane, row) {
    this.dispatchEvent(new CustomEvent("chosen", { detail: { lane, row } }));
  }

  /** A stretch of the timeline was chosen: each Wire shows its rows of it. @param {SpanEvent["detail"]["rows"]} rows */
  #span(rows) {
    for (const [index, lane] of this.lanes.entries()) lane.wire.showSpan(rows?.[index] ?? null);
  }

  /** Where only one lane has room, show this one. @param {number} index */
  chooseLane(index) {
    this.dataset.lane = String(index);
    this.lanes.forEach((lane, place) => lane.toggleAttribute("data-chosen", place === index));
    for (const [place, button] of [...this.laneButtons.children].entries()) {
      button.setAttribute("aria-pressed", String(place === index));
    }
  }

  /** Show this pane in every lane; Wire stands beside it where there is room. @param {string} pane name of a tab */
  choosePane(pane) {
    this.dataset.pane = pane;
    if (pane !== "wire") this.pane = pane;
    for (const lane of this.lanes) lane.tabs.choose(this.pane, pane === "wire");
  }

  /** @param {number} share */
  #split(share) {
    this.row.style.setProperty("--said-share", String(share));
    for (const lane of this.lanes) lane.splitter.show(share);
    if (share === 0.5) localStorage.removeItem(SPLIT);
    else localStorage.setItem(SPLIT, share.toFixed(3));
  }

  /** The Wire pane that keys go to: the one with the focus, else the chosen lane's. */
  get #wire() {
    const focused = this.lanes.find((lane) => lane.contains(document.activeElement));
    return (focused ?? this.lanes[Number(this.dataset.lane ?? 0)])?.wire;
  }

  /** Go to the nearest row with a finding behind or before the current one. @param {1 | -1} by @param {number} lane where */
  moveFinding(by, lane = this.#withFindings) {
    const pane = this.lanes[lane]?.wire;
    const from = by < 0 && pane?.current === -1 ? Infinity : (pane?.current ?? -1);
    const row = pane?.lane?.findings.next(from, by) ?? -1;
    if (row >= 0) this.go({ lane, row });
    else this.tell(from >= 0 && from < Infinity ? `There is no finding ${by > 0 ? "behind" : "before"} row ${from + 1}.` : "No row has a finding.");
  }

  /** The lane that keys go to, or the first with findings where that one has none. */
  get #withFindings() {
    const focused = this.lanes.findIndex((lane) => lane.contains(document.activeElement));
    const place = focused >= 0 ? focused : Number(this.dataset.lane ?? 0);
    const found = (/** @type {StreamLane} */ lane) => (lane.wire.lane?.findings.marks ?? 0) > 0;
    if (focused >= 0 || (this.lanes[place] && found(this.lanes[place]))) return place;
    return Math.max(0, this.lanes.findIndex(found));
  }

  focusFilter() {
    this.choosePane("wire");
    this.#wire?.filter.focus();
  }

  /** Ask for a note at the current row of the lane that has the focus, else at the last one in view. */
  note() {
    const lane = this.lanes.findIndex(({ wire }) => wire === this.#wire);
    const model = this.#session?.lanes[lane];
    if (!model || model.shown.rows === 0) return;
    const { current } = this.lanes[lane].wire;
    this.player.markers.note(lane, current >= 0 && current < model.shown.rows ? current : model.shown.rows - 1);
  }

  /** Move the current row of the lane that has the focus. @param {number} by */
  moveRow(by) {
    this.#wire?.move(by);
  }

  /** Go to the next lit row, or with -1 to the previous one. @param {1 | -1} by */
  moveLit(by) {
    this.#wire?.lit.move(by);
  }

  /** Open or close its current row. */
  toggleRow() {
    this.#wire?.toggle();
  }
}

customElements.define("stream-stage", StreamStage);
