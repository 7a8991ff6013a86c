/**
 * <theme-switch>: a button that goes round the system's theme, light and dark. theme.js sets the chosen one before the
 * first paint.
 */

import { makeButton } from "../drawing/dom.js";

const THEMES = ["system", "light", "dark"];
/** U+FE0E asks for the plain sign where a system would draw a coloured picture. */
const THEME_SIGNS = { system: "◐", light: "☀\uFE0E", dark: "☾" };

export class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.button = makeButton("plain icon", "", () => this.#turn());
    this.append(this.button);
    this.#draw();
  }

  get theme() {
    return /** @type {keyof typeof THEME_SIGNS} */ (document.documentElement.dataset.theme ?? "system");
  }

  #turn() {
    const next = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    const root = document.documentElement;
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    if (next === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", next);
    this.#draw();
  }

  #draw() {
    if (!this.button) return;
    this.button.textContent = THEME_SIGNS[this.theme];
    this.button.setAttribute("aria-label", `Theme: ${this.theme}`);
    this.button.title = `Theme: ${this.theme}`;
  }
}

customElements.define("theme-switch", ThemeSwitch);
