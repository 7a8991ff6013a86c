/** A session as a row of the library's list: made once, written anew when it shows another one. Used by session-list. */

import { endingWords, entryTexts, entryTime, entryTitle, wholeTime } from "../model/entry.js";
import { make, makeButton, reveal, write } from "./dom.js";

/** @typedef {import("../model/library.js").Entry} Entry */
/** @typedef {"rename" | "tags" | "delete" | "undo" | "restore"} EntryAct */

/** The columns behind the title, in order. @type {{name: string, title: string, number?: boolean}[]} */
export const ENTRY_COLUMNS = [
  { name: "formats", title: "Format" },
  { name: "target", title: "Target" },
  { name: "model", title: "Model" },
  { name: "ended", title: "Ended" },
  { name: "when", title: "When" },
  { name: "length", title: "Length", number: true },
  { name: "events", title: "Events", number: true },
  { name: "tokens", title: "Tokens", number: true },
  { name: "findings", title: "Findings" },
];

const GONE_WORDS = new Map([["deleted", "Deleted"], ["restored", "Back in the library"], ["erased", "Gone for good"]]);

/** @param {Element} element @param {string} text @param {string} [title] */
function writeWithTitle(element, text, title = text) {
  write(element, text);
  if (element.getAttribute("title") !== title) element.setAttribute("title", title);
}

export class EntryRow {
  /**
   * @param {(id: string, act: EntryAct) => void} act
   * @param {(id: string, on: boolean) => void} choose
   */
  constructor(act, choose) {
    this.id = "";
    /** What was drawn last: drawing the same again costs nothing. @type {unknown[]} */
    this.drawn = [];
    this.box = make("input");
    this.box.type = "checkbox";
    this.box.tabIndex = -1;
    this.box.addEventListener("change", () => choose(this.id, this.box.checked));
    this.link = make("a", "entry-link");
    this.link.tabIndex = -1;
    this.tags = make("span", "entry-tags");
    this.shelved = make("span", "entry-acts", ...["rename", "tags", "delete"].map((name) => this.#act(name, name, act)));
    this.binned = make("span", "entry-acts", this.#act("restore", "bring back", act), this.#act("delete", "delete for good", act));
    this.line = make("span", "entry-line");
    this.top = make("span", "entry-top", this.link, this.tags, this.shelved, this.binned);
    this.gone = make("span", "entry-gone", make("span"), this.#act("undo", "Undo", act));
    this.title = this.#cell("entry-title", this.top, this.line, this.gone);
    this.cells = new Map(ENTRY_COLUMNS.map(({ name, number }) => [name, this.#cell(`entry-${name}${number ? " number" : ""}`)]));
    this.row = make("div", "entry", this.#cell("entry-choose", this.box), this.title, ...this.cells.values());
    this.row.setAttribute("role", "row");
  }

  /** @param {string} name @param {string} label @param {(id: string, act: EntryAct) => void} act */
  #act(name, label, act) {
    const button = makeButton("plain", label, () => act(this.id, /** @type {EntryAct} */ (name)));
    button.tabIndex = -1;
    return button;
  }

  /** @param {string} className @param {...Node} children */
  #cell(className, ...children) {
    const cell = make("div", className, ...children);
    cell.setAttribute("role", "gridcell");
    return cell;
  }

  /** @param {string} name */
  cell(name) {
    return /** @type {HTMLElement} */ (this.cells.get(name));
  }

  /**
   * @param {Entry} entry
   * @param {{chosen: boolean, current: boolean, gone: string, number: number}} state `number` counts from 1
   */
  draw(entry, { chosen, current, gone, number }) {
    const wanted = [entry, chosen, current, gone, number];
    if (wanted.every((value, place) => value === this.drawn[place])) return;
    this.drawn = wanted;
    this.#become(entry);
    const title = entryTitle(entry);
    const texts = entryTexts(entry);
    writeWithTitle(this.link, title);
    write(this.line, entry.line);
    this.box.checked = chosen;
    this.box.setAttribute("aria-label", `Choose ${title}`);
    if (this.tags.textContent !== entry.tags.join("")) this.tags.replaceChildren(...entry.tags.map((tag) => make("span", "tag", tag)));
    this.#formats(texts.formats);
    writeWithTitle(this.cell("target"), texts.target, texts.targets);
    writeWithTitle(this.cell("model"), texts.model, texts.models);
    for (const name of /** @type {const} */ (["length", "events", "tokens", "findings"])) write(this.cell(name), texts[name]);
    this.#ended(entry);
    write(this.cell("when"), entryTime(entry.created));
    this.cell("when").title = wholeTime(entry.created) + (entry.origin === "import" ? ", imported" : "");
    this.cell("findings").dataset.tone = entry.errors > 0 ? "bad" : "warn";
    this.row.setAttribute("aria-rowindex", String(number + 1));
    this.row.setAttribute("aria-selected", String(chosen));
    this.row.toggleAttribute("data-current", current);
    this.row.toggleAttribute("data-gone", gone !== "");
    write(/** @type {Element} */ (this.gone.firstElementChild), `${GONE_WORDS.get(gone) ?? ""}: ${title}`);
    reveal(this.gone, gone !== "");
    reveal(/** @type {HTMLElement} */ (this.gone.lastElementChild), gone !== "erased");
    reveal(this.top, gone === "");
    reveal(this.line, gone === "");
    reveal(this.shelved, entry.deleted === null);
    reveal(this.binned, entry.deleted !== null);
    this.box.disabled = gone !== "";
  }

  /** @param {Entry} entry */
  #become({ id, deleted }) {
    if (this.id === id) return;
    this.id = id;
    this.row.id = `entry-${id}`;
    if (deleted === null) this.link.href = `/sessions/${encodeURIComponent(id)}/`;
    else this.link.removeAttribute("href");
  }

  /** @param {string} formats */
  #formats(formats) {
    const cell = this.cell("formats");
    if (cell.textContent === formats) return;
    cell.replaceChildren(...formats.split(" ").filter(Boolean).flatMap((format, place) => {
      const word = make("span", "entry-format", format);
      word.dataset.format = format;
      return place > 0 ? [" ", word] : [word];
    }));
  }

  /** @param {Entry} entry */
  #ended(entry) {
    const words = endingWords(entry);
    const cell = this.cell("ended");
    if (cell.textContent === words.map(({ word }) => word).join(" ")) return;
    cell.replaceChildren(...words.flatMap(({ word, tone }, place) => {
      const shown = make("span", "entry-word", word);
      shown.dataset.tone = tone;
      return place > 0 ? [" ", shown] : [shown];
    }));
  }
}
