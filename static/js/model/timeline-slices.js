/**
 * The timeline as a table: what of each kind lies in each slice of the stretch that is seen. For who cannot see the
 * drawing, or wants numbers.
 *
 * @typedef {{lane: number, from: number, to: number, counts: number[]}} Slice counts: rows of each of SLICE_KINDS
 */

/** Slices at most. */
const SLICES = 12;

/** @type {[word: string, colours: import("./deeds.js").Colour[]][]} */
export const SLICE_KINDS = [
  ["reasoning", ["reasoning"]], ["text", ["text"]], ["tools", ["tool"]], ["usage", ["usage"]], ["errors", ["error"]], ["other", ["other"]],
];

/** @param {import("./timeline.js").Timeline} timeline @returns {Slice[]} lane after lane */
export function slicesOf({ tracks, view }) {
  const step = view.length / SLICES;
  const edges = Array.from({ length: SLICES + 1 }, (_, place) => view.from + place * step);
  return tracks.flatMap((track, lane) => {
    const sums = edges.map((edge, place) => SLICE_KINDS.map(([, colours]) => colours.reduce(
      (sum, colour) => sum + track.before(track.bands[colour], place === SLICES ? edge + step / 1000 : edge), 0)));
    return sums.slice(1).map((sum, place) => ({
      lane, from: edges[place], to: edges[place + 1], counts: sum.map((upTo, kind) => upTo - sums[place][kind]),
    }));
  });
}
