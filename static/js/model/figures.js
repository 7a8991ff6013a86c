/**
 * Numbers and times as the page writes them. Times come in microseconds; what is unknown (NaN, null) is a dash.
 */

export const UNKNOWN = "–";

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 57, 1,204, 100,000. @param {number} value */
export function count(value) {
  return WHOLE.format(value);
}

/** Seconds since the request, three decimals: 0.312, 12.000. @param {number} time */
export function clockTime(time) {
  return Number.isNaN(time) ? UNKNOWN : (time / 1e6).toFixed(3);
}

/** The time between two rows, in milliseconds: +0.4, +24, +1,204. @param {number} time */
export function gap(time) {
  if (Number.isNaN(time)) return UNKNOWN;
  const milliseconds = time / 1000;
  return `+${Math.abs(milliseconds) < 9.95 ? milliseconds.toFixed(1) : count(milliseconds)}`;
}

/** A duration for a person: 312 ms, 1.84 s, 2 min 05 s. @param {number} time */
export function duration(time) {
  if (Number.isNaN(time)) return UNKNOWN;
  if (time < 9_950) return `${(time / 1000).toFixed(1)} ms`;
  if (time < 999_500) return `${Math.round(time / 1000)} ms`;
  if (time < 59_995_000) return `${(time / 1e6).toFixed(2)} s`;
  const seconds = Math.round(time / 1e6);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** A duration that grows on screen: one decimal, so that it does not flicker. @param {number} time */
export function growing(time) {
  return time < 59_950_000 ? `${(time / 1e6).toFixed(1)} s` : duration(time);
}

/** 118 B, 1.2 kB, 4.0 MB. @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A size in a narrow column: bytes as they are up to five digits. @param {number} bytes */
export function columnSize(bytes) {
  if (bytes < 100_000) return String(bytes);
  return bytes < 999_500 ? `${Math.round(bytes / 1000)}k` : `${(bytes / 1e6).toFixed(1)}M`;
}

/** An id with its middle left out: msg_01J9…7Q. @param {string} id */
export function shortId(id) {
  return id.length > 18 ? `${id.slice(0, 10)}…${id.slice(-4)}` : id;
}

/** 1 event, 2 events. @param {number} value @param {string} noun */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}
