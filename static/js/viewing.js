/**
 * What every page with a stage does: puts a session on it, with the addresses it may ask, and passes keys on. Used by
 * main.js, the page of a share and an exported page; each brings the source that fills the session.
 */

import "./elements/theme-switch.js";
import "./elements/keys-dialog.js";
import "./elements/row-detail.js";
import "./elements/wire-pane.js";
import "./elements/said-pane.js";
import "./elements/pane-splitter.js";
import "./elements/lane-head.js";
import "./elements/lane-tabs.js";
import "./elements/stream-lane.js";
import "./elements/time-line.js";
import "./elements/stream-stage.js";
import { keyAction } from "./model/keys.js";
import { pageTitle } from "./model/title.js";

/** @typedef {import("./model/session.js").SessionModel} SessionModel */
/** @typedef {import("./elements/stream-lane.js").StageLinks} StageLinks */

/**
 * The bytes, media and previews of a session, below its own address.
 * @param {string} address without a slash at its end, as /sessions/<id>
 * @param {string} query what every address is asked with, "" for nothing
 * @returns {StageLinks}
 */
export function linksBelow(address, query = "") {
  const lanes = `${address}/lanes`;
  const asked = query === "" ? "" : `?${query}`;
  return {
    bytes: async (lane, from, to, signal) => {
      const answer = await fetch(`${lanes}/${lane}/bytes?from=${from}&to=${to}${asked.replace("?", "&")}`, { signal });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
    media: (lane, part) => `${lanes}/${lane}/media/${part}${asked}`,
    preview: (lane) => `${lanes}/${lane}/preview/${asked}`,
  };
}

export class Viewing {
  constructor() {
    this.stage = /** @type {import("./elements/stream-stage.js").StreamStage} */ (document.querySelector("stream-stage"));
    this.keys = /** @type {import("./elements/keys-dialog.js").KeysDialog} */ (document.querySelector("keys-dialog"));
    /** Keys that are the page's own; whether it took the action. */
    this.onAction = (/** @type {import("./model/keys.js").KeyAction} */ _action) => false;
    /** Called after each change of the session, and when there is another one or none. */
    this.onChange = () => {};
    /** @type {SessionModel | null} */
    this.session = null;
    this.forget = () => {};
  }

  /** Listen to keys. Called once, when the page has said what it wants to hear of. */
  begin() {
    document.addEventListener("keydown", (event) => this.#pressed(event));
    document.querySelector("#show-keys")?.addEventListener("click", () => this.keys.open());
  }

  /**
   * Put a session on the stage.
   * @param {SessionModel} session
   * @param {StageLinks} links
   */
  show(session, links) {
    this.leave();
    this.session = session;
    this.forget = session.subscribe(() => this.#changed());
    this.stage.links = links;
    this.stage.session = session;
    this.#changed();
  }

  /** Take the session from the stage. */
  leave() {
    this.forget();
    this.session = null;
    this.stage.session = null;
    this.#changed();
  }

  #changed() {
    const title = pageTitle(this.session);
    if (document.title !== title) document.title = title;
    this.onChange();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    const action = keyAction(event, {
      typing: target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])"),
      control: target.matches("a, button, summary, input, select, [role=switch], [role=treegrid]"),
      dialog: document.querySelector("dialog[open]") !== null,
      single: this.keys.single,
    });
    if (action && !event.defaultPrevented && this.#act(action)) event.preventDefault();
  }

  /** Whether there was something to do. @param {import("./model/keys.js").KeyAction} action */
  #act(action) {
    const { stage } = this;
    if (this.onAction(action)) return true;
    if (action === "keys") this.keys.open();
    else if (!this.session) return false;
    else if (action === "filter") stage.focusFilter();
    else if (action === "open") stage.toggleRow();
    else if (action === "next" || action === "previous") stage.moveRow(action === "next" ? 1 : -1);
    else return false;
    return true;
  }
}
