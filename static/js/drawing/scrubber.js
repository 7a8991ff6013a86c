/**
 * The track of the player: how dense the rows are along its axis, marks on it, and the handle. The canvas is painted only
 * when there is something new; the handle lies over it. Owned by <player-bar>, which hears of every place that is chosen.
 */

import { make, reveal } from "./dom.js";

/** Pixels of a column of the density, and of the space between two. */
const COLUMN_WIDTH = 2;
const COLUMN_GAP = 1;

/** @typedef {{place: number, tone: string, title: string}} ScrubberMark a place on the axis, and what stands there */

/**
 * How many rows stand in each of so many equal stretches of the axis.
 * @param {import("../model/axis.js").Axis} axis
 * @param {number} columns
 */
function densityOf(axis, columns) {
  const counts = new Uint32Array(columns);
  const { end, timed } = axis;
  for (const [index, { rows, steps }] of axis.lanes.entries()) {
    const shift = timed ? axis.shift(index) : 0;
    let before = 0;
    for (let column = 0; column < columns; column++) {
      const place = column === columns - 1 ? end : ((column + 1) * end) / columns;
      const step = timed ? steps.clock.rank(place - shift) - 1 : -1;
      const behind = timed ? (step >= 0 ? steps.rows.at(step) : 0) : Math.min(rows.length, Math.floor(place));
      counts[column] += behind - before;
      before = behind;
    }
  }
  return counts;
}

export class Scrubber {
  /** @param {(place: number) => void} choose */
  constructor(choose) {
    this.choose = choose;
    /** Where the axis ends. */
    this.end = 0;
    this.surface = { width: 0, height: 0 };
    this.painted = "";
    this.marksDrawn = "";
    this.canvas = make("canvas", "scrub-canvas");
    this.past = make("div", "scrub-past");
    this.handle = make("div", "scrub-handle");
    this.marks = make("div", "scrub-marks");
    this.element = make("div", "scrub", this.canvas, this.past, this.marks, this.handle);
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "slider");
    this.element.setAttribute("aria-label", "Moment");
    this.element.setAttribute("aria-valuemin", "0");
    this.element.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.#point(event);
    });
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    this.#point(event);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.element.getBoundingClientRect();
    this.choose((Math.min(Math.max(0, event.clientX - box.left), box.width) / box.width) * this.end);
  }

  /** Look how much room there is. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.surface = { width, height };
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.repaint();
  }

  /** The page has other colours. */
  repaint() {
    this.painted = "";
  }

  /**
   * @param {import("../model/axis.js").Axis} axis
   * @param {number} place
   * @param {ScrubberMark[]} marks
   */
  draw(axis, place, marks) {
    const { width } = this.surface;
    this.end = axis.end;
    const rows = axis.lanes.map((lane) => lane.rows.length).join(" ");
    const state = `${this.end} ${rows} ${axis.timed}`;
    if (state !== this.painted && width > 0) {
      this.painted = state;
      this.#paint(axis);
    }
    const x = this.end > 0 ? (Math.min(place, this.end) / this.end) * width : 0;
    this.handle.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.past.style.transform = `scaleX(${width > 0 ? x / width : 0})`;
    this.#drawMarks(marks);
  }

  /** @param {import("../model/axis.js").Axis} axis */
  #paint(axis) {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const { width, height } = this.surface;
    const counts = densityOf(axis, Math.max(1, Math.floor(width / (COLUMN_WIDTH + COLUMN_GAP))));
    const most = Math.log1p(Math.max(1, ...counts));
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = getComputedStyle(this.canvas).color;
    for (const [column, count] of counts.entries()) {
      if (count === 0) continue;
      const tall = Math.max(2, Math.round((Math.log1p(count) / most) * (height - 4)));
      context.fillRect((column * width) / counts.length, height - tall, COLUMN_WIDTH, tall);
    }
  }

  /** @param {ScrubberMark[]} marks */
  #drawMarks(marks) {
    const state = `${this.end} ${marks.map(({ place, tone, title }) => `${place} ${tone} ${title}`).join("\n")}`;
    if (state === this.marksDrawn) return;
    this.marksDrawn = state;
    this.marks.replaceChildren(
      ...marks.map(({ place, tone, title }) => {
        const mark = make("span", `scrub-mark ${tone}`);
        mark.style.setProperty("left", `${this.end > 0 ? (100 * place) / this.end : 0}%`);
        mark.title = title;
        return mark;
      }),
    );
    reveal(this.marks, marks.length > 0);
  }
}
