/** The links of a session, a row each: since when, until when, without what, and a button that revokes. */

import { leftOutWords } from "../model/left-out.js";
import { make, makeButton } from "./dom.js";

/** @typedef {{id: string, created: number, expires: number, over: string, without: string[], texts: string[]}} ShareLink */

const LINK_TIME = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** @param {number} seconds since 1970 */
function linkTime(seconds) {
  const date = new Date(seconds * 1000);
  const time = make("time", "", LINK_TIME.format(date));
  time.dateTime = date.toISOString();
  return time;
}

/** @param {ShareLink} link */
function linkState({ over, expires }) {
  if (over === "revoked") return make("span", "share-over", "revoked");
  if (over) return make("span", "share-over", "expired");
  return make("span", "", "until ", linkTime(expires));
}

/**
 * @param {ShareLink} link
 * @param {(id: string) => void} revoke
 */
export function drawShareLink(link, revoke) {
  const missing = leftOutWords([...link.without, ...(link.texts.length > 0 ? ["texts"] : [])]);
  const made = make("span", "share-made", "made ", linkTime(link.created));
  const row = make("li", link.over ? "share-link over" : "share-link", made, linkState(link), make("span", "share-missing", missing ? `without ${missing}` : "nothing left out"));
  if (!link.over) {
    const button = makeButton("plain", "revoke", () => revoke(link.id));
    button.setAttribute("aria-label", `Revoke the link made ${made.querySelector("time")?.textContent}`);
    row.append(button);
  }
  return row;
}
