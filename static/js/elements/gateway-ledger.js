/**
 * <gateway-ledger>: the ledger of one key, newest first. Takes `show(ledger)`; fires `key` when another one is wanted.
 * Rows stay the same elements while their call goes on, so what is selected or pointed at is not pulled away.
 */

import { make, reveal, write } from "../drawing/dom.js";
import { LEDGER_COLUMNS, keyProblem, ledgerCells, ledgerSums } from "../model/ledger.js";

/** @typedef {import("../model/ledger.js").LedgerAnswer} LedgerAnswer */
/** @typedef {import("../model/ledger.js").LedgerEntry} LedgerEntry */

const TIME_OF_DAY = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** The time of day, with the day when it is not today. @param {number} seconds */
function ledgerTime(seconds) {
  const date = new Date(seconds * 1000);
  return (date.toDateString() === new Date().toDateString() ? TIME_OF_DAY : DAY_AND_TIME).format(date);
}

export class GatewayLedger extends HTMLElement {
  /** @type {Map<string, HTMLTableRowElement>} */
  #rows = new Map();
  #order = "";
  #total = make("b");
  #balance = make("b");
  #key = make("input", "mono");
  #problem = make("p", "problem");
  #notice = make("p", "gateway-note");
  #body = make("tbody");
  #table = make("div", "gateway-table");
  #empty = make("p", "gateway-empty");

  connectedCallback() {
    if (this.firstChild) return;
    Object.assign(this.#key, { id: "ledger-key", type: "text", placeholder: "no key", spellcheck: false, autocomplete: "off" });
    this.#key.setAttribute("aria-describedby", "ledger-key-note ledger-key-problem");
    this.#key.addEventListener("change", () => this.#choose());
    this.#problem.id = "ledger-key-problem";
    const label = make("label", "label", "Key");
    label.htmlFor = "ledger-key";
    const note = make("p", "gateway-note", "Any key works, and each has a ledger of its own. Calls without a key share one: those of the Play page, of curl, httpx and fetch. The Python clients always send a key; the programs here send ", make("code", "", "none"), ".");
    note.id = "ledger-key-note";
    this.#notice.setAttribute("role", "status");
    const heads = LEDGER_COLUMNS.map(({ title, number }) => {
      const head = make("th", number ? "number" : "", title);
      head.scope = "col";
      return head;
    });
    const table = make("table", "", make("caption", "unseen", "Calls, newest first"), make("thead", "", make("tr", "", ...heads)), this.#body);
    this.#table.append(table);
    this.#table.tabIndex = 0;
    this.#table.setAttribute("role", "region");
    this.#table.setAttribute("aria-label", "Calls");
    this.#empty.append("No calls with this key yet. Run one of the programs above, or press Run on the ", linkToPlay(), " page: each call appears here while it runs, with its tokens and what it costs. A client that leaves early pays for the whole answer.");
    this.append(
      make("div", "gateway-sums",
        make("span", "", "spent ", this.#total),
        make("span", "", "balance ", this.#balance),
        make("span", "gateway-key", label, this.#key)),
      this.#problem, note, this.#notice, this.#table, this.#empty,
    );
    reveal(this.#table, false);
    reveal(this.#empty, false);
    write(this.#total, "–");
    write(this.#balance, "–");
  }

  /** @param {LedgerAnswer | null} ledger null when the gateway does not answer: what is there stays */
  show(ledger) {
    write(this.#notice, ledger ? "" : "The gateway does not answer. Asking again.");
    reveal(this.#notice, !ledger);
    if (!ledger) return;
    const { total, balance } = ledgerSums(ledger);
    write(this.#total, total);
    write(this.#balance, balance);
    this.#drawRows(ledger.data);
    reveal(this.#table, ledger.data.length > 0);
    reveal(this.#empty, ledger.data.length === 0);
  }

  /** @param {LedgerEntry[]} entries */
  #drawRows(entries) {
    const rows = entries.map((entry) => {
      const row = this.#rows.get(entry.id) ?? newLedgerRow();
      row.dataset.ended = entry.ended;
      ledgerCells(entry, ledgerTime).forEach(({ text, title }, index) => {
        const cell = row.cells[index];
        write(cell, text);
        if (cell.title !== title) cell.title = title;
      });
      return row;
    });
    this.#rows = new Map(entries.map(({ id }, index) => [id, rows[index]]));
    const order = entries.map(({ id }) => id).join(" ");
    if (order !== this.#order) this.#body.replaceChildren(...rows);
    this.#order = order;
  }

  #choose() {
    const key = this.#key.value.trim();
    write(this.#problem, keyProblem(key));
    this.#key.setAttribute("aria-invalid", String(keyProblem(key) !== ""));
    if (keyProblem(key) === "") this.dispatchEvent(new CustomEvent("key", { detail: key }));
  }
}

function newLedgerRow() {
  return make("tr", "", ...LEDGER_COLUMNS.map(({ number, mono }) => make("td", number ? "number" : mono ? "mono" : "")));
}

function linkToPlay() {
  const link = make("a", "", "Play");
  link.href = "/";
  return link;
}

customElements.define("gateway-ledger", GatewayLedger);
