/**
 * <latency-pane>: when things came, as of the moment where the player stands: figures with their definitions, the gaps in
 * classes, the cumulative curve, and every row's time as CSV. A pane of <lane-tabs>.
 */

import { CurvePlot } from "../drawing/curve-plot.js";
import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { count, counted, duration } from "../model/figures.js";
import { drawNext } from "../model/frames.js";
import { GAP_CLASSES, cumulative, gapHistogram, timeOfShare, timesCsv } from "../model/latency.js";
import { latencyLines } from "../model/latency-lines.js";

/** Milliseconds between two drawings: all gaps are put in order for each. */
const DRAWN_EVERY = 250;
const STALL_SECONDS = 10;
/** Shares of the events whose times stand in the table beside the curve. */
const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** The upper bound of a class of gaps: 200 µs, 50 ms, 2 s. @param {number} bound */
function boundWord(bound) {
  if (bound < 1000) return `${bound} µs`;
  return bound < 1e6 ? `${bound / 1000} ms` : `${bound / 1e6} s`;
}

export class LatencyPane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    this.stall = STALL_SECONDS;
    this.drawnAt = -Infinity;
    this.state = "";
    this.timer = 0;
    this.redraw = () => this.draw();
    this.tools = make("div", "pane-tools", makeButton("quiet", "download CSV", () => this.#download()));
    this.note = make("p", "latency-note");
    this.figures = make("dl", "latency-figures");
    this.histogram = make("table", "latency-gaps");
    this.curve = new CurvePlot();
    this.shares = make("table", "latency-shares");
    this.drawings = make("div", "latency-drawings",
      make("section", "", make("h2", "", "Events over time"), this.curve.element, this.shares),
      make("section", "", make("h2", "", "Gaps"), this.histogram));
    this.scroller = make("div", "latency-scroller", this.note, this.figures, this.drawings);
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} _index
   * @param {import("./stream-lane.js").StageLinks} links
   */
  show(lane, _index, links) {
    this.lane = lane;
    this.stall = links.rules?.thresholds.find(([name]) => name === "stall")?.[1] ?? STALL_SECONDS;
  }

  connectedCallback() {
    if (!this.firstChild) this.append(this.scroller);
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "group");
    this.scroller.setAttribute("aria-label", "Latency");
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  draw() {
    const { lane } = this;
    if (!lane) return;
    const { shown } = lane;
    const state = [shown.step, shown.rows, shown.finish.length, shown.open, lane.catchingUp].join();
    if (state === this.state) return;
    const wait = this.drawnAt + DRAWN_EVERY - performance.now();
    clearTimeout(this.timer);
    if (wait > 0) {
      this.timer = window.setTimeout(() => drawNext(this.redraw), wait);
      return;
    }
    this.drawnAt = performance.now();
    this.state = state;
    const gaps = lane.latency.gaps(shown.step);
    this.#drawFigures(latencyLines(shown, gaps, this.stall));
    this.#drawGaps(gaps);
    this.#drawCurve(shown);
    write(this.note, this.#noteWords(lane, shown));
  }

  /** @param {import("../model/latency-lines.js").FigureLine[]} lines */
  #drawFigures(lines) {
    const { figures } = this;
    while (figures.children.length < lines.length) {
      const { name, standard } = lines[figures.children.length];
      const says = make("dd", "latency-says", make("span", ""), ...(standard ? [" ", make("code", "latency-standard", standard)] : []));
      figures.append(make("div", "", make("dt", "", name), make("dd", "latency-value"), says));
    }
    lines.forEach(({ value, says }, place) => {
      const [, valueCell, saysCell] = figures.children[place].children;
      write(valueCell, value);
      if (saysCell.firstElementChild) write(saysCell.firstElementChild, says);
    });
  }

  /** @param {Float64Array} gaps in order */
  #drawGaps(gaps) {
    const counts = gapHistogram(gaps);
    const first = counts.findIndex((number) => number > 0);
    const last = counts.findLastIndex((number) => number > 0);
    const most = Math.max(...counts);
    const rows = counts.slice(Math.max(0, first), last + 1).map((number, place) => {
      const at = Math.max(0, first) + place;
      const label = at < GAP_CLASSES.length ? `below ${boundWord(GAP_CLASSES[at])}` : "10 s and above";
      const bar = make("span", "latency-bar");
      bar.style.setProperty("--share", String(number / most));
      const name = make("th", "", label);
      name.scope = "row";
      return make("tr", "", name, make("td", "number", count(number)), make("td", "latency-bar-cell", bar));
    });
    this.histogram.replaceChildren(make("caption", "unseen", "How many gaps there are, by length"), make("tbody", "", ...rows));
    reveal(/** @type {HTMLElement} */ (this.histogram.parentElement), gaps.length > 0);
  }

  /** @param {import("../model/shown.js").Shown} shown */
  #drawCurve(shown) {
    const points = cumulative(shown);
    reveal(/** @type {HTMLElement} */ (this.curve.element.parentElement), points.length > 0);
    if (points.length === 0) return;
    const share = (/** @type {number} */ part) => duration(timeOfShare(shown, part));
    this.curve.show(points, `Events over time: half of them by ${share(0.5)}, nine of ten by ${share(0.9)}, all ${count(points[points.length - 1][1])} by ${share(1)}`);
    const cells = (/** @type {(part: number) => HTMLElement} */ cell) => make("tr", "", ...SHARES.map(cell));
    const heads = cells((part) => {
      const head = make("th", "", `${Math.round(part * 100)} %`);
      head.scope = "col";
      return head;
    });
    this.shares.replaceChildren(make("caption", "unseen", "When a share of the events had come"),
      make("thead", "", heads), make("tbody", "", cells((part) => make("td", "", share(part)))));
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {import("../model/shown.js").Shown} shown
   */
  #noteWords(lane, shown) {
    if (lane.catchingUp) return "Loading what was kept.";
    if (lane.latency.untimed && lane.latency.busy.length === 0) return "The times of this stream are unknown: what was saved had none. Streams that are run here have them.";
    if (shown.rows === 0) return "Nothing came yet. Times are counted from when the request was written.";
    const where = shown.past ? `As of row ${count(shown.rows)}. ` : "";
    const unknown = lane.latency.untimed ? "Some reads have no time and are left out. " : "";
    return `${where}${unknown}Times since the request was written, from ${counted(lane.latency.busy.rank(shown.step), "read")} with events. Rows of one read share its time: no gap is made up between them.`;
  }

  #download() {
    const { lane } = this;
    if (!lane) return;
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([timesCsv(lane.whole)], { type: "text/csv" }));
    link.download = `${lane.facts.format}-${lane.facts.lane + 1}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}

customElements.define("latency-pane", LatencyPane);
