/**
 * <time-line>: the events of all lanes over time, below them. Made by <stream-stage>, which gives it a session and draws it.
 * Dispatches "go" {lane, row}, "seek" {time}, and "span" {rows}: of each lane {from, to}, or null where none is chosen.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { onThemeChange } from "../drawing/theme-change.js";
import { COLUMN } from "../drawing/timeline-paint.js";
import { TimelinePlot } from "../drawing/timeline-plot.js";
import { TimelinePointer } from "../drawing/timeline-pointer.js";
import { fillTimeTable } from "../drawing/timeline-table.js";
import { drawNext } from "../model/frames.js";
import { Timeline } from "../model/timeline.js";
import { pressTimeline } from "../model/timeline-keys.js";
import { spanWords } from "../model/timeline-span.js";

const FOLDED = "timeline.folded";
/** Pages on which it is folded until somebody unfolds it. */
const FOLDED_FIRST = "(max-width: 700px)";
const KEYS =
  "Arrow keys go from event to event, with Shift they choose a span. Plus and minus zoom, 0 shows all, Enter goes there, Escape clears the span.";
/** Milliseconds between two drawings of the table while rows come. */
const TABLE_EVERY = 1000;

let timeLines = 0;

export class TimeLine extends HTMLElement {
  /** @type {import("../model/session.js").SessionModel | null} */
  #session = null;

  constructor() {
    super();
    this.timeline = new Timeline();
    /** The rows that were told to be chosen, and when the table was filled. */
    this.told = "null";
    this.tabled = -Infinity;
    this.timer = 0;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
    this.redraw = () => this.draw();
    this.forgetTheme = () => {};
    this.plot = new TimelinePlot();
    this.resized = new ResizeObserver(() => {
      this.plot.measure();
      drawNext(this.redraw);
    });
    this.labels = make("div", "time-labels");
    this.table = make("table", "time-table");
    this.tableBox = make("div", "time-table-box", this.table);
    this.body = make("div", "time-body", this.labels, this.plot.element, this.tableBox);
    this.note = make("span", "time-note");
    this.figures = make("span", "time-figures");
    this.fold = makeButton("quiet time-fold", "Timeline", () => {
      const folded = this.hasAttribute("data-folded") ? "no" : "yes";
      localStorage.setItem(FOLDED, folded);
      this.#fold(folded);
    });
    this.toSpan = makeButton("quiet", "zoom in", () => this.#zoomToSpan());
    this.clear = makeButton("quiet", "clear", () => this.#clearSpan());
    this.asTable = makeButton("quiet", "table", () => this.#setTable(this.tableBox.hidden));
    this.zooms = [this.asTable, this.#zoomButton("−", "Zoom out", 2), this.#zoomButton("+", "Zoom in", 0.5),
      this.#zoomButton("all", "The whole stream", Infinity)];
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    this.resized.observe(this.plot.element);
    this.forgetTheme = onThemeChange(() => {
      this.plot.repaint();
      drawNext(this.redraw);
    });
  }

  disconnectedCallback() {
    this.resized.disconnect();
    this.forgetTheme();
  }

  get session() {
    return this.#session;
  }

  set session(session) {
    this.#session = session;
    this.timeline = new Timeline();
    this.labels.replaceChildren();
    this.plot.painted = "";
    drawNext(this.redraw);
  }

  #build() {
    const { element } = this.plot;
    const hint = make("span", "unseen", KEYS);
    hint.id = `time-line-${++timeLines}-keys`;
    this.body.id = `time-line-${timeLines}`;
    this.fold.setAttribute("aria-controls", this.body.id);
    this.labels.setAttribute("aria-hidden", "true");
    this.figures.setAttribute("role", "status");
    this.asTable.title = "The same as a table";
    this.tableBox.tabIndex = 0;
    this.tableBox.setAttribute("role", "region");
    this.tableBox.setAttribute("aria-label", "Timeline as a table");
    element.tabIndex = 0;
    element.setAttribute("role", "slider");
    element.setAttribute("aria-label", "Place on the timeline");
    element.setAttribute("aria-describedby", hint.id);
    element.setAttribute("aria-valuemin", "0");
    for (const name of ["focus", "blur"]) element.addEventListener(name, this.redraw);
    element.addEventListener("keydown", (event) => this.#pressed(event));
    new TimelinePointer(element, () => this.timeline, {
      look: () => drawNext(this.redraw),
      click: (x, y) => this.#goTo(this.plot.rowAt(this.timeline, x, y), this.timeline.view.from + this.plot.pixels(this.timeline, x)),
      hover: (x, y) => {
        this.plot.hovered = { x, y };
        drawNext(this.redraw);
      },
    });
    this.append(
      make("div", "time-bar", this.fold, make("div", "time-told", this.note, this.figures, this.toSpan, this.clear),
        make("div", "time-zooms", ...this.zooms)),
      this.body, hint);
    this.#setTable(false);
    this.#fold(localStorage.getItem(FOLDED) ?? (matchMedia(FOLDED_FIRST).matches ? "yes" : "no"));
  }

  /** @param {string} sign @param {string} title @param {number} factor Infinity for all */
  #zoomButton(sign, title, factor) {
    const button = makeButton("quiet", sign, () => {
      const { view, middle } = this.timeline;
      if (factor === Infinity) view.showAll();
      else view.zoom(factor, middle);
      drawNext(this.redraw);
    });
    button.title = title;
    if (factor !== Infinity) button.setAttribute("aria-label", title);
    return button;
  }

  /** @param {string} folded yes or no */
  #fold(folded) {
    this.fold.setAttribute("aria-expanded", String(folded !== "yes"));
    this.toggleAttribute("data-folded", folded === "yes");
    reveal(this.body, folded !== "yes");
    drawNext(this.redraw);
  }

  /** @param {boolean} shown */
  #setTable(shown) {
    reveal(this.tableBox, shown);
    reveal(this.plot.element, !shown);
    reveal(this.labels, !shown);
    this.asTable.setAttribute("aria-pressed", String(shown));
    this.tabled = -Infinity;
    drawNext(this.redraw);
  }

  #zoomToSpan() {
    const { chosen, view } = this.timeline;
    if (chosen) view.show(chosen.from, chosen.to);
    drawNext(this.redraw);
  }

  #clearSpan() {
    this.timeline.span = null;
    drawNext(this.redraw);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { timeline } = this;
    const deed = pressTimeline(timeline, event, this.plot.pixels(timeline, COLUMN));
    if (deed === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (deed === "clear") this.#clearSpan();
    else if (deed === "go") this.#goTo(timeline.nearest(timeline.cursor, 0), timeline.cursor);
    drawNext(this.redraw);
  }

  /**
   * Be at a row, else at a place.
   * @param {import("../model/timeline.js").Found | null} found
   * @param {number} place
   */
  #goTo(found, place) {
    if (found) this.#tell("go", { lane: found.lane, row: found.row });
    else if (!this.timeline.byRow && !Number.isNaN(place)) this.#tell("seek", { time: place });
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  draw() {
    const session = this.#session;
    if (!session || session.lanes.length === 0) return;
    const { timeline } = this;
    timeline.follow(session);
    if (session.player.playing) timeline.view.reveal(timeline.playhead);
    if (this.labels.childElementCount !== timeline.bands.length) {
      this.labels.replaceChildren(...timeline.bands.map(({ label }) => make("span", "time-label", label)));
    }
    write(this.note, timeline.byRow ? "No times in this stream: drawn by row number." : "");
    this.#drawSpan();
    if (this.hasAttribute("data-folded")) return;
    if (this.tableBox.hidden) this.#drawPlot();
    else this.#drawTable(session);
    const moves = session.running && session.player.following && timeline.playhead > 0;
    if (moves && !this.reduced.matches) drawNext(this.redraw);
  }

  #drawPlot() {
    const { timeline, plot } = this;
    const { element } = plot;
    plot.draw(timeline, element.matches(":focus-visible"));
    const unit = timeline.byRow ? 1 : 1e6;
    const place = [timeline.cursor, timeline.playhead, timeline.end].find((each) => !Number.isNaN(each)) ?? 0;
    const found = timeline.nearest(timeline.cursor, 0);
    const words = found ? timeline.rowWords(found) : timeline.placeWords(place);
    describe(element, "aria-valuemax", (timeline.view.end / unit).toFixed(3));
    describe(element, "aria-valuenow", (Math.min(place, timeline.view.end) / unit).toFixed(3));
    describe(element, "aria-valuetext", words);
  }

  /** @param {import("../model/session.js").SessionModel} session */
  #drawTable(session) {
    clearTimeout(this.timer);
    const now = session.clock();
    const due = this.tabled + TABLE_EVERY - now;
    if (session.running && due > 0) {
      this.timer = window.setTimeout(this.redraw, due);
      return;
    }
    this.tabled = now;
    fillTimeTable(this.table, this.timeline);
  }

  /** The figures of the span that is chosen; whoever follows it is told when its rows are others. */
  #drawSpan() {
    const { timeline } = this;
    const { chosen, chosenRows, chosenFigures } = timeline;
    const edges = chosen ? `${timeline.placeWords(chosen.from)} – ${timeline.placeWords(chosen.to)}: ` : "";
    write(this.figures, chosenFigures ? edges + spanWords(chosenFigures) : "");
    reveal(this.toSpan, chosen !== null);
    reveal(this.clear, chosen !== null);
    const rows = JSON.stringify(chosenRows);
    if (rows === this.told) return;
    this.told = rows;
    this.#tell("span", { rows: chosenRows });
  }
}

/** Set an attribute only where that changes something. @param {Element} element @param {string} name @param {string} value */
function describe(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

customElements.define("time-line", TimeLine);
