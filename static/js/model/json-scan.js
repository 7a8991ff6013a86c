/**
 * JSON text -> a tree with the place of every value, or the first mistake with its line, column and a sentence.
 * Never throws, whatever the text and however deep. Called by json-text.js.
 */

/** @typedef {{name: string, start: number, node: JsonNode}} JsonMember */
/**
 * @typedef {object} JsonNode
 * @property {"object"|"array"|"string"|"number"|"word"} type `word` is true, false or null
 * @property {number} start
 * @property {number} end
 * @property {JsonMember[]} members of an object, in the order of the text, doubles included
 * @property {JsonNode[]} items of an array
 */
/** @typedef {{offset: number, line: number, column: number, message: string}} JsonProblem */

/** @param {string} text @returns {{root: JsonNode|null, problem: JsonProblem|null}} */
export function scanJson(text) {
  try {
    return { root: new JsonScanner(text).document(), problem: null };
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    return { root: null, problem: placed(text, error.offset, error.message) };
  }
}

class JsonMistake extends Error {
  /** @param {number} offset @param {string} message */
  constructor(offset, message) {
    super(message);
    this.offset = offset;
  }
}

/** Walks a text once, with a list of what is open instead of recursion: no depth is too deep. */
class JsonScanner {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @returns {JsonNode} */
  document() {
    /** @type {JsonNode[]} */
    const open = [];
    this.space();
    if (this.at === this.text.length) this.fail("the body is empty: a JSON object is expected");
    for (;;) {
      let node = this.value(open);
      while (node) {
        const parent = open[open.length - 1];
        this.space();
        if (!parent) {
          if (this.at < this.text.length) this.fail("nothing more is expected after the end of the JSON");
          return node;
        }
        node = this.next(parent) ? null : this.shut(open);
      }
    }
  }

  /** A whole value, or null when an object or array was opened that has something in it. @param {JsonNode[]} open */
  value(open) {
    const { text } = this;
    const start = this.at;
    const sign = text[start];
    if (sign === "{" || sign === "[") {
      const node = jsonNode(sign === "{" ? "object" : "array", start);
      open[open.length - 1]?.items.push(node);
      open.push(node);
      this.at += 1;
      this.space();
      if (text[this.at] === (sign === "{" ? "}" : "]")) return this.shut(open);
      if (sign === "{") this.name(node);
      return null;
    }
    const node = this.scalar(sign, start);
    open[open.length - 1]?.items.push(node);
    return node;
  }

  /** @param {string} sign @param {number} start @returns {JsonNode} */
  scalar(sign, start) {
    if (sign === '"') {
      this.string();
      return jsonNode("string", start, this.at);
    }
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = start;
    const found = number.exec(this.text);
    if (found) {
      this.at += found[0].length;
      if (/[\w.+-]/.test(this.text[this.at] ?? "")) this.fail("this is not a number in JSON", start);
      return jsonNode("number", start, this.at);
    }
    const word = /[A-Za-z_$][\w$]*/y;
    word.lastIndex = start;
    const name = word.exec(this.text)?.[0] ?? "";
    if (name === "true" || name === "false" || name === "null") {
      this.at += name.length;
      return jsonNode("word", start, this.at);
    }
    return this.fail(unexpected(this.text, start, name));
  }

  /** The name of a member and its colon. @param {JsonNode} parent */
  name(parent) {
    const start = this.at;
    if (this.text[start] !== '"') {
      this.fail(start === this.text.length ? "the text ends inside an object" : "a name in double quotes is expected");
    }
    this.string();
    const name = JSON.parse(this.text.slice(start, this.at));
    this.space();
    if (this.text[this.at] !== ":") this.fail(`a colon is expected after the name ${shortened(name)}`);
    this.at += 1;
    this.space();
    parent.members.push({ name, start, node: parent });
  }

  /** Over the comma to the next value of an open object or array; false at its end. @param {JsonNode} parent */
  next(parent) {
    const close = parent.type === "object" ? "}" : "]";
    const sign = this.text[this.at];
    if (sign === close) return false;
    if (sign !== ",") {
      const where = parent.type === "object" ? "an object" : "an array";
      if (sign === undefined) this.fail(`the text ends inside ${where}: “,” or “${close}” is expected`);
      this.fail(`“,” or “${close}” is expected here`);
    }
    const comma = this.at;
    this.at += 1;
    this.space();
    if (this.text[this.at] === close) this.fail(`a comma with nothing after it: take it away`, comma);
    if (parent.type === "object") this.name(parent);
    return true;
  }

  /** @param {JsonNode[]} open @returns {JsonNode} */
  shut(open) {
    const node = /** @type {JsonNode} */ (open.pop());
    this.at += 1;
    node.end = this.at;
    if (node.type === "object") {
      node.members.forEach((member, index) => {
        member.node = node.items[index];
      });
      node.items = [];
    }
    return node;
  }

  string() {
    const { text } = this;
    const start = this.at;
    for (let at = start + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.at = at + 1;
        return;
      }
      if (code === 0x5c) {
        at += 1;
        if (text[at] === "u") {
          if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) this.fail("\\u needs four hex digits", at - 1);
          at += 4;
        } else if (at < text.length && !'"\\/bfnrt'.includes(text[at])) {
          this.fail(`\\${text[at]} is no escape in JSON: write \\\\ for a backslash`, at - 1);
        }
      } else if (code === 0x0a || code === 0x0d) {
        this.fail("a string ends at the end of its line: close it, or write \\n for a line break", start);
      } else if (code < 0x20) {
        this.fail(`a control character has to be written as \\u${code.toString(16).padStart(4, "0")}`, at);
      }
    }
    this.fail("this string is not closed", start);
  }

  space() {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  /** @param {string} message @param {number} [offset] @returns {never} */
  fail(message, offset = this.at) {
    throw new JsonMistake(offset, message);
  }
}

/** @param {JsonNode["type"]} type @param {number} start @param {number} [end] @returns {JsonNode} */
function jsonNode(type, start, end = start) {
  return { type, start, end, members: [], items: [] };
}

/** @param {string} text @param {number} offset @param {string} message @returns {JsonProblem} */
function placed(text, offset, message) {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { offset, line, column: offset - (before.lastIndexOf("\n") + 1) + 1, message };
}

/** @param {string} text @param {number} at @param {string} name */
function unexpected(text, at, name) {
  if (at === text.length) return "the text ends where a value is expected";
  if (text[at] === "'") return "JSON has double quotes only";
  if (text.startsWith("//", at) || text.startsWith("/*", at)) return "JSON has no comments";
  if (/^(?:True|False|None)$/.test(name)) return `${name} is Python: in JSON it is ${name === "None" ? "null" : name.toLowerCase()}`;
  if (/^-?(?:NaN|Infinity)/.test(text.slice(at, at + 9)) || name === "undefined") return `${name || "-Infinity"} is no value in JSON`;
  if (text[at] === "+" || text[at] === "." || text[at] === "-") return "this is not a number in JSON";
  return name ? `${shortened(name)} needs double quotes, or is no value in JSON` : "a value is expected here";
}

/** @param {string} text */
function shortened(text) {
  return `“${text.length > 24 ? `${text.slice(0, 23)}…` : text}”`;
}
