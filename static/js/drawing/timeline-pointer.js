/**
 * The pointer on the plot of a timeline: a click goes there, a drag chooses a span, on the axis it moves the view; the wheel
 * zooms with Ctrl and moves with Shift. Told by <time-line>, which hears of every change.
 */

import { AXIS } from "./timeline-paint.js";

/** Pixels that a press may move and still be a click. */
const STILL = 4;
/** How much a pixel of the wheel zooms, and how many pixels a line of it is. */
const ZOOM_RATE = 0.0025;
const WHEEL_LINE = 20;

/**
 * @typedef {object} PointerTold
 * @property {() => void} look cursor, span or view are others
 * @property {(x: number, y: number) => void} click
 * @property {(x: number, y: number) => void} hover pixels in the plot; below zero when the pointer has left
 */

export class TimelinePointer {
  /**
   * @param {HTMLElement} plot
   * @param {() => import("../model/timeline.js").Timeline} timeline
   * @param {PointerTold} told
   */
  constructor(plot, timeline, told) {
    this.plot = plot;
    this.timeline = timeline;
    this.told = told;
    /** Where a press began, and what it does. @type {{x: number, place: number, does: "click" | "span" | "pan"} | null} */
    this.press = null;
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"]) {
      plot.addEventListener(name, (event) => this.#pointer(/** @type {PointerEvent} */ (event)));
    }
    plot.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** @param {MouseEvent} event */
  #where(event) {
    const box = this.plot.getBoundingClientRect();
    const x = Math.min(Math.max(0, event.clientX - box.left), box.width);
    const { view } = this.timeline();
    return { x, y: event.clientY - box.top, box, place: view.from + (x / box.width) * view.length };
  }

  /** @param {PointerEvent} event */
  #pointer(event) {
    if (event.type === "pointerdown") this.#began(event);
    else if (event.type === "pointermove") this.#moved(event);
    else if (event.type === "pointerup") this.#ended(event);
    else {
      if (event.type === "pointercancel") this.press = null;
      this.told.hover(-1, -1);
    }
  }

  /** @param {PointerEvent} event */
  #began(event) {
    if (event.button !== 0) return;
    const { x, y, box, place } = this.#where(event);
    this.press = { x, place, does: y > box.height - AXIS ? "pan" : "click" };
    this.plot.setPointerCapture(event.pointerId);
    this.plot.focus({ preventScroll: true });
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const { x, y, place, box } = this.#where(event);
    const { press } = this;
    const timeline = this.timeline();
    if (press?.does === "click" && Math.abs(x - press.x) >= STILL) press.does = "span";
    if (press?.does === "span") timeline.span = { from: press.place, to: place };
    else if (press?.does === "pan") {
      timeline.view.pan(press.place - place);
    }
    if (press) this.told.look();
    else this.told.hover(x, y <= box.height - AXIS ? y : -1);
  }

  /** @param {PointerEvent} event */
  #ended(event) {
    const { press } = this;
    this.press = null;
    const { x, y } = this.#where(event);
    if (press?.does === "click") this.told.click(x, y);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const { view } = this.timeline();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : WHEEL_LINE;
    const { box, place } = this.#where(event);
    if (event.ctrlKey || event.metaKey) view.zoom(Math.exp(event.deltaY * unit * ZOOM_RATE), place);
    else {
      const along = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
      if (!event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      view.pan((along * unit * view.length) / box.width);
    }
    event.preventDefault();
    this.told.look();
  }
}
