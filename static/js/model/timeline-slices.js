/**
 * The timeline as a table: what of each kind lies in each slice of the stretch that is seen. For who cannot see the
 * drawing, or wants numbers.
 *
 * @typedef {{lane: number, from: number, to: number, counts: number[], findings: number}} Slice counts: rows of each of
 *   SLICE_KINDS; findings: on rows
 */

import { SEVERITIES } from "./findings.js";

const SLICES = 12;

/** @type {[word: string, colour: import("./deeds.js").Colour][]} */
export const SLICE_KINDS = [
  ["reasoning", "reasoning"], ["text", "text"], ["tools", "tool"], ["usage", "usage"], ["errors", "error"], ["other", "other"],
];

/** @param {import("./timeline.js").Timeline} timeline @returns {Slice[]} lane after lane */
export function slicesOf({ tracks, view }) {
  const step = view.length / SLICES;
  const edges = Array.from({ length: SLICES + 1 }, (_, place) => view.from + place * step);
  return tracks.flatMap((track, lane) => {
    const edgeOf = (/** @type {number} */ place) => edges[place] + (place === SLICES ? step / 1000 : 0);
    const within = (/** @type {import("./columns.js").Column} */ list, /** @type {number} */ place) =>
      track.before(list, edgeOf(place + 1)) - track.before(list, edgeOf(place));
    return edges.slice(1).map((to, place) => ({
      lane, from: edges[place], to,
      counts: SLICE_KINDS.map(([, colour]) => within(track.bands[colour], place)),
      findings: SEVERITIES.reduce((sum, severity) => sum + within(track.marks.rows[severity], place), 0),
    }));
  });
}
