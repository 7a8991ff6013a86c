/**
 * JSON as it stands on the wire: numbers keep their digits, keys their order and their repetitions. Used by the tree
 * of an open row, where JSON.parse would round, reorder and drop.
 *
 * @typedef {{
 *   type: "object" | "array" | "string" | "number" | "word",
 *   text: string,
 *   entries: [string, ExactValue][],
 * }} ExactValue `text`: a string's characters, a number's digits as sent, or true, false, null; `entries`: a list has
 *   its indexes as keys
 */

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

class ExactReader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.place = 0;
  }

  /**
   * What `pattern` matches here, "" when nothing does.
   * @param {RegExp} pattern
   */
  match(pattern) {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.place += found.length;
    return found;
  }

  /** The next character that is no blank, taken only when it is `wanted`. @param {string} wanted */
  takes(wanted) {
    this.match(BLANK);
    if (this.text[this.place] !== wanted) return false;
    this.place++;
    return true;
  }

  /** @returns {ExactValue | null} */
  value() {
    this.match(BLANK);
    const first = this.text[this.place];
    if (first === "{") return this.collection("object", "}");
    if (first === "[") return this.collection("array", "]");
    if (first === '"') {
      const string = this.string();
      return string === null ? null : { type: "string", text: string, entries: [] };
    }
    const number = this.match(NUMBER);
    if (number) return { type: "number", text: number, entries: [] };
    const word = this.match(WORD);
    return word ? { type: "word", text: word, entries: [] } : null;
  }

  /** A string of any length: its end is looked for, the engine reads it. @returns {string | null} */
  string() {
    const from = this.place;
    if (this.text[from] !== '"') return null;
    let end = from;
    do {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) return null;
    } while (this.#escaped(end));
    this.place = end + 1;
    try {
      return JSON.parse(this.text.slice(from, end + 1));
    } catch {
      return null;
    }
  }

  /** Whether an odd number of backslashes stands before a place. @param {number} place */
  #escaped(place) {
    let before = place;
    while (this.text[before - 1] === "\\") before--;
    return (place - before) % 2 === 1;
  }

  /**
   * @param {"object" | "array"} type
   * @param {string} closing
   * @returns {ExactValue | null}
   */
  collection(type, closing) {
    this.place++;
    /** @type {[string, ExactValue][]} */
    const entries = [];
    if (this.takes(closing)) return { type, text: "", entries };
    do {
      let key = String(entries.length);
      if (type === "object") {
        this.match(BLANK);
        const name = this.string();
        if (name === null || !this.takes(":")) return null;
        key = name;
      }
      const value = this.value();
      if (value === null) return null;
      entries.push([key, value]);
    } while (this.takes(","));
    return this.takes(closing) ? { type, text: "", entries } : null;
  }
}

/**
 * The JSON value of `text`, null when it is not exactly one (or nests deeper than the engine's stack).
 * @param {string} text
 */
export function parseExact(text) {
  const reader = new ExactReader(text);
  try {
    const value = reader.value();
    reader.match(BLANK);
    return reader.place === text.length ? value : null;
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
}

/**
 * A value that came with an operation, in the same form.
 * @param {unknown} value
 * @returns {ExactValue}
 */
export function exactOf(value) {
  return parseExact(JSON.stringify(value) ?? "null") ?? { type: "word", text: String(value), entries: [] };
}

/**
 * JSON text with line ends and indentation, its numbers and keys untouched.
 * @param {ExactValue} value
 * @param {string} indent
 * @returns {string}
 */
export function prettyJson(value, indent = "") {
  if (value.type === "string") return JSON.stringify(value.text);
  if (value.type === "number" || value.type === "word") return value.text;
  const [open, close] = value.type === "object" ? "{}" : "[]";
  if (value.entries.length === 0) return open + close;
  const deeper = `${indent}  `;
  const lines = value.entries.map(([key, entry]) => {
    const name = value.type === "object" ? `${JSON.stringify(key)}: ` : "";
    return deeper + name + prettyJson(entry, deeper);
  });
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
