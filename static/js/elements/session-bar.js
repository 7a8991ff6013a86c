/**
 * <session-bar> above the stage: what the session is called, when it was made, and what can be done with it. The page
 * sets `session` and `doors`; the template puts buttons into `.session-actions`. Hidden while there is no session.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";

/**
 * @typedef {{rename: (title: string) => Promise<{title: string} | {problem: {message: string}}>}} SessionDoors
 */

const DAY_MADE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export class SessionBar extends HTMLElement {
  /** @type {import("../model/session.js").SessionModel | null} */
  #session = null;
  #forget = () => {};
  #title = makeButton("session-title", "", () => this.#edit(true));
  #field = make("input", "session-name");
  #made = make("time", "session-made");
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
      this.prepend(make("div", "session-facts", this.#title, this.#field, this.#problem, this.#made));
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

customElements.define("session-bar", SessionBar);
