/**
 * <header-rows>: names and values of headers, a row each. Takes and gives `value`; fires `edit` when it changes.
 */

import { make, makeButton } from "../drawing/dom.js";

export class HeaderRows extends HTMLElement {
  constructor() {
    super();
    this.rows = make("div", "header-rows");
    this.adder = makeButton("plain", "add a header", () => this.#add("", "")?.focus());
  }

  connectedCallback() {
    if (!this.firstChild) this.append(this.rows, this.adder);
  }

  /** @returns {[string, string][]} */
  get value() {
    return [...this.rows.children].map((row) => {
      const [name, value] = [...row.querySelectorAll("input")].map((field) => field.value);
      return [name, value];
    });
  }

  /** @param {[string, string][]} headers */
  set value(headers) {
    if (JSON.stringify(headers) === JSON.stringify(this.value)) return;
    this.rows.replaceChildren();
    for (const [name, value] of headers) this.#add(name, value);
  }

  /** @param {string} name @param {string} value */
  #add(name, value) {
    const [nameField, valueField] = [
      ["Name", name],
      ["Value", value],
    ].map(([label, text]) => {
      const field = make("input", "mono");
      Object.assign(field, { type: "text", value: text, placeholder: label.toLowerCase(), autocomplete: "off", spellcheck: false });
      field.setAttribute("aria-label", `${label} of the header`);
      field.addEventListener("input", () => this.#edited());
      return field;
    });
    const row = make("div", "header-row", nameField, valueField);
    const remove = makeButton("plain icon", "×", () => {
      row.remove();
      this.adder.focus();
      this.#edited();
    });
    remove.setAttribute("aria-label", "Remove this header");
    row.append(remove);
    this.rows.append(row);
    return nameField;
  }

  #edited() {
    this.dispatchEvent(new CustomEvent("edit", { bubbles: true }));
  }
}

customElements.define("header-rows", HeaderRows);
