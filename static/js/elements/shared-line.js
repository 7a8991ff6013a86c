/**
 * <shared-line> above the stage of a share: what the session is called, when it was made, what is left out of it. The
 * page sets `session`.
 */

import { make, reveal, write } from "../drawing/dom.js";
import { leftOutWords } from "../model/left-out.js";

const DAY_SHARED = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export class SharedLine extends HTMLElement {
  /** @type {import("../model/session.js").SessionModel | null} */
  #session = null;
  #forget = () => {};
  #title = make("h1", "shared-title");
  #made = make("time", "shared-made");
  #missing = make("span", "shared-missing");

  connectedCallback() {
    if (!this.#title.isConnected) this.prepend(this.#title, this.#made, this.#missing);
    this.#watch();
  }

  disconnectedCallback() {
    this.#forget();
  }

  set session(/** @type {import("../model/session.js").SessionModel | null} */ session) {
    this.#session = session;
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
    if (!session || session.created === 0) return;
    write(this.#title, session.title || "Untitled");
    const made = new Date(session.created * 1000);
    write(this.#made, DAY_SHARED.format(made));
    this.#made.dateTime = made.toISOString();
    const missing = leftOutWords(session.leftOut);
    write(this.#missing, missing ? `Left out: ${missing}` : "");
    reveal(this.#missing, missing !== "");
  }
}

customElements.define("shared-line", SharedLine);
