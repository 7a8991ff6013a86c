/**
 * <row-detail>: an open row: where it lies, its JSON as a tree, and its exact bytes. Made by <wire-pane>, which says how
 * to get the bytes.
 */

import { make, makeButton, makeCopyButton, reveal, write } from "../drawing/dom.js";
import { codedText, severityMark } from "../drawing/finding-card.js";
import { jsonTree } from "../drawing/json-tree.js";
import { TreeWalk } from "../drawing/tree-walk.js";
import { parseExact, prettyJson } from "../model/exact-json.js";
import { clockTime, count, size } from "../model/figures.js";
import { RuleBook } from "../model/rule-book.js";
import { hexDump, visibleText, wholeCharacters } from "../model/visible.js";

/** Bytes that are fetched at once: the first time, and by each press for more. */
const FIRST_BYTES = 2048;
const MORE_BYTES = 16_384;
/** Pixels that sixteen bytes of a hex dump want. */
const HEX_WIDTH = 560;

/** @typedef {"text" | "hex"} BytesMode */
/** @typedef {(from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>} AskBytes of the decoded body */

export class RowDetail extends HTMLElement {
  constructor() {
    super();
    /** @type {AskBytes} */
    this.askBytes = async () => new Uint8Array(0);
    /** @type {BytesMode} */
    this.mode = "text";
    /** The address of the row on this page. */
    this.link = "";
    this.copyLink = makeCopyButton("quiet", () => this.link, "copy link");
    this.start = 0;
    this.end = 0;
    this.data = "";
    /** The bytes that are here; others than those of a row that was shown before. */
    this.bytes = new Uint8Array(0);
    this.asking = new AbortController();
    this.where = make("span", "detail-where");
    this.rules = new RuleBook();
    this.wrong = make("ul", "detail-wrong");
    this.tree = make("div", "detail-tree");
    /** Says with "explain" which field is pointed at or has the focus, null for none. */
    this.walk = new TreeWalk(this.tree, (field) => {
      this.dispatchEvent(new CustomEvent("explain", { detail: field, bubbles: true }));
    });
    this.dump = make("div", "detail-bytes");
    this.note = make("span", "detail-note");
    this.more = makeButton("quiet", "", () => this.#fetch());
    this.modes = /** @type {BytesMode[]} */ (["text", "hex"]).map((mode) => {
      return { mode, button: makeButton("mode", mode, () => this.#setMode(mode)) };
    });
    this.built = false;
  }

  connectedCallback() {
    if (this.built) return;
    this.built = true;
    const modes = make("div", "modes", ...this.modes.map(({ button }) => button));
    modes.setAttribute("role", "group");
    modes.setAttribute("aria-label", "How to show the bytes");
    const copy = makeCopyButton("quiet", () => this.#copied());
    this.copyLink.title = "The address of this row";
    this.append(
      make("div", "detail-bar", this.where, this.copyLink, copy),
      this.wrong,
      this.tree,
      make("div", "detail-bar", make("span", "detail-title", "bytes"), modes),
      this.dump,
      make("div", "detail-foot", this.note, this.more),
    );
  }

  disconnectedCallback() {
    this.asking.abort();
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} index of the row
   * @param {AskBytes} askBytes
   * @param {string} link the row's own address
   */
  show(lane, index, askBytes, link) {
    this.link = link;
    reveal(this.copyLink, link !== "");
    const { rows, steps } = lane;
    const step = rows.steps.values[index];
    this.askBytes = askBytes;
    this.start = rows.starts.values[index];
    this.end = rows.ends.values[index];
    this.data = rows.data[index];
    const name = rows.name(index);
    const facts = [
      `bytes ${count(this.start)}–${count(this.end)}`,
      size(this.end - this.start),
      rows.kind(index) === "event" || step < steps.length - 1 ? `read ${count(step)}` : "end of the body",
      `${clockTime(steps.times.at(step))} s`,
      rows.kind(index) === "event" ? (name ? `event ${name}` : "no event name") : rows.kind(index),
    ];
    this.where.replaceChildren(...facts.map((fact) => make("span", "detail-fact", fact)));
    this.#drawWrong(lane.findings.ofRow(index));
    const value = rows.kind(index) === "event" ? parseExact(this.data) : null;
    const collection = value && value.type !== "string" && value.type !== "word" && value.type !== "number";
    this.tree.replaceChildren(...(collection && value ? [jsonTree(value, "")] : []));
    this.walk.begin();
    reveal(this.tree, Boolean(collection));
    this.bytes = new Uint8Array(0);
    this.asking.abort();
    this.dump.replaceChildren();
    this.#setMode(this.mode);
    this.#fetch();
  }

  /** @param {import("../model/findings.js").Finding[]} found on the row */
  #drawWrong(found) {
    this.wrong.replaceChildren(...found.map(({ rule, severity }) =>
      make("li", "", severityMark(severity), make("span", "finding-severity", severity), make("span", "finding-rule mono", rule),
        make("span", "", ...codedText(this.rules.of(rule).says)))));
    reveal(this.wrong, found.length > 0);
  }

  #copied() {
    const value = parseExact(this.data);
    return value ? prettyJson(value) : this.data;
  }

  /** @param {BytesMode} mode */
  #setMode(mode) {
    this.mode = mode;
    for (const entry of this.modes) entry.button.setAttribute("aria-pressed", String(entry.mode === mode));
    this.#drawBytes();
  }

  async #fetch() {
    const from = this.start + this.bytes.length;
    const to = Math.min(this.end, from + (this.bytes.length === 0 ? FIRST_BYTES : MORE_BYTES));
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    reveal(this.more, false);
    if (to <= from) return write(this.note, "no bytes");
    try {
      const fresh = await this.askBytes(from, to, signal);
      if (signal.aborted) return;
      const bytes = new Uint8Array(this.bytes.length + fresh.length);
      bytes.set(this.bytes);
      bytes.set(fresh, this.bytes.length);
      this.bytes = bytes;
      write(this.note, "");
    } catch (problem) {
      if (signal.aborted) return;
      write(this.note, `The bytes could not be fetched (${problem instanceof Error ? problem.message : problem}).`);
      this.more.textContent = "try again";
      reveal(this.more, true);
      return;
    }
    const rest = this.end - this.start - this.bytes.length;
    this.more.textContent = `${count(Math.min(rest, MORE_BYTES))} more of ${count(rest)} bytes`;
    reveal(this.more, rest > 0);
    this.#drawBytes();
  }

  #drawBytes() {
    this.dump.classList.toggle("hex", this.mode === "hex");
    if (this.mode === "hex") {
      this.dump.textContent = hexDump(this.bytes, this.start, this.dump.clientWidth < HEX_WIDTH ? 8 : 16);
      return;
    }
    const whole = this.start + this.bytes.length === this.end ? this.bytes : wholeCharacters(this.bytes);
    this.dump.replaceChildren(
      ...visibleText(whole).map(({ text, mark, title }) => {
        if (!mark) return text;
        const sign = make("span", text.startsWith("\\x") ? "byte-mark bad" : "byte-mark", text);
        sign.title = title;
        return sign;
      }),
    );
  }
}

customElements.define("row-detail", RowDetail);
