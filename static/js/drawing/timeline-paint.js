/**
 * Paints the bands and the axis of a timeline on a canvas: for each pixel column that has rows a tick, the higher the more
 * of them. What it costs depends on how wide the canvas is, not on how many rows there are. Called by <time-line>.
 */

/** Pixels of a column, of the axis below the bands, of the marks of findings above them, and between two bands. */
export const COLUMN = 2;
export const AXIS = 18;
const MARKS = 8;
const SPACE = 4;
/** A tick of one row is so much of its band's height; one of MANY rows or more all of it. */
const ALONE = 0.7;
const MANY = Math.log(256);
/** Pixels that a wait needs to be shown as a box, and that its words need beside the box's edge. */
const BOX_LEAST = 6;
const WORDS_EDGE = 10;
const KINDS_PAINTED = /** @type {const} */ (["reasoning", "text", "tool", "usage", "error", "other"]);
/** What is worst is painted last. @type {[severity: import("../model/findings.js").Severity, colour: import("../model/deeds.js").Colour][]} */
const MARK_COLOURS = [["info", "other"], ["warning", "tool"], ["error", "error"]];

/** @typedef {{colours: Record<import("../model/deeds.js").Colour, string>, line: string, dim: string, panel: string, mark: string, font: string}} Palette */
/** @typedef {{width: number, height: number, ratio: number}} Surface in CSS pixels, and device pixels for each */

/** @param {Element} element that has the page's tokens @returns {Palette} */
export function readPalette(element) {
  const style = getComputedStyle(element);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    colours: /** @type {Palette["colours"]} */ (Object.fromEntries(KINDS_PAINTED.map((kind) => [kind, token(`--kind-${kind}`)]))),
    line: token("--line"), dim: token("--dim"), panel: token("--panel"), mark: token("--mark"), font: `11px ${style.fontFamily}`,
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
  const { bands } = timeline;
  bands.forEach(({ lane, colours }, place) => {
    const track = timeline.tracks[lane];
    const box = boxOf(timeline, height, place);
    if (bands.findIndex((band) => band.lane === lane) === place) paintMarks(context, surface, timeline, track, box.top - 1, palette);
    context.fillStyle = palette.mark;
    paintLit(context, surface, timeline, track, box);
    for (const wait of timeline.waitsOf(place)) paintWait(context, surface, timeline, wait, box, palette);
    for (const colour of colours) {
      context.fillStyle = palette.colours[colour];
      paintTicks(context, surface, timeline, track, colour, box);
    }
  });
}

/**
 * Where the ticks of a band are; the marks of its lane are above its first band.
 * @param {import("../model/timeline.js").Timeline} timeline
 * @param {number} height of the plot
 * @param {number} place of the band
 */
export function boxOf({ bands, tracks }, height, place) {
  const lane = (height - AXIS) / tracks.length;
  const each = bands.length / tracks.length;
  const box = (lane - MARKS) / each;
  return { top: Math.floor(place / each) * lane + MARKS + (place % each) * box, height: box };
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
 * What is lit in the other panes, over the whole height of a band.
 * @param {CanvasRenderingContext2D} context
 * @param {Surface} surface
 * @param {import("../model/timeline.js").Timeline} timeline
 * @param {import("../model/timeline-track.js").LaneTrack} track
 * @param {{top: number, height: number}} box
 */
function paintLit(context, { width, ratio }, { view }, track, box) {
  const column = (view.length * COLUMN) / width;
  track.columns(track.lit, view.from - column, view.to, column, (number) => {
    const x = Math.round(((number * column - view.from) / column) * COLUMN * ratio) / ratio;
    context.fillRect(x - 1, box.top, COLUMN + 2, box.height);
  });
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

/**
 * Triangles over the rows that have findings, as in Wire.
 * @param {CanvasRenderingContext2D} context
 * @param {Surface} surface
 * @param {import("../model/timeline.js").Timeline} timeline
 * @param {import("../model/timeline-track.js").LaneTrack} track
 * @param {number} bottom
 * @param {Palette} palette
 */
function paintMarks(context, { width, ratio }, { view }, track, bottom, palette) {
  const column = (view.length * COLUMN) / width;
  for (const [severity, colour] of MARK_COLOURS) {
    context.fillStyle = palette.colours[colour];
    context.beginPath();
    track.columns(track.marks.rows[severity], view.from - column, view.to, column, (number) => {
      const x = Math.round(((number * column - view.from) / column) * COLUMN * ratio) / ratio + COLUMN / 2;
      context.moveTo(x - 3.5, bottom);
      context.lineTo(x, bottom - MARKS + 2);
      context.lineTo(x + 3.5, bottom);
    });
    context.fill();
  }
}

/**
 * A wait that a finding speaks of: a dashed box with its words.
 * @param {CanvasRenderingContext2D} context
 * @param {Surface} surface
 * @param {import("../model/timeline.js").Timeline} timeline
 * @param {import("../model/timeline-marks.js").Wait} wait
 * @param {{top: number, height: number}} box
 * @param {Palette} palette
 */
function paintWait(context, { width }, { view }, wait, box, palette) {
  const scale = width / view.length;
  const left = Math.max(-2, (wait.from - view.from) * scale + COLUMN);
  const right = Math.min(width + 2, (wait.to - view.from) * scale - 1);
  if (right - left < BOX_LEAST) return;
  const top = Math.round(box.top) + 1.5;
  const tall = Math.round(box.height) - 3;
  context.strokeStyle = palette.dim;
  context.setLineDash([3, 2]);
  context.strokeRect(Math.round(left) + 0.5, top, Math.round(right - left) - 1, tall);
  context.setLineDash([]);
  const wide = context.measureText(wait.words).width + WORDS_EDGE;
  if (wide > right - left) return;
  const middle = (Math.max(0, left) + Math.min(width, right)) / 2;
  context.fillStyle = palette.panel;
  context.fillRect(middle - wide / 2, top + 1, wide, tall - 2);
  context.textAlign = "center";
  context.fillStyle = palette.dim;
  context.fillText(wait.words, middle, top + tall / 2 + 0.5);
}
