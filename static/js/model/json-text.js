/**
 * JSON text with the place of every value, and edits that change one value and leave every other character alone.
 * Takes any text and never throws: a mistake is a problem with its offset. Used by request.js, draft.js and the editor.
 */

import { scanJson } from "./json-scan.js";

/** @typedef {import("./json-scan.js").JsonNode} JsonNode */
/** @typedef {(string|number)[]} JsonPath */

/** JSON that is to be put into a text as it is written. */
export class RawJson {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

export class JsonText {
  /** @param {string} text */
  constructor(text) {
    const { root, problem } = scanJson(text);
    this.text = text;
    this.root = root;
    this.problem = problem;
  }

  /** The node at a path; of two members with one name the last. @param {JsonPath} path @returns {JsonNode|null} */
  node(path) {
    let node = this.root;
    for (const step of path) {
      if (!node) return null;
      node = typeof step === "number" ? (node.items[step] ?? null) : (memberOf(node, step)?.node ?? null);
    }
    return node;
  }

  /** The value at a path, undefined where there is none. @param {JsonPath} path @returns {any} */
  value(path) {
    const node = this.node(path);
    return node ? JSON.parse(this.text.slice(node.start, node.end)) : undefined;
  }

  /** The text of the node at a path, "" where there is none. @param {JsonPath} path */
  source(path) {
    const node = this.node(path);
    return node ? this.text.slice(node.start, node.end) : "";
  }

  /**
   * With a value at a path: in place of the one that stands there, or as a new member of the object above it, behind
   * the last of the members that `order` names before it. Without an object above it nothing changes.
   * @param {JsonPath} path @param {unknown} value a JSON value or a RawJson @param {string[]} [order]
   * @returns {JsonText}
   */
  set(path, value, order = []) {
    const node = this.node(path);
    if (node) return this.#splice(node.start, node.end, this.#written(value, node.start, !this.#isOneLine()));
    const parent = this.node(path.slice(0, -1));
    const name = path[path.length - 1];
    if (parent?.type !== "object" || typeof name !== "string") return this;
    const before = order.slice(0, Math.max(order.indexOf(name), 0));
    let place = 0;
    parent.members.forEach((member, index) => {
      if (before.includes(member.name)) place = index + 1;
    });
    if (!order.includes(name)) place = parent.members.length;
    const first = parent.members[0];
    const colon = first && this.text[first.node.start - 1] === ":" ? ":" : ": ";
    return this.#put(parent, place, `${JSON.stringify(name)}${colon}`, value);
  }

  /** With a new item in the array at a path. @param {JsonPath} path @param {number} index @param {unknown} value */
  insert(path, index, value) {
    const node = this.node(path);
    return node?.type === "array" ? this.#put(node, Math.min(index, node.items.length), "", value) : this;
  }

  /** Without the member or item at a path. @param {JsonPath} path @returns {JsonText} */
  remove(path) {
    const parent = this.node(path.slice(0, -1));
    const last = path[path.length - 1];
    if (!parent || !this.node(path)) return this;
    const parts = partsOf(parent);
    const index = typeof last === "number" ? last : parent.members.findLastIndex((member) => member.name === last);
    if (parts.length === 1) return this.#splice(parent.start + 1, parent.end - 1, "");
    if (index + 1 < parts.length) return this.#splice(parts[index].start, parts[index + 1].start, "");
    return this.#splice(parts[index - 1].end, parts[index].end, "");
  }

  /** @param {JsonNode} parent @param {number} index @param {string} label @param {unknown} value */
  #put(parent, index, label, value) {
    const parts = partsOf(parent);
    const { text } = this;
    if (parts.length === 0) {
      const outer = indentAt(text, parent.start);
      const inner = outer + this.#unit();
      const lines = !this.#isOneLine();
      const body = label + this.#written(value, parent.start, lines, inner);
      return this.#splice(parent.start + 1, parent.end - 1, lines ? `\n${inner}${body}\n${outer}` : body);
    }
    const gap = text.slice(parent.start + 1, parts[0].start);
    const between = parts.length > 1 ? text.slice(text.indexOf(",", parts[0].end) + 1, parts[1].start) : gap || " ";
    const indent = between.includes("\n") ? between.slice(between.lastIndexOf("\n") + 1) : undefined;
    const body = label + this.#written(value, parent.start, indent !== undefined, indent);
    if (index === 0) return this.#splice(parts[0].start, parts[0].start, `${body},${between}`);
    return this.#splice(parts[index - 1].end, parts[index - 1].end, `,${between}${body}`);
  }

  /** @param {unknown} value @param {number} offset @param {boolean} lines @param {string} [indent] */
  #written(value, offset, lines, indent = indentAt(this.text, offset)) {
    if (!lines) return value instanceof RawJson ? compactJson(value.text) : JSON.stringify(value);
    const written = value instanceof RawJson ? value.text : JSON.stringify(value, null, this.#unit());
    return written.replaceAll("\n", `\n${indent}`);
  }

  #isOneLine() {
    return this.root !== null && this.root.end - this.root.start > 2 && !this.text.trim().includes("\n");
  }

  #unit() {
    return /\n([ \t]+)\S/.exec(this.text)?.[1] ?? "  ";
  }

  /** @param {number} start @param {number} end @param {string} text */
  #splice(start, end, text) {
    return new JsonText(this.text.slice(0, start) + text + this.text.slice(end));
  }
}

/** Without white space outside of strings. @param {string} text valid JSON */
export function compactJson(text) {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/**
 * The coloured pieces of a text that may be broken JSON: [kind, start, end].
 * @param {string} text @returns {["key"|"string"|"number"|"word", number, number][]}
 */
export function jsonColours(text) {
  /** @type {["key"|"string"|"number"|"word", number, number][]} */
  const pieces = [];
  const piece = /("(?:[^"\\\n]|\\.)*"?)([ \t\r\n]*:)?|(-?\d[\w.+-]*)|\b(?:true|false|null)\b/g;
  for (const match of text.matchAll(piece)) {
    const { index } = match;
    if (match[1]) pieces.push([match[2] ? "key" : "string", index, index + match[1].length]);
    else pieces.push([match[3] ? "number" : "word", index, index + match[0].length]);
  }
  return pieces;
}

/** @param {JsonNode} node @param {string} name */
function memberOf(node, name) {
  return node.members.findLast((member) => member.name === name);
}

/** @param {JsonNode} node @returns {{start: number, end: number}[]} */
function partsOf(node) {
  return node.type === "array" ? node.items : node.members.map(({ start, node: { end } }) => ({ start, end }));
}

/** The white space at the start of the line of an offset. @param {string} text @param {number} offset */
function indentAt(text, offset) {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? "";
}
