/**
 * <rule-search>: a field that leaves the rules of the page that have all its words, and says how many there are. A rule
 * that the address names is shown whatever the field says.
 */

import { make, reveal, write } from "../drawing/dom.js";
import { counted } from "../model/figures.js";

export class RuleSearch extends HTMLElement {
  constructor() {
    super();
    this.field = make("input", "");
    this.found = make("span", "rules-found");
    this.named = () => this.#showNamed();
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    window.addEventListener("hashchange", this.named);
  }

  disconnectedCallback() {
    window.removeEventListener("hashchange", this.named);
  }

  #build() {
    Object.assign(this.field, { type: "search", placeholder: "search: words, severity, format", autocomplete: "off" });
    this.field.setAttribute("aria-label", "Search the rules");
    this.field.addEventListener("input", () => this.#search());
    this.found.setAttribute("role", "status");
    this.append(this.field, this.found);
    this.#search();
  }

  #search() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const section of document.querySelectorAll(".rules-section")) {
      const rules = /** @type {HTMLElement[]} */ ([...section.querySelectorAll(".rule")]);
      if (rules.length === 0) continue;
      const kept = rules.filter((rule) => words.every((word) => rule.textContent?.toLowerCase().includes(word)));
      for (const rule of rules) reveal(rule, kept.includes(rule));
      reveal(/** @type {HTMLElement} */ (section), kept.length > 0);
      found += kept.length;
    }
    write(this.found, found > 0 ? counted(found, "rule") : "No rule has these words.");
  }

  #showNamed() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!named?.hidden) return;
    this.field.value = "";
    this.#search();
    named.scrollIntoView();
  }
}

customElements.define("rule-search", RuleSearch);
