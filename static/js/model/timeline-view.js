/**
 * Which stretch of the axis is seen: zoomed, moved, or all of it. Places on the axis are microseconds of session time,
 * or row numbers. While it grows its end goes in steps, so that nothing trembles. Used by timeline.js.
 */

import { count } from "./figures.js";

/** Ends that a growing axis has, times a power of ten. */
const ENDS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** A stretch that is seen is at least so long, and a growing axis: microseconds, and rows. */
const LEAST_SEEN = { time: 200, rows: 4 };
const BEGINNING = { time: 500_000, rows: 20 };
/** Pixels between two labels at least. */
const LABEL_ROOM = 76;
const MINUTE = 60e6;

/** @param {number} value @param {number[]} of rising, the last one 10 */
function roundUp(value, of) {
  const power = 10 ** Math.floor(Math.log10(value));
  return (of.find((one) => one * power >= value * (1 - 1e-12)) ?? 10) * power;
}

export class TimelineView {
  constructor() {
    /** @type {"time" | "rows"} */
    this.unit = "time";
    /** Where the axis ends. */
    this.end = BEGINNING.time;
    /** The stretch that was asked for, null for all. @type {{from: number, to: number} | null} */
    this.part = null;
  }

  get from() {
    return this.part?.from ?? 0;
  }

  get to() {
    return this.part?.to ?? this.end;
  }

  get length() {
    return this.to - this.from;
  }

  /**
   * @param {number} last where the last row stands
   * @param {boolean} running whether more may come
   * @param {"time" | "rows"} unit
   */
  grow(last, running, unit) {
    if (unit !== this.unit) this.part = null;
    this.unit = unit;
    const least = Math.max(last * 1.005, LEAST_SEEN[unit]);
    this.end = running ? roundUp(Math.max(least, BEGINNING[unit]), ENDS) : least;
    if (this.part && this.part.from >= this.end) this.part = null;
  }

  /**
   * See a stretch: as long as it can be, and inside the axis.
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const length = Math.max(to - from, Math.min(LEAST_SEEN[this.unit], this.end));
    if (length >= this.end) this.part = null;
    else {
      const begin = Math.min(Math.max(0, from + (to - from - length) / 2), this.end - length);
      this.part = { from: begin, to: begin + length };
    }
  }

  showAll() {
    this.part = null;
  }

  /**
   * @param {number} factor below 1 to see less of it, larger
   * @param {number} around the place that stays where it is
   */
  zoom(factor, around) {
    const least = Math.min(LEAST_SEEN[this.unit], this.end) / this.length;
    const held = Math.max(factor, least);
    this.show(around - (around - this.from) * held, around + (this.to - around) * held);
  }

  /** @param {number} by */
  pan(by) {
    if (!this.part) return;
    const { length } = this;
    const from = Math.min(Math.max(0, this.from + by), this.end - length);
    this.part = { from, to: from + length };
  }

  /** Move as little as needed to see a place. @param {number} place */
  reveal(place) {
    if (place < this.from) this.pan(place - this.from - this.length / 10);
    else if (place > this.to) this.pan(place - this.to + this.length / 10);
  }

  /**
   * Where the labels stand, at round places.
   * @param {number} width pixels
   * @returns {{place: number, label: string}[]}
   */
  labels(width) {
    const wanted = (this.length * LABEL_ROOM) / Math.max(width, LABEL_ROOM);
    const step = this.unit === "time" ? roundTime(wanted) : Math.max(1, roundUp(wanted, [1, 2, 5, 10]));
    const first = Math.max(0, Math.ceil(this.from / step - 1e-9));
    const labels = [];
    for (let number = first; number * step <= this.to; number++) {
      const place = number * step;
      labels.push({ place, label: this.unit === "time" ? timeLabel(place, step) : count(place) });
    }
    return labels;
  }
}

/** A round time: 1, 2, 5 times a power of ten below a minute, whole parts of minutes and hours above. @param {number} time */
function roundTime(time) {
  if (time <= 20e6) return roundUp(Math.max(time, 1), [1, 2, 5, 10]);
  return [30, 60, 120, 300, 600, 1200, 1800, 3600].map((seconds) => seconds * 1e6).find((one) => one >= time)
    ?? Math.ceil(time / 3600e6) * 3600e6;
}

/**
 * 0.5 s, 312.4 ms, 2:30 min: as many decimals as the step needs.
 * @param {number} time
 * @param {number} step
 */
export function timeLabel(time, step) {
  if (time >= MINUTE) {
    const [seconds, ...rest] = ((time % MINUTE) / 1e6).toFixed(decimals(step / 1e6)).split(".");
    return `${Math.floor(time / MINUTE)}:${[seconds.padStart(2, "0"), ...rest].join(".")} min`;
  }
  return step >= 1000 ? `${(time / 1e6).toFixed(decimals(step / 1e6))} s` : `${(time / 1000).toFixed(decimals(step / 1000))} ms`;
}

/** @param {number} step */
function decimals(step) {
  return Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
}
