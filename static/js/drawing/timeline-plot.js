/**
 * The plot of a timeline: the painted canvas, and over it the span, the playhead, the cursor of keys and the words of the
 * row under the pointer. What moves lies over the canvas, which is painted only when there is something new. Owned by
 * <time-line>.
 */

import { make, reveal, write } from "./dom.js";
import { boxOf, paintTimeline, readPalette } from "./timeline-paint.js";

/** Pixels around the pointer in which a row counts as hit. */
const REACH = 5;
/** How far above the pointer the words stand; below it where there is no room. */
const TIP = 28;

export class TimelinePlot {
  constructor() {
    this.surface = { width: 0, height: 0, ratio: 1 };
    /** @type {import("./timeline-paint.js").Palette | null} */
    this.palette = null;
    /** What was painted last. */
    this.painted = "";
    /** Pixels under the pointer, below zero where it is not on a band. */
    this.hovered = { x: -1, y: -1 };
    this.canvas = make("canvas", "time-canvas");
    this.ahead = make("div", "time-ahead");
    this.chosen = make("div", "time-chosen");
    this.cursor = make("div", "time-cursor");
    this.tip = make("div", "time-tip");
    this.element = make("div", "time-plot", this.canvas, this.ahead, this.chosen, this.cursor, this.tip);
    for (const drawn of this.element.children) drawn.setAttribute("aria-hidden", "true");
  }

  /** Look how much room there is. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.surface = { width, height, ratio: devicePixelRatio };
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.painted = "";
  }

  /** The page has other colours. */
  repaint() {
    this.palette = null;
  }

  /**
   * How much of the axis so many pixels are.
   * @param {import("../model/timeline.js").Timeline} timeline
   * @param {number} count
   */
  pixels(timeline, count) {
    return (count * timeline.view.length) / Math.max(1, this.surface.width);
  }

  /**
   * The row that is drawn at a spot.
   * @param {import("../model/timeline.js").Timeline} timeline
   * @param {number} x
   * @param {number} y
   */
  rowAt(timeline, x, y) {
    const place = timeline.view.from + this.pixels(timeline, x);
    const reach = this.pixels(timeline, REACH);
    for (const [band, { lane }] of timeline.bands.entries()) {
      const { top, height } = boxOf(timeline, this.surface.height, band);
      if (y < top) return timeline.nearestMark(place, reach, lane);
      if (y < top + height) return timeline.nearest(place, reach, band);
    }
    return null;
  }

  /**
   * @param {import("../model/timeline.js").Timeline} timeline
   * @param {boolean} keys whether keys stand on the plot
   */
  draw(timeline, keys) {
    const { surface } = this;
    const context = surface.width > 0 ? this.canvas.getContext("2d") : null;
    if (!context) return;
    const { view, tracks } = timeline;
    const lengths = tracks.map((track) => `${track.began}/${track.length}/${track.era}/${track.marks.length}/${track.lane.light.edition}`).join(" ");
    const state = `${view.from} ${view.to} ${surface.width} ${surface.height} ${lengths}`;
    if (state !== this.painted || !this.palette) {
      this.painted = state;
      this.palette ??= readPalette(this.element);
      paintTimeline(context, surface, timeline, this.palette);
    }
    this.#lay(this.ahead, timeline, timeline.playhead, Infinity);
    this.#lay(this.chosen, timeline, timeline.chosen?.from ?? NaN, timeline.chosen?.to ?? NaN);
    this.#lay(this.cursor, timeline, keys ? timeline.cursor : NaN, NaN);
    this.#drawTip(timeline);
  }

  /**
   * Put something over a stretch of the axis, as far as it is in sight; over a place where it has no end.
   * @param {HTMLElement} element
   * @param {import("../model/timeline.js").Timeline} timeline
   * @param {number} from NaN hides it
   * @param {number} to
   */
  #lay(element, { view }, from, to) {
    const scale = this.surface.width / view.length;
    const left = (from - view.from) * scale;
    const right = Math.min(this.surface.width, Number.isNaN(to) ? left : (to - view.from) * scale);
    const shown = right >= 0 && left <= this.surface.width;
    reveal(element, shown);
    if (!shown) return;
    const seen = Math.max(-2, left);
    element.style.transform = `translateX(${seen}px)`;
    if (!Number.isNaN(to)) element.style.width = `${Math.max(1, right - seen)}px`;
  }

  /** @param {import("../model/timeline.js").Timeline} timeline */
  #drawTip(timeline) {
    const { x, y } = this.hovered;
    const found = x < 0 || y < 0 ? null : this.rowAt(timeline, x, y);
    reveal(this.tip, found !== null);
    this.element.classList.toggle("on-row", found !== null);
    if (!found) return;
    write(this.tip, timeline.rowWords(found));
    const room = this.surface.width - this.tip.offsetWidth;
    this.tip.style.transform = `translate(${Math.max(0, Math.min(room, x + 10))}px, ${y < TIP ? y + TIP / 2 : y - TIP}px)`;
  }
}
