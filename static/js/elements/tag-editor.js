/**
 * <tag-editor>: tags as chips that can be taken away, and a field for more with those that are known. The owner sets
 * `tags` and `known`; it sends `tag` {add, remove}, and `done` when Escape is pressed in the field.
 */

import { make, makeButton, write } from "../drawing/dom.js";

const MOST_LETTERS = 40;
let editorCount = 0;

export class TagEditor extends HTMLElement {
  #chips = make("span", "tag-chips");
  #field = make("input", "tag-field");
  #known = make("datalist");
  /** @type {string[]} */
  #tags = [];
  /** @type {string[]} */
  #offers = [];

  connectedCallback() {
    if (this.firstChild) return;
    this.#known.id = `tags-${(editorCount += 1)}`;
    Object.assign(this.#field, { maxLength: MOST_LETTERS, placeholder: "+ tag", autocomplete: "off" });
    this.#field.setAttribute("list", this.#known.id);
    this.#field.setAttribute("aria-label", "Add a tag");
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.#field.addEventListener("change", () => this.#add());
    this.append(this.#chips, this.#field, this.#known);
  }

  get tags() {
    return this.#tags;
  }

  set tags(tags) {
    if (tags.join() === this.#tags.join() && this.#chips.childElementCount === tags.length) return;
    this.#tags = tags;
    this.#chips.replaceChildren(...tags.map((tag) => this.#chip(tag)));
    this.#offer();
  }

  /** Tags that are used somewhere. @param {string[]} known */
  set known(known) {
    this.#offers = known;
    this.#offer();
  }

  takeFocus() {
    this.#field.focus();
  }

  #offer() {
    const offers = this.#offers.filter((tag) => !this.#tags.includes(tag)).slice(0, 200);
    this.#known.replaceChildren(...offers.map((tag) => Object.assign(make("option"), { value: tag })));
  }

  /** @param {string} tag */
  #chip(tag) {
    const away = makeButton("tag-away", "×", () => this.#send([], [tag]));
    away.setAttribute("aria-label", `Remove the tag ${tag}`);
    const word = make("span", "tag-word");
    write(word, tag);
    return make("span", "tag", word, away);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" || event.key === ",") this.#add();
    else if (event.key === "Backspace" && this.#field.value === "" && this.#tags.length > 0) this.#send([], this.#tags.slice(-1));
    else if (event.key === "Escape") this.dispatchEvent(new CustomEvent("done", { bubbles: true }));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #add() {
    const words = this.#field.value.split(",").map((word) => word.trim()).filter(Boolean);
    this.#field.value = "";
    if (words.length > 0) this.#send(words, []);
  }

  /** @param {string[]} add @param {string[]} remove */
  #send(add, remove) {
    this.dispatchEvent(new CustomEvent("tag", { bubbles: true, detail: { add, remove } }));
  }
}

customElements.define("tag-editor", TagEditor);
