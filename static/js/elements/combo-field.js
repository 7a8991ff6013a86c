/**
 * <combo-field> around an <input>: a list of suggestions that may be taken or ignored. The composer sets `options`;
 * what is chosen comes as an `input` and a `change` of the field, as if it had been typed.
 */

import { make } from "../drawing/dom.js";

/** @typedef {{value: string, note: string}} ComboOption */

let comboCount = 0;

export class ComboField extends HTMLElement {
  /** @type {ComboOption[]} */
  options = [];
  /** The place of the option that keys point at, -1 for none. */
  active = -1;
  list = make("ul", "combo-list");
  /** Until something is typed the whole list is shown, whatever stands in the field. */
  typed = false;
  follow = () => this.#place();

  connectedCallback() {
    const { field, list } = this;
    if (!field || list.isConnected) return;
    list.id = `combo-${(comboCount += 1)}`;
    list.popover = "manual";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id }).forEach(
      ([name, value]) => field.setAttribute(name, value),
    );
    const opener = make("button", "combo-open");
    opener.type = "button";
    opener.tabIndex = -1;
    opener.setAttribute("aria-hidden", "true");
    opener.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const open = this.open;
      field.focus();
      if (open) this.close();
      else this.show();
    });
    this.append(opener, list);
    field.addEventListener("pointerdown", () => this.show());
    field.addEventListener("input", (event) => this.#typed(event));
    field.addEventListener("keydown", (event) => this.#key(event));
    field.addEventListener("blur", () => this.close());
    list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const item = event.target instanceof Element ? event.target.closest("li") : null;
      if (item) this.#take(item.dataset.value ?? "");
    });
  }

  disconnectedCallback() {
    this.close();
  }

  get field() {
    return this.querySelector("input");
  }

  get open() {
    return this.field?.getAttribute("aria-expanded") === "true";
  }

  show() {
    const { field, list } = this;
    if (!field) return;
    const wanted = this.typed ? field.value.trim().toLowerCase() : "";
    const found = this.options.filter(({ value, note }) => `${value} ${note}`.toLowerCase().includes(wanted)).slice(0, 200);
    list.replaceChildren(...found.map((option, index) => this.#item(option, index)));
    this.#point(this.typed ? -1 : found.findIndex(({ value }) => value === field.value));
    if (found.length === 0) return this.close();
    if (!this.open) {
      list.showPopover();
      window.addEventListener("scroll", this.follow, { capture: true, passive: true });
      window.addEventListener("resize", this.follow);
    }
    field.setAttribute("aria-expanded", "true");
    this.#place();
  }

  close() {
    if (!this.open) return;
    window.removeEventListener("scroll", this.follow, { capture: true });
    window.removeEventListener("resize", this.follow);
    if (this.list.isConnected) this.list.hidePopover();
    this.field?.setAttribute("aria-expanded", "false");
    this.field?.removeAttribute("aria-activedescendant");
    this.typed = false;
  }

  #place() {
    const { left, bottom, width } = /** @type {HTMLElement} */ (this.field).getBoundingClientRect();
    this.list.style.setProperty("left", `${left}px`);
    this.list.style.setProperty("top", `${bottom + 2}px`);
    this.list.style.setProperty("min-width", `${width}px`);
    this.list.style.setProperty("max-height", `${Math.max(120, Math.min(320, innerHeight - bottom - 12))}px`);
  }

  /** @param {ComboOption} option @param {number} index */
  #item({ value, note }, index) {
    const item = make("li", "combo-item", make("span", "mono", value), make("span", "combo-note", note));
    item.id = `${this.list.id}-${index}`;
    item.dataset.value = value;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(value === this.field?.value));
    return item;
  }

  /** @param {number} index */
  #point(index) {
    this.active = index;
    [...this.list.children].forEach((item, place) => item.toggleAttribute("data-active", place === index));
    const item = this.list.children[index];
    if (!item) return this.field?.removeAttribute("aria-activedescendant");
    item.scrollIntoView({ block: "nearest" });
    this.field?.setAttribute("aria-activedescendant", item.id);
  }

  /** @param {string} value */
  #take(value) {
    const { field } = this;
    if (!field) return;
    this.close();
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    this.close();
  }

  /** @param {Event} event */
  #typed(event) {
    if (!event.isTrusted) return;
    this.typed = true;
    this.show();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key } = event;
    const count = this.list.children.length;
    if (event.isComposing) return;
    if (event.ctrlKey || event.metaKey) {
      if (key === "Enter") this.close();
      return;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      const by = key === "ArrowDown" ? 1 : -1;
      if (!this.open) this.show();
      else this.#point((this.active + by + count + (this.active < 0 && by < 0 ? 1 : 0)) % count);
    } else if (this.open && key === "Enter" && this.active >= 0) {
      this.#take(/** @type {HTMLElement} */ (this.list.children[this.active]).dataset.value ?? "");
    } else if (this.open && key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

customElements.define("combo-field", ComboField);
