/**
 * <session-bar> above the stage: what the session is called, its tags, when it was made, and what can be done with it.
 * The page sets `session` and `doors`; the template puts more into `.session-actions`. Hidden while there is no session.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";

/** @typedef {{problem: {message: string}}} BarRefusal */
/**
 * @typedef {object} SessionDoors
 * @property {(title: string) => Promise<{title: string} | BarRefusal>} rename
 * @property {(change: {add: string[], remove: string[]}) => Promise<string[] | BarRefusal>} tag the tags that it has then
 * @property {() => Promise<string[]>} known tags that are used somewhere
 * @property {() => Promise<object | BarRefusal>} remove
 * @property {() => Promise<object | BarRefusal>} restore
 */

const DAY_MADE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export class SessionBar extends HTMLElement {
  /** @type {import("../model/session.js").SessionModel | null} */
  #session = null;
  #forget = () => {};
  #title = makeButton("session-title", "", () => this.#edit(true));
  #field = make("input", "session-name");
  #made = make("time", "session-made");
  #tags = /** @type {import("./tag-editor.js").TagEditor} */ (document.createElement("tag-editor"));
  #remove = makeButton("plain", "delete", () => this.#toggleDeleted(true));
  #facts = make("div", "session-facts", this.#title, this.#field, this.#tags, this.#made);
  #gone = make("div", "session-gone", "This session was deleted.", makeButton("chip", "Undo", () => this.#toggleDeleted(false)), libraryLink());
  #deleted = false;
  #problem = make("span", "problem");
  /** @type {SessionDoors | null} */
  doors = null;

  connectedCallback() {
    if (!this.#title.isConnected) {
      this.#title.title = "Rename";
      this.#field.maxLength = 200;
      this.#field.setAttribute("aria-label", "Title");
      this.#field.hidden = true;
      this.#field.addEventListener("keydown", (event) => this.#key(event));
      this.#field.addEventListener("blur", () => this.#save());
      this.#problem.setAttribute("role", "alert");
      this.#gone.setAttribute("role", "status");
      this.#tags.addEventListener("tag", (event) => this.#tag(/** @type {CustomEvent} */ (event).detail));
      this.#tags.addEventListener("focusin", () => this.#offerTags());
      this.querySelector(".session-actions")?.append(this.#remove);
      this.prepend(this.#facts, this.#gone, this.#problem);
    }
    this.#watch();
  }

  disconnectedCallback() {
    this.#forget();
  }

  get session() {
    return this.#session;
  }

  set session(session) {
    this.#session = session;
    this.#deleted = false;
    this.#edit(false);
    if (this.isConnected) this.#watch();
  }

  #watch() {
    this.#forget();
    const forget = this.#session?.subscribe(() => this.#draw()) ?? (() => {});
    this.#forget = () => forget();
    this.#draw();
  }

  #draw() {
    const session = this.#session;
    reveal(this, session !== null && session.created > 0);
    if (!session) return;
    const title = session.title || "Untitled";
    write(this.#title, title);
    const label = `Rename ${title}`;
    if (this.#title.getAttribute("aria-label") !== label) this.#title.setAttribute("aria-label", label);
    const made = new Date(session.created * 1000);
    write(this.#made, DAY_MADE.format(made));
    this.#made.dateTime = made.toISOString();
    this.#tags.tags = session.tags;
    reveal(this.#facts, !this.#deleted);
    reveal(this.#gone, this.#deleted);
    const actions = this.querySelector(".session-actions");
    if (actions instanceof HTMLElement) reveal(actions, !this.#deleted);
  }

  async #offerTags() {
    this.#tags.known = (await this.doors?.known()) ?? [];
  }

  /** @param {{add: string[], remove: string[]}} change */
  async #tag(change) {
    const session = this.#session;
    const answer = await this.doors?.tag(change);
    if (!answer || this.#session !== session) return;
    if (Array.isArray(answer)) session?.tag(answer);
    else write(this.#problem, answer.problem.message);
  }

  /** @param {boolean} deleted */
  async #toggleDeleted(deleted) {
    const session = this.#session;
    const answer = await (deleted ? this.doors?.remove() : this.doors?.restore());
    if (!answer || this.#session !== session) return;
    const refused = "problem" in answer;
    write(this.#problem, refused ? /** @type {BarRefusal} */ (answer).problem.message : "");
    if (!refused) this.#deleted = deleted;
    this.#draw();
    (this.#deleted ? this.#gone.querySelector("button") : this.#remove)?.focus();
  }

  /** @param {boolean} editing */
  #edit(editing) {
    write(this.#problem, "");
    const focused = document.activeElement === this.#field;
    reveal(this.#title, !editing);
    if (editing) {
      this.#field.value = this.#session?.title ?? "";
      reveal(this.#field, true);
      this.#field.select();
      this.#field.focus();
    } else {
      reveal(this.#field, false);
      if (focused) this.#title.focus();
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") this.#save();
    else this.#edit(false);
  }

  async #save() {
    const session = this.#session;
    const title = this.#field.value.trim();
    if (this.#field.hidden || !session || !this.doors) return;
    this.#edit(false);
    if (title === "" || title === session.title) return;
    const answer = await this.doors.rename(title);
    if ("title" in answer) session.rename(answer.title);
    else if (this.#session === session) write(this.#problem, answer.problem.message);
  }
}

function libraryLink() {
  const link = make("a", "", "Back to the library");
  link.href = "/sessions/";
  return link;
}

customElements.define("session-bar", SessionBar);
