/**
 * The page of a share link, and of its preview: the same stage as Play, read-only, without what the link leaves out.
 * The template says below which address all of it stands. A link that is over takes everything from the page again.
 */

import "./elements/lens-pane.js";
import "./elements/shared-line.js";
import { reveal, write } from "./drawing/dom.js";
import { SessionModel } from "./model/session.js";
import { ask } from "./sources/doors.js";
import { lensBelow } from "./sources/lens.js";
import { connectLive } from "./sources/live.js";
import { Viewing, linksBelow } from "./viewing.js";

const { base = "", query = "" } = document.body.dataset;
const sharedFormats = JSON.parse(document.querySelector("#formats")?.textContent ?? "[]");
const sharedSession = new SessionModel();
const sharedViewing = new Viewing();
const sharedLine = /** @type {import("./elements/shared-line.js").SharedLine} */ (document.querySelector("shared-line"));
const goneNote = /** @type {HTMLElement} */ (document.querySelector("#gone"));
const sharedView = /** @type {HTMLElement} */ (document.querySelector("#view"));

/** @param {string} address */
function withQuery(address) {
  if (query === "") return address;
  return `${address}${address.includes("?") ? "&" : "?"}${query}`;
}

/** The link is over: say so, and show nothing. */
function lookIfGone() {
  if (!sharedViewing.session || sharedSession.touch !== "closed" || !sharedSession.problem) return;
  const [, title, rest] = /^(.*?\.)(?: (.*))?$/.exec(sharedSession.problem.message) ?? ["", sharedSession.problem.message, ""];
  sharedViewing.leave();
  sharedView.remove();
  write(/** @type {HTMLElement} */ (goneNote.querySelector("h1")), title);
  write(/** @type {HTMLElement} */ (goneNote.querySelector("span")), rest ?? "");
  reveal(goneNote, true);
}

sharedViewing.onChange = lookIfGone;
sharedViewing.begin();
sharedViewing.show(sharedSession, { ...linksBelow(base, query), lens: lensBelow(base, sharedFormats, query) });
sharedLine.session = sharedSession;
ask(withQuery(`${base}/markers`)).then((answer) => "markers" in answer && sharedSession.markers.set(answer.markers));
connectLive("", sharedSession, withQuery(`/ws${base}/`));
