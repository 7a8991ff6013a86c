/**
 * <json-editor data-label="…">: JSON in a plain text area, coloured by a copy of the text behind it, so that undo, input
 * methods and screen readers are the browser's own. Gives `value`, takes `problem`; fires `input` as a text area does.
 */

import { make, reveal, write } from "../drawing/dom.js";
import { jsonColours } from "../model/json-text.js";

/** Above this many characters there are no colours and no wrapping: both cost time with every key press. */
const COLOUR_LIMIT = 60_000;
const INDENT = "  ";

/** @typedef {"key"|"string"|"number"|"word"|"mistake"} JsonColour */

/** One highlight a colour for the whole page, shared by all editors. @param {JsonColour} colour */
function highlightOf(colour) {
  const name = `json-${colour}`;
  let highlight = CSS.highlights.get(name);
  if (!highlight) CSS.highlights.set(name, (highlight = new Highlight()));
  return highlight;
}

export class JsonEditor extends HTMLElement {
  constructor() {
    super();
    this.area = make("textarea", "json-area");
    this.copy = make("pre", "json-copy");
    this.said = make("p", "problem json-problem");
    /** @type {import("../model/json-scan.js").JsonProblem | null} */
    this.mistake = null;
    /** @type {[JsonColour, Range][]} */
    this.ranges = [];
    /** The text that the copy shows; null when it has to be drawn again. @type {string | null} */
    this.drawn = null;
    this.colours = "highlights" in CSS;
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    this.#draw();
  }

  disconnectedCallback() {
    this.#uncolour();
    this.drawn = null;
  }

  #build() {
    const { area, copy, said } = this;
    area.spellcheck = false;
    area.rows = 1;
    area.setAttribute("autocapitalize", "off");
    area.setAttribute("autocomplete", "off");
    area.setAttribute("aria-label", this.dataset.label ?? "JSON");
    said.id = `${this.id || `json-${Math.random().toString(36).slice(2)}`}-problem`;
    area.setAttribute("aria-describedby", said.id);
    copy.setAttribute("aria-hidden", "true");
    area.addEventListener("input", () => this.#draw());
    area.addEventListener("keydown", (event) => this.#key(event));
    said.hidden = true;
    said.addEventListener("click", () => this.showMistake());
    this.append(make("div", "json-frame", make("div", "json-sheet", copy, area)), said);
  }

  get value() {
    return this.area.value;
  }

  /** Only a text that differs is set: the caret and the undo of the browser stay. */
  set value(text) {
    if (this.area.value === text) return;
    const { selectionStart, selectionEnd, scrollTop } = this.area;
    this.area.value = text;
    this.area.scrollTop = scrollTop;
    if (document.activeElement === this.area) this.area.setSelectionRange(selectionStart, selectionEnd);
    this.#draw();
  }

  get problem() {
    return this.mistake;
  }

  /** @param {import("../model/json-scan.js").JsonProblem | null} mistake */
  set problem(mistake) {
    this.mistake = mistake;
    write(this.said, mistake ? `Line ${mistake.line}, column ${mistake.column}: ${mistake.message}.` : "");
    reveal(this.said, mistake !== null);
    if (mistake) this.area.setAttribute("aria-invalid", "true");
    else this.area.removeAttribute("aria-invalid");
    this.drawn = null;
    if (this.isConnected) this.#draw();
  }

  /** Put the caret where the mistake is. */
  showMistake() {
    this.area.focus();
    this.said.scrollIntoView({ block: "nearest" });
    if (this.mistake) this.area.setSelectionRange(this.mistake.offset, this.mistake.offset + 1);
  }

  #draw() {
    const text = this.area.value;
    const large = text.length > COLOUR_LIMIT;
    this.toggleAttribute("data-large", large);
    if (this.drawn === text) return;
    this.drawn = text;
    this.#uncolour();
    // The line end gives the copy the last, empty line that a text area has.
    write(this.copy, large ? "" : `${text}\n`);
    const node = this.copy.firstChild;
    if (large || !this.colours || !node) return;
    for (const [colour, start, end] of jsonColours(text)) this.#colour(colour, node, start, end);
    if (this.mistake) {
      const start = text.lastIndexOf("\n", this.mistake.offset - 1) + 1;
      const end = text.indexOf("\n", this.mistake.offset);
      this.#colour("mistake", node, start, (end < 0 ? text.length : end) + 1);
    }
  }

  /** @param {JsonColour} colour @param {Node} node @param {number} start @param {number} end */
  #colour(colour, node, start, end) {
    const range = new Range();
    range.setStart(node, start);
    range.setEnd(node, end);
    highlightOf(colour).add(range);
    this.ranges.push([colour, range]);
  }

  #uncolour() {
    for (const [colour, range] of this.ranges) highlightOf(colour).delete(range);
    this.ranges = [];
  }

  /** Tab leaves; Ctrl+] and Ctrl+[ indent; Enter keeps the indentation. @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    const control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (control && (event.key === "]" || event.key === "[")) this.#indent(event.key === "]" ? 1 : -1);
    else if (event.key === "Enter" && !control && !event.shiftKey && !event.altKey) this.#breakLine();
    else return;
    event.preventDefault();
  }

  #breakLine() {
    const { value, selectionStart: at } = this.area;
    const line = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const deeper = /[{[]\s*$/.test(line) ? INDENT : "";
    this.#type(`\n${indent}${deeper}`);
  }

  /** @param {1|-1} by */
  #indent(by) {
    const { area } = this;
    const { value, selectionStart, selectionEnd } = area;
    const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
    const to = value.indexOf("\n", Math.max(selectionEnd - (selectionEnd > selectionStart ? 1 : 0), from));
    const end = to < 0 ? value.length : to;
    const lines = value.slice(from, end).split("\n");
    const moved = lines.map((line) => (by > 0 ? INDENT + line : line.replace(/^(?: {1,2}|\t)/, "")));
    area.setSelectionRange(from, end);
    this.#type(moved.join("\n"));
    const first = moved[0].length - lines[0].length;
    if (lines.length > 1) area.setSelectionRange(from, from + moved.join("\n").length);
    else area.setSelectionRange(Math.max(from, selectionStart + first), Math.max(from, selectionEnd + first));
  }

  /** As if typed, so that it can be undone. @param {string} text */
  #type(text) {
    // The one way to change a text area that its undo knows of; there is no successor.
    if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.area.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

customElements.define("json-editor", JsonEditor);
