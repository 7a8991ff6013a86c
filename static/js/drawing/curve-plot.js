/**
 * The cumulative curve as SVG: events over time, a step up where a read brought some. Used by the Latency pane, which has
 * the same in a table beside it.
 */

import { count, duration } from "../model/figures.js";
import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 160;

/** @param {string} tag @param {Record<string, string | number>} attributes */
function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export class CurvePlot {
  constructor() {
    this.line = draw("path", { class: "curve-line", "vector-effect": "non-scaling-stroke" });
    this.area = draw("path", { class: "curve-area" });
    this.svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    const half = draw("path", { class: "curve-grid", d: `M0 ${HEIGHT / 2}H${WIDTH}`, "vector-effect": "non-scaling-stroke" });
    this.svg.append(half, this.area, this.line);
    this.top = make("span", "curve-top");
    this.end = make("span", "");
    this.element = make("div", "curve", this.top, make("div", "curve-axis", make("span", "", "0"), this.end));
    this.element.insertBefore(this.svg, this.element.lastChild);
  }

  /** @param {[time: number, events: number][]} points at least one @param {string} told what it shows, in words */
  show(points, told) {
    const [end, events] = points[points.length - 1];
    const x = (/** @type {number} */ time) => ((time / (end || 1)) * WIDTH).toFixed(1);
    const y = (/** @type {number} */ total) => (HEIGHT - (total / events) * (HEIGHT - 4)).toFixed(1);
    const path = `M0 ${HEIGHT}${points.map(([time, total]) => `H${x(time)}V${y(total)}`).join("")}`;
    this.line.setAttribute("d", path);
    this.area.setAttribute("d", `${path}V${HEIGHT}Z`);
    this.svg.setAttribute("aria-label", told);
    this.top.textContent = `${count(events)} events`;
    this.end.textContent = duration(end);
  }
}
