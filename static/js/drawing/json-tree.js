/**
 * A JSON value as a tree that opens lazily: what is small stands open, what is large opens by a press. Numbers, keys
 * and their order are those of the wire. Used by open rows and by parts of Said.
 *
 * A tree that is told where it stands says at each line, in `data-path`, which field it is: `choices[].delta.content`.
 */

import { count } from "../model/figures.js";
import { visibleLine } from "../model/visible.js";
import { make, makeButton } from "./dom.js";

/** Characters of a string, and entries of a collection, before a button asks for the rest. */
const STRING_CUT = 600;
const ENTRIES_CUT = 100;
/** A collection is open from the start when it has at most so many leaves. */
const OPEN_LEAVES = 24;

/** @typedef {import("../model/exact-json.js").ExactValue} ExactValue */

/**
 * @param {ExactValue} value
 * @param {number} limit
 * @returns {number} leaves, counted up to `limit`
 */
function leaves(value, limit) {
  if (value.type !== "object" && value.type !== "array") return value.text.length > STRING_CUT ? limit : 1;
  let sum = 1;
  for (const [, entry] of value.entries) {
    sum += leaves(entry, limit - sum);
    if (sum >= limit) break;
  }
  return sum;
}

/** A string as JSON writes it, so that nothing in it is invisible. @param {string} text */
function stringSource(text) {
  return visibleLine(JSON.stringify(text));
}

/** @param {ExactValue} value */
function leaf(value) {
  if (value.type !== "string") return make("span", `tree-${value.type}`, value.text);
  const element = make("span", "tree-string");
  if (value.text.length <= STRING_CUT) {
    element.textContent = stringSource(value.text);
    return element;
  }
  const rest = makeButton("tree-more", `all ${count(value.text.length)} characters`, () => {
    element.textContent = stringSource(value.text);
  });
  element.append(`${stringSource(value.text.slice(0, STRING_CUT)).slice(0, -1)}… `, rest);
  return element;
}

/** A collection in a few words: { role, content, 3 more }. @param {ExactValue} value */
function gist(value) {
  const { entries } = value;
  if (value.type === "array") return entries.length === 0 ? "[]" : `[ ${count(entries.length)} ]`;
  if (entries.length === 0) return "{}";
  const keys = entries.slice(0, 4).map(([key]) => key);
  if (entries.length > 4) keys.push(`${count(entries.length - 4)} more`);
  return `{ ${keys.join(", ")} }`;
}

/**
 * The path of an entry, null where nobody wants to know.
 * @param {string | null} path of the collection
 * @param {ExactValue} value the collection
 * @param {string} key
 */
function pathBelow(path, value, key) {
  if (path === null) return null;
  if (value.type === "array") return `${path}[]`;
  return path === "" ? key : `${path}.${key}`;
}

/**
 * The entries of a collection, a line each.
 * @param {ExactValue} value
 * @param {string | null} path
 */
function entriesOf(value, path) {
  const list = make("div", "tree-entries");
  let shown = 0;
  const more = makeButton("tree-more", "", add);
  function add() {
    const stop = Math.min(shown + ENTRIES_CUT, value.entries.length);
    more.remove();
    for (; shown < stop; shown++) {
      const [key, entry] = value.entries[shown];
      list.append(line(key, entry, pathBelow(path, value, key)));
    }
    if (shown < value.entries.length) {
      more.textContent = `${count(value.entries.length - shown)} more`;
      list.append(more);
    }
  }
  add();
  return list;
}

/**
 * @param {string} key
 * @param {ExactValue} value
 * @param {string | null} path
 */
function line(key, value, path) {
  const label = make("span", "tree-key", visibleLine(key));
  if (value.entries.length === 0) {
    const empty = value.type === "object" || value.type === "array";
    const whole = make("div", "tree-line", label, " ", empty ? make("span", "tree-gist", gist(value)) : leaf(value));
    if (path !== null) whole.dataset.path = path;
    if (path !== null && value.type === "string" && key === "type") whole.dataset.value = value.text;
    return whole;
  }
  const summary = make("span", "tree-gist", gist(value));
  const toggle = makeButton("tree-toggle", "", turn);
  toggle.append(label, " ", summary);
  if (path !== null) toggle.dataset.path = path;
  const element = make("div", "tree-branch", toggle);
  /** @type {HTMLElement | null} */
  let entries = null;
  function turn() {
    if (entries) entries.remove();
    entries = entries ? null : entriesOf(value, path);
    if (entries) element.append(entries);
    toggle.setAttribute("aria-expanded", String(entries !== null));
  }
  toggle.setAttribute("aria-expanded", "false");
  if (leaves(value, OPEN_LEAVES) < OPEN_LEAVES) turn();
  return element;
}

/**
 * @param {ExactValue} value
 * @param {string | null} path where it stands, "" for a whole event
 */
export function jsonTree(value, path = null) {
  const collection = value.entries.length > 0;
  return make("div", "tree", collection ? entriesOf(value, path) : value.type === "object" || value.type === "array"
    ? make("span", "tree-gist", gist(value))
    : leaf(value));
}
