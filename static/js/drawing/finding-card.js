/**
 * One finding in the list: its rule in words, and the rows it was raised on. Made by the Findings pane, which is told
 * where the person wants to go.
 */

import { count, counted } from "../model/figures.js";
import { make, makeButton, makeLink, reveal, write } from "./dom.js";

/** Rows of a finding that are links, and occurrences that are told, before the person asks for more. */
const FIRST_ROWS = 40;
const FIRST_TOLD = 3;

/** The triangle of a finding; a word stands beside it. @param {import("../model/findings.js").Severity} severity */
export function severityMark(severity) {
  const mark = make("span", "severity-mark", "▲");
  mark.dataset.severity = severity;
  mark.setAttribute("aria-hidden", "true");
  return mark;
}

/** A sentence of a rule: what stands between backquotes is code. @param {string} text */
export function codedText(text) {
  return text.split("`").map((piece, place) => (place % 2 === 1 ? make("code", "", piece) : piece));
}

/**
 * @typedef {object} FindingDeeds what a press does
 * @property {(row: number) => void} go
 * @property {(rule: string) => void} filter
 * @property {() => void} redraw
 */

export class FindingCard {
  /**
   * @param {import("../model/findings.js").Finding} finding
   * @param {import("../model/rule-book.js").RuleBook} book
   * @param {FindingDeeds} deeds
   */
  constructor(finding, book, deeds) {
    this.finding = finding;
    this.deeds = deeds;
    this.drawn = "";
    this.all = false;
    const { rule, severity } = finding;
    const text = book.of(rule);
    const address = book.addressOf(rule);
    this.rowCount = make("span", "finding-count");
    this.later = make("span", "finding-later", "later");
    this.later.title = "Raised later than where the player stands";
    const name = address ? make("a", "finding-rule mono", rule) : make("span", "finding-rule mono", rule);
    if (name instanceof HTMLAnchorElement) name.href = address;
    const title = make("h2", "finding-title", severityMark(severity), make("span", "finding-severity", severity), name);
    this.told = make("ul", "finding-told");
    this.rows = make("p", "finding-rows");
    this.filter = makeButton("quiet finding-filter", "filter Wire", () => deeds.filter(rule));
    this.filter.setAttribute("aria-label", `Filter Wire by ${rule}`);
    this.element = make("li", "finding",
      make("div", "finding-head", title, this.later, this.rowCount, this.filter),
      make("p", "finding-says", ...codedText(text.says)),
      this.told, this.rows,
      make("dl", "finding-facts",
        ...ruleFact("expected", codedText(text.expected)),
        ...ruleFact("clients", codedText(text.clients)),
        ...ruleFact("rests on", text.links.flatMap(([label, link], place) => [place > 0 ? ", " : "", link ? makeLink(link, withoutScheme(label)) : label]))));
    this.element.dataset.severity = severity;
  }

  /** @param {boolean} here whether it was raised at or before where the player stands */
  update(here) {
    const { rows: { length: total }, occurrences: seen } = this.finding;
    const state = `${total} ${seen.length} ${this.all} ${here}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.element.toggleAttribute("data-later", !here);
    reveal(this.later, !here);
    write(this.rowCount, total > 0 ? counted(total, "row") : "the whole body");
    reveal(this.filter, total > 0);
    const telling = seen.filter(({ row, start, detail }) => row >= 0 || start !== null || detail !== "");
    const told = this.all ? telling : telling.slice(0, FIRST_TOLD);
    this.told.replaceChildren(...told.map((one) => this.#occurrence(one)));
    this.#drawRows(total, new Set(told.map(({ row }) => row)), telling.length > told.length);
  }

  /** @param {import("../model/findings.js").Occurrence} occurrence */
  #occurrence({ row, start, end, detail }) {
    const line = make("li", "", row < 0 ? make("span", "finding-where", "body") : this.#rowLink(row, `row ${count(row + 1)}`));
    if (detail) line.append(make("span", "finding-detail mono", detail));
    if (start !== null && end !== null) line.append(make("span", "finding-bytes", `bytes ${count(start)}–${count(end)}`));
    return line;
  }

  /**
   * Rows that no line above tells of.
   * @param {number} total
   * @param {Set<number>} told
   * @param {boolean} more occurrences could be told
   */
  #drawRows(total, told, more) {
    const most = this.all ? FIRST_ROWS * 10 : FIRST_ROWS;
    const { values } = this.finding.rows;
    const others = [];
    for (let place = 0; place < total && others.length < most; place++) if (!told.has(values[place])) others.push(values[place]);
    const left = total - others.length - [...told].filter((row) => row >= 0).length;
    const links = others.flatMap((row) => [this.#rowLink(row, count(row + 1)), " "]);
    this.rows.replaceChildren(...(links.length > 0 ? [told.size > 0 ? "also in " : "rows ", ...links] : []));
    if (left > 0) this.rows.append(`and ${counted(left, "row")} more `);
    if (!this.all && (more || left > 0)) {
      this.rows.append(makeButton("quiet", "show more", () => {
        this.all = true;
        this.deeds.redraw();
      }));
    }
    reveal(this.rows, this.rows.firstChild !== null);
  }

  /**
   * @param {number} row
   * @param {string} label
   */
  #rowLink(row, label) {
    const link = makeButton("row-link", label, () => this.deeds.go(row));
    link.setAttribute("aria-label", `Go to row ${count(row + 1)}`);
    return link;
  }
}

/**
 * @param {string} term
 * @param {(Node | string)[]} content
 */
function ruleFact(term, content) {
  return content.some((piece) => piece !== "") ? [make("div", "", make("dt", "", term), make("dd", "", ...content))] : [];
}

/** An address without what all have. @param {string} label */
function withoutScheme(label) {
  return label.replace(/^https?:\/\/(www\.)?/, "");
}
