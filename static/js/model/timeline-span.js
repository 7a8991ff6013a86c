/**
 * What lies in a stretch of the timeline: rows of each lane, figures over them, and a table of slices for who cannot see
 * the drawing. Used by timeline.js.
 *
 * @typedef {object} SpanRows the rows of one lane in a stretch, by index: from the first to the one behind the last
 * @property {number} from
 * @property {number} to
 *
 * @typedef {object} SpanFigures
 * @property {number} events
 * @property {number} reads that brought rows
 * @property {number} bytes of the rows, as they stand in the decoded body
 * @property {number} characters UTF-16 units of text, reasoning, refusals and arguments; NaN where a read lies half outside
 * @property {number} longest wait between two reads, microseconds; NaN where there is none
 */

import { counted, duration, size } from "./figures.js";

/** Characters that are taken for a token. */
const CHARACTERS_A_TOKEN = 4;

/**
 * @param {import("./timeline-track.js").LaneTrack} track
 * @param {number} from a place on the axis
 * @param {number} to rows that stand here still belong to it
 * @returns {SpanRows}
 */
export function spanRows(track, from, to) {
  return { from: track.rowAt(from), to: track.rowBehind(to) };
}

/**
 * @param {import("./timeline-track.js").LaneTrack} track
 * @param {SpanRows} span
 * @returns {SpanFigures}
 */
export function spanFigures(track, { from, to }) {
  if (to <= from) return { events: 0, reads: 0, bytes: 0, characters: 0, longest: NaN };
  const { rows, steps } = track.lane;
  const first = rows.steps.values[from];
  const last = rows.steps.values[to - 1];
  const busy = { from: track.busy.rank(first) - 1, to: track.busy.rank(last) };
  const whole = steps.rows.at(first - 1) === from && steps.rows.at(last) === to;
  const longest = !track.byRow ? track.waits.between(busy.from + 1, busy.to) : -1;
  return {
    events: to - from - (track.silent.rank(to - 1) - track.silent.rank(from - 1)),
    reads: busy.to - busy.from,
    bytes: rows.ends.values[to - 1] - rows.starts.values[from],
    characters: whole ? steps.said.at(last) - steps.said.at(first - 1) : NaN,
    longest: longest < 0 ? NaN : track.waits.values.values[longest],
  };
}

/**
 * Figures of several lanes as one: sums, and the longest of the waits.
 * @param {SpanFigures[]} figures
 * @returns {SpanFigures}
 */
export function summed(figures) {
  const sum = (/** @type {"events" | "reads" | "bytes" | "characters"} */ name) => figures.reduce((all, one) => all + one[name], 0);
  const waits = figures.map((one) => one.longest).filter((wait) => !Number.isNaN(wait));
  return {
    events: sum("events"), reads: sum("reads"), bytes: sum("bytes"), characters: sum("characters"),
    longest: waits.length > 0 ? Math.max(...waits) : NaN,
  };
}

/**
 * Figures in words: 42 events in 12 reads · 5.1 kB · 412 characters · longest gap 118 ms.
 * @param {SpanFigures} figures
 */
export function spanWords({ events, reads, bytes, characters, longest }) {
  const words = [`${counted(events, "event")} in ${counted(reads, "read")}`, size(bytes)];
  if (characters > 0) words.push(`${counted(characters, "character")}, about ${counted(Math.ceil(characters / CHARACTERS_A_TOKEN), "token")}`);
  if (!Number.isNaN(longest)) words.push(`longest gap ${duration(longest)}`);
  return words.join(" · ");
}
