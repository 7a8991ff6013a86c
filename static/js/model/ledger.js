/**
 * The gateway's ledger as the page shows it: one row a call, in words. Knows no DOM. Used by gateway-ledger.
 *
 * @typedef {import("./charge.js").Charge & {
 *   created: number, path: string, streamed: boolean, lost?: {element: string, note: string}[],
 * }} LedgerEntry `created` is seconds since 1970
 * @typedef {{data: LedgerEntry[], total_cost_micros: number, balance_cents: number}} LedgerAnswer
 */

import { dollars } from "./charge.js";
import { count } from "./figures.js";

const MICROS_A_CENT = 10_000;
const CENT_DIGITS = 2;

/** @type {Record<string, [word: string, meaning: string]>} */
const ENDINGS = {
  running: ["running", "The model speaks; tokens and cost are what is known so far"],
  ended: ["ended", "The model came to its end"],
  failed: ["failed", "The model failed on the way; what it had said is charged"],
  left: ["client left", "The client left early; the model was read to its end and all of it is charged"],
  interrupted: ["interrupted", "The server died; what was known to be said is charged"],
};

/** @param {LedgerEntry} entry how a call ended, and in what it means */
function endingOf(entry) {
  const [word, meaning] = ENDINGS[entry.ended] ?? [entry.ended, ""];
  const words = [word];
  const meanings = [meaning];
  if (entry.replayed) {
    words.push("replayed");
    meanings.push("A stored answer was given again, which costs nothing");
  }
  const lost = entry.lost ?? [];
  if (lost.length > 0) {
    words.push(`${count(lost.length)} lost`);
    meanings.push(`The conversion could not say: ${lost.map(({ element }) => element).join(", ")}`);
  }
  return { text: words.join(", "), title: meanings.join(". ") };
}

/** The columns, in order; `number` ones stand to the right. @type {{title: string, number?: boolean, mono?: boolean}[]} */
export const LEDGER_COLUMNS = [
  { title: "Time" },
  { title: "Model", mono: true },
  { title: "Address", mono: true },
  { title: "Input", number: true },
  { title: "Output", number: true },
  { title: "Cost", number: true },
  { title: "Ending" },
  { title: "Request", mono: true },
];

/**
 * The texts of a row, one a column.
 * @param {LedgerEntry} entry
 * @param {(seconds: number) => string} clock the time of day
 * @returns {{text: string, title: string}[]}
 */
export function ledgerCells(entry, clock) {
  return [
    { text: clock(entry.created), title: new Date(entry.created * 1000).toISOString() },
    { text: entry.model, title: entry.model },
    { text: entry.path.replace(/^\/v1/, ""), title: `POST ${entry.path}, ${entry.streamed ? "streamed" : "whole"}` },
    { text: count(entry.input_tokens), title: "" },
    { text: count(entry.output_tokens), title: "" },
    { text: dollars(entry.cost_micros), title: "" },
    endingOf(entry),
    { text: entry.id.length > 12 ? `${entry.id.slice(0, 4)}…${entry.id.slice(-6)}` : entry.id, title: entry.id },
  ];
}

/** @param {LedgerAnswer} answer what the key spent and what it has left */
export function ledgerSums({ total_cost_micros: total, balance_cents: balance }) {
  return { total: dollars(total), balance: dollars(balance * MICROS_A_CENT, CENT_DIGITS) };
}

/** Why a key cannot be sent, "" when it can. @param {string} key */
export function keyProblem(key) {
  return /^[!-~]*$/.test(key) ? "" : "A key has letters, digits and signs of ASCII only, no spaces.";
}
