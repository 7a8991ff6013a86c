/**
 * One line that tells what a row brought. Made for the rows in sight only, out of their data; knows no vendor: what
 * every event repeats is left out, what it says comes first in quotes.
 */

import { visibleLine } from "./visible.js";

/** Above this many characters a row is not parsed for its preview. */
const PARSED = 32_768;
const LINE = 240;
const LEAVES = 8;

/** What repeats from event to event or numbers it. */
const DULL = new Set([
  "id", "object", "created", "created_at", "index", "sequence_number", "item_id", "output_index", "content_index",
  "summary_index", "annotation_index", "system_fingerprint", "service_tier", "obfuscation", "logprobs", "p",
]);
/** What is said: shown without its key. */
const SPOKEN = new Set([
  "content", "text", "delta", "arguments", "partial_json", "thinking", "reasoning", "reasoning_content", "refusal",
  "input", "transcript", "message", "summary", "code", "cited_text",
]);
/** What names a thing: shown without key and quotes. */
const NAMING = new Set(["type", "name", "model"]);

/**
 * A text as one line of a bearable length, what cannot be seen in it escaped.
 * @param {string} text
 */
function oneLine(text) {
  return visibleLine(text.length > LINE ? `${text.slice(0, LINE)}…` : text);
}

/**
 * @param {string} key
 * @param {unknown} leaf
 * @returns {string}
 */
function told(key, leaf) {
  if (typeof leaf !== "string") return `${key} ${leaf}`;
  const quoted = `“${oneLine(leaf)}”`;
  if (SPOKEN.has(key)) return quoted;
  const plain = leaf.length <= 80 && /^[\x21-\x7e]+$/.test(leaf) ? leaf : quoted;
  return NAMING.has(key) ? plain : `${key} ${plain}`;
}

/**
 * Collect what is worth telling, in the order of the wire: what is said apart from all else.
 * @param {string} key
 * @param {unknown} value
 * @param {string[]} said
 * @param {string[]} words
 */
function collect(key, value, said, words) {
  if (said.length + words.length >= LEAVES || value === null || value === "" || DULL.has(key)) return;
  if (typeof value !== "object" || value === undefined) {
    const list = typeof value === "string" && SPOKEN.has(key) ? said : words;
    list.push(told(key, value));
    return;
  }
  if (Array.isArray(value)) {
    for (const entry of value) collect(key, entry, said, words);
    return;
  }
  for (const [name, entry] of Object.entries(value)) collect(name, entry, said, words);
}

/**
 * The event's own `type`, "" when it has none; what is said, and all else worth a look, one line together.
 * @typedef {{type: string, said: string, rest: string}} Telling
 */

/**
 * What one row tells.
 * @param {string} kind
 * @param {string} name the event name
 * @param {string} text the row's data
 * @returns {Telling}
 */
export function tellingOf(kind, name, text) {
  const plain = { type: "", said: oneLine(text), rest: "" };
  if (kind !== "event" || text.length > PARSED) return plain;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return plain;
  }
  if (value === null || typeof value !== "object") return plain;
  /** @type {string[]} */
  const said = [];
  /** @type {string[]} */
  const words = [];
  const type = typeof value.type === "string" ? value.type : "";
  for (const [key, entry] of Object.entries(value)) {
    if (key === "type" && (entry === name || name === "")) continue;
    if (key === "model" && name === "" && "choices" in value) continue;
    collect(key, entry, said, words);
  }
  return { type, said: said.join("  ").slice(0, LINE), rest: words.join("  ").slice(0, LINE) };
}
