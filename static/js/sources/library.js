/**
 * The library's doors over HTTP. What goes wrong comes back as {problem}, never as an exception. Called by
 * library-page.js, and by main.js for the session on the stage.
 */

import { queryOf } from "../model/library.js";
import { ask, post } from "./doors.js";

/** @typedef {{problem: {code: string, message: string}}} Refusal */
/** @typedef {import("../model/library.js").WantedFields} WantedFields */

/** @param {WantedFields} wanted @param {string} cursor @returns {Promise<import("../model/library.js").EntryPage | Refusal>} */
export function askPage(wanted, cursor = "") {
  return ask(`/sessions/list${queryOf({ ...wanted, cursor })}`);
}

/** @param {WantedFields} wanted @returns {Promise<import("../model/library.js").Counts | Refusal>} */
export function askCounts(wanted) {
  return ask(`/sessions/counts${queryOf(wanted)}`);
}

/** @param {string[]} ids @returns {Promise<{sessions: import("../model/library.js").Entry[]} | Refusal>} */
export function askEntries(ids) {
  return ask(`/sessions/some?ids=${ids.map(encodeURIComponent).join(",")}`);
}

/** @param {string[]} ids @param {{add?: string[], remove?: string[]}} change @returns {Promise<{tags: Record<string, string[]>} | Refusal>} */
export function tagSessions(ids, change) {
  return post("/sessions/tags", { ids, ...change });
}

/** @param {string[]} ids @returns {Promise<{deleted: number} | Refusal>} */
export function deleteSessions(ids) {
  return post("/sessions/delete", { ids });
}

/** @param {string[]} ids @returns {Promise<{restored: number} | Refusal>} */
export function restoreSessions(ids) {
  return post("/sessions/restore", { ids });
}

/** For good: these of the deleted ones, all of them when none is named. @param {string[]} [ids] @returns {Promise<{erased: number} | Refusal>} */
export function eraseSessions(ids) {
  return post("/sessions/erase", ids ? { ids } : { all: true });
}
