/**
 * <scenario-chips>: what the gateway can be asked to play, and what to look for in it. Takes `scenarios` and `chosen`
 * (a name, "" for none); fires `choose` with the name.
 */

import { make, makeButton, write } from "../drawing/dom.js";

/** Shown first, in this order; the others are behind "more…". */
const FIRST_SCENARIOS = ["text", "reasoning", "tools", "web-search", "error-mid", "cut", "unicode", "stall"];
const FIRST_COUNT = 7;
const NONE_CHOSEN = "None chosen: the model answers the request by itself.";

export class ScenarioChips extends HTMLElement {
  /** @type {import("../model/draft.js").Scenario[]} */
  #given = [];
  /** @type {import("../model/draft.js").Scenario[]} */
  #scenarios = [];
  #chosen = "";
  #all = false;

  constructor() {
    super();
    this.chips = make("div", "chips");
    this.line = make("p", "note scenario-line");
    this.line.setAttribute("aria-live", "polite");
    this.chips.addEventListener("pointerover", (event) => this.#look(event));
    this.chips.addEventListener("focusin", (event) => this.#look(event));
    this.chips.addEventListener("pointerleave", () => this.#tell(this.#chosen));
    this.chips.addEventListener("focusout", () => this.#tell(this.#chosen));
  }

  connectedCallback() {
    if (!this.firstChild) this.append(this.chips, this.line);
  }

  /** @param {import("../model/draft.js").Scenario[]} scenarios */
  set scenarios(scenarios) {
    if (scenarios === this.#given) return;
    const first = FIRST_SCENARIOS.flatMap((name) => scenarios.filter((scenario) => scenario.name === name));
    this.#given = scenarios;
    this.#scenarios = [...first, ...scenarios.filter(({ name }) => !FIRST_SCENARIOS.includes(name))];
    this.#build();
  }

  /** @param {string} name */
  set chosen(name) {
    if (name === this.#chosen && this.chips.firstChild) return;
    this.#chosen = name;
    if (this.#scenarios.findIndex((scenario) => scenario.name === name) >= FIRST_COUNT) this.#all = true;
    this.#build();
  }

  get chosen() {
    return this.#chosen;
  }

  #build() {
    const focused = this.chips.contains(document.activeElement) ? document.activeElement?.textContent : null;
    const shown = this.#all ? this.#scenarios : this.#scenarios.slice(0, FIRST_COUNT);
    const chips = shown.map(({ name }) => {
      const chip = makeButton("chip", name, () => this.#press(name));
      chip.dataset.name = name;
      chip.setAttribute("aria-pressed", String(name === this.#chosen));
      return chip;
    });
    if (this.#scenarios.length > FIRST_COUNT) {
      const more = makeButton("chip more", this.#all ? "fewer" : "more…", () => {
        this.#all = !this.#all;
        this.#build();
      });
      more.setAttribute("aria-expanded", String(this.#all));
      chips.push(more);
    }
    this.chips.replaceChildren(...chips);
    if (focused !== null) (chips.find((chip) => chip.textContent === focused) ?? chips[FIRST_COUNT] ?? chips[0])?.focus();
    this.#tell(this.#chosen);
  }

  /** @param {string} name */
  #press(name) {
    const chosen = name === this.#chosen ? "" : name;
    this.dispatchEvent(new CustomEvent("choose", { detail: chosen, bubbles: true }));
  }

  /** @param {Event} event */
  #look(event) {
    const chip = event.target instanceof HTMLElement ? event.target.dataset.name : undefined;
    if (chip) this.#tell(chip);
  }

  /** @param {string} name */
  #tell(name) {
    write(this.line, this.#scenarios.find((scenario) => scenario.name === name)?.look_for ?? NONE_CHOSEN);
  }
}

customElements.define("scenario-chips", ScenarioChips);
