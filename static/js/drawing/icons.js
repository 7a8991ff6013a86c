/** Small signs drawn as shapes, so that every system shows the same ones. Used by the player's bar. */

const SVG = "http://www.w3.org/2000/svg";

/** Outlines in a box of 12 by 12. @type {Record<string, string>} */
const OUTLINES = {
  start: "M2 2h1.5v8H2zM10 2v8L4 6z",
  back: "M9.5 2v8l-5-4zM2.5 2H4v8H2.5z",
  play: "M3 1.5v9L10.5 6z",
  pause: "M2.5 2h2.6v8H2.5zM6.9 2h2.6v8H6.9z",
  forward: "M2.5 2v8l5-4zM8 2h1.5v8H8z",
  end: "M8.5 2H10v8H8.5zM2 2v8l6-4z",
  flag: "M2.5 1H4v10H2.5zM4 1.5h6.5L8.6 4l1.9 2.5H4z",
};

/** @param {keyof typeof OUTLINES} name */
export function makeIcon(name) {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "0 0 12 12");
  icon.setAttribute("class", "sign");
  icon.setAttribute("aria-hidden", "true");
  icon.append(document.createElementNS(SVG, "path"));
  drawIcon(icon, name);
  return icon;
}

/** Draw another shape into an icon. @param {Element} icon @param {keyof typeof OUTLINES} name */
export function drawIcon(icon, name) {
  const shape = OUTLINES[name];
  if (icon.firstElementChild?.getAttribute("d") !== shape) icon.firstElementChild?.setAttribute("d", shape);
}
