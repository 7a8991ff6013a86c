/**
 * <library-filters>: what is looked for in the library: words, one choice of each kind with how many there are, the order.
 * The page sets `library`; it sends `wanted` with all of it, so that it can stand in the address.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { drawNext } from "../model/frames.js";
import { isNarrowed } from "../model/library.js";

/** @typedef {import("../model/library.js").LibraryModel} LibraryModel */
/** @typedef {import("../model/library.js").Counts} Counts */
/** @typedef {[value: string, label: string]} Choice */

const SEARCH_PAUSE = 200;

/** @type {Choice[]} */
const SORT_CHOICES = [["newest", "Newest first"], ["oldest", "Oldest first"], ["longest", "Longest"], ["events", "Most events"], ["tokens", "Most tokens"], ["findings", "Most findings"], ["title", "Title"]];

/** @param {import("../model/library.js").Tally} tally @param {string} empty what "" stands for @returns {Choice[]} */
function choicesOf(tally, empty = "unknown") {
  return Object.entries(tally).map(([value, many]) => [value || empty, `${value || empty} (${many.toLocaleString("en-US")})`]);
}

/** By name: its label, what stands for anything, and what there is. @type {[name: string, label: string, all: string, of: (counts: Counts) => Choice[]][]} */
const CHOICES = [
  ["format", "Format", "Any format", ({ formats }) => choicesOf(formats)],
  ["target", "Target", "Any target", ({ targets }) => choicesOf(targets)],
  ["word", "Ended", "Any end", ({ words }) => choicesOf(words, "streaming")],
  ["tag", "Tag", "Any tag", ({ tags }) => choicesOf(tags)],
  ["findings", "Findings", "Any findings", () => [["any", "with findings"], ["errors", "with errors"], ["none", "without findings"]]],
  ["origin", "Origin", "Any origin", ({ origins }) => choicesOf(origins)],
];

export class LibraryFilters extends HTMLElement {
  /** @type {LibraryModel | null} */
  #library = null;
  #forget = () => {};
  #timer = 0;
  #search = make("input", "library-search");
  /** @type {Map<string, HTMLSelectElement>} */
  #selects = new Map();
  #clear = makeButton("plain", "Clear", () => this.clear());
  redraw = () => this.#draw();

  connectedCallback() {
    if (!this.#search.isConnected) {
      Object.assign(this.#search, { type: "search", maxLength: 200, placeholder: "search: title, prompt, what was said, model" });
      this.#search.setAttribute("aria-label", "Search sessions");
      this.#search.addEventListener("input", () => this.#soon());
      this.#search.addEventListener("keydown", (event) => this.#key(event));
      this.append(this.#search);
      for (const [name, label, all] of CHOICES) this.append(this.#select(name, label, [["", all]]));
      this.append(this.#clear, this.#select("sort", "Order", SORT_CHOICES));
    }
    this.#watch();
  }

  disconnectedCallback() {
    this.#forget();
  }

  /** @param {LibraryModel} library */
  set library(library) {
    this.#library = library;
    this.#search.value = library.wanted.q ?? "";
    if (this.isConnected) this.#watch();
  }

  #watch() {
    this.#forget();
    this.#forget = this.#library?.subscribe(() => drawNext(this.redraw)) ?? (() => {});
    this.#draw();
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  clear() {
    this.#search.value = "";
    const { sort, deleted } = this.#library?.wanted ?? {};
    this.#send({ sort, deleted });
  }

  /** @param {string} name @param {string} label @param {Choice[]} choices */
  #select(name, label, choices) {
    const select = make("select", `library-${name}`);
    select.setAttribute("aria-label", label);
    fillSelect(select, choices);
    select.addEventListener("change", () => this.#send({ ...this.#library?.wanted, q: this.#search.value.trim(), [name]: select.value }));
    this.#selects.set(name, select);
    return select;
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#look(), SEARCH_PAUSE);
  }

  #look() {
    clearTimeout(this.#timer);
    const q = this.#search.value.trim();
    if (q !== (this.#library?.wanted.q ?? "")) this.#send({ ...this.#library?.wanted, q });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || !["Enter", "ArrowDown", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape" && this.#search.value !== "") this.#search.value = "";
    this.#look();
    if (event.key !== "Escape" || this.#search.value === "") this.dispatchEvent(new CustomEvent("leave"));
  }

  /** @param {Record<string, string | undefined>} wanted */
  #send(wanted) {
    this.dispatchEvent(new CustomEvent("wanted", { detail: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)) }));
  }

  #draw() {
    const library = this.#library;
    if (!library) return;
    const { wanted, counts } = library;
    if (document.activeElement !== this.#search) this.#search.value = wanted.q ?? "";
    for (const [name, , all, of] of CHOICES) {
      const select = /** @type {HTMLSelectElement} */ (this.#selects.get(name));
      const chosen = wanted[name] ?? "";
      const choices = counts ? of(counts) : [];
      if (chosen !== "" && !choices.some(([value]) => value === chosen)) choices.push([chosen, chosen]);
      fillSelect(select, [["", all], ...choices]);
      select.value = chosen;
      select.toggleAttribute("data-set", chosen !== "");
      reveal(select, choices.length > 1 || chosen !== "" || name === "format");
    }
    const sort = /** @type {HTMLSelectElement} */ (this.#selects.get("sort"));
    sort.value = wanted.sort ?? "newest";
    reveal(this.#clear, isNarrowed(wanted));
  }
}

/** Only where something changed: a list that is open stays open. @param {HTMLSelectElement} select @param {Choice[]} choices */
function fillSelect(select, choices) {
  choices.forEach(([value, label], place) => {
    const option = select.options[place] ?? select.appendChild(make("option"));
    if (option.value !== value || !option.hasAttribute("value")) option.value = value;
    write(option, label);
  });
  while (select.options.length > choices.length) select.remove(select.options.length - 1);
}

customElements.define("library-filters", LibraryFilters);
