/**
 * <share-dialog>: a button, and the dialog in which links to the session are made, listed and revoked. The page sets
 * `doors` and `exported`, the address of the one-file page where there is one. The template puts it into the session's bar.
 */

import { make, makeButton, makeCopyButton, reveal, write } from "../drawing/dom.js";
import { drawShareLink } from "../drawing/share-list.js";
import { LEFT_OUT_PARTS, LIFETIMES, isLoopback, leftOutQuery } from "../model/left-out.js";

/** @typedef {import("../drawing/share-list.js").ShareLink} ShareLink */
/** @typedef {{problem: {message: string}}} ShareProblem */
/**
 * @typedef {{
 *   list: () => Promise<{shares: ShareLink[]} | ShareProblem>,
 *   make: (request: {without: string[], texts: string[], lifetime: string}) => Promise<{address: string, share: ShareLink} | ShareProblem>,
 *   revoke: (id: string) => Promise<{share: ShareLink} | ShareProblem>,
 *   preview: string,
 *   page: string,
 * }} ShareDoors `preview` and `page`: where the preview and the one-file page are, "" where there is none
 */

export class ShareDialog extends HTMLElement {
  /** @type {ShareDoors | null} */
  #doors = null;
  #boxes = new Map(LEFT_OUT_PARTS.map(([name, label]) => [name, this.#box(name, label)]));
  #texts = make("textarea", "mono");
  #lifetime = make("select");
  #preview = make("a", "chip", "Preview");
  #page = make("a", "", "one HTML page");
  #offer = make("span");
  #here = make("p", "share-here");
  #problem = make("p", "problem");
  #address = make("input", "mono");
  #made = make("div", "share-new");
  #links = make("ul", "share-links");
  #none = make("p", "note", "No link was made yet.");
  #dialog = make("dialog", "dialog share");

  connectedCallback() {
    if (this.firstChild) return;
    const open = makeButton("plain", "share", () => this.open());
    open.setAttribute("aria-haspopup", "dialog");
    this.append(open, this.#dialog);
    this.#build();
  }

  /** @param {ShareDoors | null} doors */
  set doors(doors) {
    this.#doors = doors;
    if (this.#dialog.open) this.#dialog.close();
  }

  async open() {
    if (!this.#doors) return;
    reveal(this.#made, false);
    write(this.#problem, "");
    this.#drawAddresses();
    this.#dialog.showModal();
    await this.#list();
  }

  #build() {
    const title = make("h2", "", "Share this session");
    title.id = "share-title";
    const close = makeButton("plain icon", "×", () => this.#dialog.close());
    close.setAttribute("aria-label", "Close");
    this.#dialog.setAttribute("aria-labelledby", title.id);
    this.#dialog.append(make("header", "dialog-head", title, close), this.#form(), this.#listed());
    this.#dialog.addEventListener("input", () => this.#drawAddresses());
  }

  #form() {
    const form = make("form", "share-form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make();
    });
    const parts = make("fieldset", "field", make("legend", "", "Leave out"), make("div", "share-parts", ...[...this.#boxes.values()].map((box) => box.parentElement ?? box)));
    this.#texts.id = "share-texts";
    this.#texts.rows = 2;
    this.#texts.spellcheck = false;
    this.#texts.setAttribute("aria-describedby", "share-texts-note");
    const textsLabel = make("label", "", "Leave out these texts, too");
    textsLabel.htmlFor = this.#texts.id;
    const note = make("p", "note", "One a line, exactly as written. A text is found within one event; one that the model spells out over several is not, nor one in other words. Look at the preview.");
    note.id = "share-texts-note";
    this.#lifetime.id = "share-lifetime";
    this.#lifetime.append(...LIFETIMES.map(([name, label]) => new Option(label, name, name === "month", name === "month")));
    const lifetimeLabel = make("label", "", "The link lasts");
    lifetimeLabel.htmlFor = this.#lifetime.id;
    this.#preview.target = "_blank";
    this.#preview.rel = "noopener";
    const press = make("button", "run", "Make link");
    this.#problem.setAttribute("role", "alert");
    this.#page.download = "";
    this.#offer.append(" To send the session to others, save it as ", this.#page, ", which opens without a server.");
    this.#here.append("This playground is reached from this machine alone, and so is the link.", this.#offer);
    this.#address.readOnly = true;
    this.#address.setAttribute("aria-label", "Link");
    this.#address.addEventListener("focus", () => this.#address.select());
    this.#made.append(make("p", "label", "Your link. It is shown this once."), make("div", "share-address", this.#address, makeCopyButton("chip", () => this.#address.value)));
    this.#made.setAttribute("role", "status");
    form.append(
      parts,
      make("div", "field", textsLabel, this.#texts, note),
      make("div", "share-press", make("div", "field share-lasts", lifetimeLabel, this.#lifetime), this.#preview, press),
      this.#here,
      this.#problem,
      this.#made,
    );
    return form;
  }

  #listed() {
    const title = make("h3", "", "Links to this session");
    title.id = "share-links-title";
    this.#links.setAttribute("aria-labelledby", title.id);
    return make("section", "share-made-before", title, this.#none, this.#links);
  }

  /** @param {string} name @param {string} label */
  #box(name, label) {
    const box = make("input");
    box.type = "checkbox";
    box.name = name;
    make("label", "check", box, ` ${label}`);
    return box;
  }

  get #asked() {
    const without = [...this.#boxes].filter(([, box]) => box.checked).map(([name]) => name);
    const texts = this.#texts.value.split("\n").map((text) => text.trim()).filter(Boolean);
    return { without, texts, lifetime: this.#lifetime.value };
  }

  /** What is asked for has an address: the preview and the page; the whole body has system text and tools in it. */
  #drawAddresses() {
    const whole = this.#boxes.get("body")?.checked ?? false;
    for (const name of ["system", "tools"]) {
      const box = this.#boxes.get(name);
      if (box) box.disabled = whole;
    }
    const { without, texts } = this.#asked;
    const query = leftOutQuery(without, texts);
    this.#preview.href = `${this.#doors?.preview}${query}`;
    const page = this.#doors?.page ?? "";
    if (page) this.#page.href = `${page}${query}`;
    reveal(this.#offer, page !== "");
    reveal(this.#here, isLoopback(location.hostname));
  }

  async #make() {
    const doors = this.#doors;
    if (!doors) return;
    write(this.#problem, "");
    const answer = await doors.make(this.#asked);
    if (this.#doors !== doors) return;
    if ("problem" in answer) return write(this.#problem, answer.problem.message);
    this.#address.value = new URL(answer.address, location.href).href;
    reveal(this.#made, true);
    this.#address.focus();
    await this.#list();
  }

  async #list() {
    const doors = this.#doors;
    const answer = await doors?.list();
    if (!answer || this.#doors !== doors) return;
    if ("problem" in answer) return write(this.#problem, answer.problem.message);
    this.#links.replaceChildren(...answer.shares.map((link) => drawShareLink(link, (id) => this.#revoke(id))));
    reveal(this.#none, answer.shares.length === 0);
  }

  /** @param {string} id */
  async #revoke(id) {
    const answer = await this.#doors?.revoke(id);
    if (answer && "problem" in answer) write(this.#problem, answer.problem.message);
    await this.#list();
    this.#links.closest("section")?.querySelector("button")?.focus();
  }
}

customElements.define("share-dialog", ShareDialog);
