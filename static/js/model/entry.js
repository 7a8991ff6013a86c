/** A session as the library's list writes it: one entry -> the words of its cells. Knows no DOM. */

import { count, counted, duration, UNKNOWN } from "./figures.js";

/** @typedef {import("./library.js").Entry} Entry */

/** The tone of a lane's word. @type {Record<string, string>} */
const WORD_TONES = { ended: "good", streaming: "run", stopped: "calm", failed: "bad", refused: "bad" };

const TIME_TODAY = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY_THIS_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const DAY_OF_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const WHOLE_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" });

/** @param {Entry} entry */
export function entryTitle({ title }) {
  return title || "Untitled";
}

/** The words with which its lanes ended, each once, and their tones. @param {Entry} entry */
export function endingWords({ lanes }) {
  const words = [...new Set(lanes.map(({ word }) => word || "streaming"))];
  return words.map((word) => ({ word, tone: WORD_TONES[word] ?? "warn" }));
}

/** "today 14:05", a day of this year, a day of another. @param {number} seconds @param {Date} now */
export function entryTime(seconds, now = new Date()) {
  const date = new Date(seconds * 1000);
  if (date.toDateString() === now.toDateString()) return TIME_TODAY.format(date);
  return (date.getFullYear() === now.getFullYear() ? DAY_THIS_YEAR : DAY_OF_YEAR).format(date);
}

/** @param {number} seconds */
export function wholeTime(seconds) {
  return WHOLE_TIME.format(new Date(seconds * 1000));
}

/** The first, and how many more there are. @param {string[]} names */
function firstOf(names) {
  return names.length > 1 ? `${names[0]} +${names.length - 1}` : names[0] ?? "";
}

/** The texts of the plain cells. @param {Entry} entry */
export function entryTexts(entry) {
  const each = (/** @type {(lane: import("./library.js").EntryLane) => string} */ of) => [...new Set(entry.lanes.map(of))].filter(Boolean);
  return {
    formats: each(({ format }) => format).join(" ") || (entry.lanes.some(({ word }) => word === "") ? "" : "unknown"),
    target: firstOf(each(({ host }) => host)),
    model: firstOf(each(({ model }) => model)),
    targets: each(({ host }) => host).join(", "),
    models: each(({ model }) => model).join(", "),
    length: entry.duration > 0 ? duration(entry.duration) : UNKNOWN,
    events: entry.events > 0 ? count(entry.events) : UNKNOWN,
    tokens: entry.tokens > 0 ? count(entry.tokens) : UNKNOWN,
    findings: entry.errors > 0 ? counted(entry.errors, "error") : entry.findings > 0 ? counted(entry.findings, "finding") : "",
  };
}
