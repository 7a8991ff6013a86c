/**
 * Paints the bands and the axis of a timeline on a canvas: for each pixel column that has rows a tick, the higher the more
 * of them. What it costs depends on how wide the canvas is, not on how many rows there are. Called by <time-line>.
 */

/** Pixels of a column, of the axis below the bands, and of the space between two bands. */
export const COLUMN = 2;
export const AXIS = 18;
const SPACE = 4;
/** A tick of one row is so much of its band's height; one of MANY rows or more all of it. */
const ALONE = 0.7;
const MANY = Math.log(256);
const KINDS_PAINTED = /** @type {const} */ (["reasoning", "text", "tool", "usage", "error", "other"]);

/** @typedef {{colours: Record<import("../model/deeds.js").Colour, string>, line: string, dim: string, panel: string, font: string}} Palette */
/** @typedef {{width: number, height: number, ratio: number}} Surface in CSS pixels, and device pixels for each */

/** @param {Element} element that has the page's tokens @returns {Palette} */
export function readPalette(element) {
  const style = getComputedStyle(element);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    colours: /** @type {Palette["colours"]} */ (Object.fromEntries(KINDS_PAINTED.map((kind) => [kind, token(`--kind-${kind}`)]))),
    line: token("--line"), dim: token("--dim"), panel: token("--panel"), font: `11px ${style.fontFamily}`,
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Surface} surface
 * @param {import("../model/timeline.js").Timeline} timeline
 * @param {Palette} palette
 */
export function paintTimeline(context, surface, timeline, palette) {
  const { width, height, ratio } = surface;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = palette.font;
  paintAxis(context, surface, timeline.view, palette);
  const band = (height - AXIS) / timeline.bands.length;
  timeline.bands.forEach(({ lane, colours }, place) => {
    const box = { top: place * band, height: band };
    for (const colour of colours) {
      context.fillStyle = palette.colours[colour];
      paintTicks(context, surface, timeline, timeline.tracks[lane], colour, box);
    }
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Surface} surface
 * @param {import("../model/timeline-view.js").TimelineView} view
 * @param {Palette} palette
 */
function paintAxis(context, { width, height, ratio }, view, palette) {
  context.textBaseline = "middle";
  const hair = 1 / ratio;
  for (const { place, label } of view.labels(width)) {
    const x = Math.round(((place - view.from) / view.length) * width * ratio) / ratio;
    context.fillStyle = palette.line;
    context.fillRect(Math.min(x, width - hair), 0, hair, height - AXIS + 3);
    const half = context.measureText(label).width / 2;
    context.textAlign = x < half ? "left" : x > width - half ? "right" : "center";
    context.fillStyle = palette.dim;
    context.fillText(label, x < half ? 0 : Math.min(x, width), height - AXIS / 2 + 2);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Surface} surface
 * @param {import("../model/timeline.js").Timeline} timeline
 * @param {import("../model/timeline-track.js").LaneTrack} track
 * @param {import("../model/deeds.js").Colour} colour
 * @param {{top: number, height: number}} box
 */
function paintTicks(context, { width, ratio }, { view }, track, colour, box) {
  const column = (view.length * COLUMN) / width;
  const scale = (COLUMN * ratio) / column;
  const room = box.height - SPACE;
  track.columns(track.bands[colour], view.from - column, view.to, column, (number, rows) => {
    const x = Math.round((number * column - view.from) * scale) / ratio;
    const tall = Math.round(room * Math.min(1, ALONE + (1 - ALONE) * (Math.log(rows) / MANY)));
    context.fillRect(x, Math.round(box.top + (box.height - tall) / 2), COLUMN, tall);
  });
}
