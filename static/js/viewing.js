/**
 * What every page with a stage does: puts a session on it, with the addresses it may ask, and passes keys on. Used by
 * main.js, the page of a share and an exported page; each brings the source that fills the session.
 */

import "./elements/theme-switch.js";
import "./elements/keys-dialog.js";
import "./elements/row-detail.js";
import "./elements/wire-pane.js";
import "./elements/said-pane.js";
import "./elements/findings-pane.js";
import "./elements/latency-pane.js";
import "./elements/request-pane.js";
import "./elements/pane-splitter.js";
import "./elements/lane-head.js";
import "./elements/lane-tabs.js";
import "./elements/stream-lane.js";
import "./elements/time-line.js";
import "./elements/marker-list.js";
import "./elements/player-bar.js";
import "./elements/stream-stage.js";
import { keyAction } from "./model/keys.js";
import { rowAddress, rowOfAddress } from "./model/row-address.js";
import { RuleBook } from "./model/rule-book.js";
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

/** Controls that have Enter and Space of their own, and those that arrow keys, Home and End move. */
const PRESSED = "a, button, summary, input, select, audio, video, [role=switch], [role=treegrid]";
const STEERED = "input, select, audio, video, [role=slider], [role=separator], [role=treegrid], [role=tab]";
/** Milliseconds until the row that was chosen last stands in the address bar: browsers refuse too many changes. */
const SETTLED = 250;

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
    /** The row that the address names, until it is here. @type {{lane: number, row: number} | null} */
    this.wanted = null;
    this.writing = 0;
    /** What the page says of the rules; an exported page brings it along in the same place. */
    this.rules = new RuleBook(JSON.parse(document.querySelector("#lint-rules")?.textContent ?? "{}"));
  }

  /** Listen to keys. Called once, when the page has said what it wants to hear of. */
  begin() {
    document.addEventListener("keydown", (event) => this.#pressed(event));
    document.querySelector("#show-keys")?.addEventListener("click", () => this.keys.open());
    window.addEventListener("hashchange", () => this.#follow());
    this.stage.addEventListener("chosen", (event) => this.#write(/** @type {CustomEvent} */ (event).detail));
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
    this.stage.links = { ...links, rules: this.rules };
    this.stage.session = session;
    this.#follow();
  }

  /** Take the session from the stage. */
  leave() {
    this.forget();
    clearTimeout(this.writing);
    this.session = null;
    this.stage.session = null;
    this.#changed();
  }

  /** Go to the row that the address names. */
  #follow() {
    this.wanted = rowOfAddress(location.hash);
    this.#changed();
  }

  /** Have the address name a row. @param {{lane: number, row: number}} chosen */
  #write({ lane, row }) {
    clearTimeout(this.writing);
    const address = rowAddress(lane, row, this.session?.lanes.length ?? 1);
    this.writing = window.setTimeout(() => history.replaceState(history.state, "", address), SETTLED);
  }

  /** Go to the wanted row once it is here, or say that there is none. */
  #reach() {
    const { session, wanted, stage } = this;
    if (!session || !wanted || session.lanes.length === 0) return;
    const lane = session.lanes[wanted.lane];
    const here = lane !== undefined && wanted.row < lane.rows.length;
    if (!here && lane && (lane.open || lane.catchingUp)) return;
    this.wanted = null;
    if (here) stage.go(wanted);
    else if (lane) stage.tell(`There is no row ${wanted.row + 1}: the last one is row ${lane.rows.length}.`);
    else stage.tell(`There is no lane ${wanted.lane + 1}: the last one is lane ${session.lanes.length}.`);
  }

  #changed() {
    this.#reach();
    const title = pageTitle(this.session);
    if (document.title !== title) document.title = title;
    this.onChange();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    const action = keyAction(event, {
      typing: target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])"),
      control: target.matches(PRESSED),
      moving: target.matches(STEERED),
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
    else if (action === "lit" || action === "litBefore") stage.moveLit(action === "lit" ? 1 : -1);
    else if (action === "nextFinding" || action === "previousFinding") stage.moveFinding(action === "nextFinding" ? 1 : -1);
    else if (action === "note" && this.session.markers.doors) stage.note();
    else return this.#play(action, this.session.player);
    return true;
  }

  /**
   * @param {import("./model/keys.js").KeyAction} action
   * @param {import("./model/player.js").Player} player
   */
  #play(action, player) {
    if (player.total === 0) return false;
    if (action === "play") player.toggle();
    else if (action === "back" || action === "forward") player.step(action === "back" ? -1 : 1);
    else if (action === "start") player.toStart();
    else if (action === "end") player.toEnd();
    else return false;
    return true;
  }
}
