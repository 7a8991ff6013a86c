/**
 * <tool-list>: the functions that a model may call: name, description, parameters. Takes and gives `value`; fires
 * `edit` when it changes. Parameters that are no JSON stay in their editor and are not given out.
 */

import { make, makeButton, write } from "../drawing/dom.js";
import { EXAMPLE_TOOLS } from "../model/examples.js";
import { JsonText, compactJson } from "../model/json-text.js";

/** @typedef {import("../model/request.js").Tool} Tool */
/** @typedef {{box: HTMLElement, name: HTMLInputElement, description: HTMLInputElement, parameters: import("./json-editor.js").JsonEditor, tool: Tool}} ToolRow */

/** @type {Tool} */
const EMPTY_TOOL = { name: "", description: "", parameters: '{\n  "type": "object",\n  "properties": {}\n}' };

export class ToolList extends HTMLElement {
  /** @type {ToolRow[]} */
  rows = [];

  constructor() {
    super();
    this.boxes = make("div", "tool-boxes");
    this.others = make("p", "note");
    this.example = makeButton("plain", "insert an example", () => this.#append(this.#nextExample()));
    this.adder = makeButton("plain", "add a tool", () => this.#append(EMPTY_TOOL));
  }

  connectedCallback() {
    if (!this.firstChild) this.append(this.boxes, this.others, make("div", "tool-press", this.adder, this.example));
  }

  /** @returns {Tool[]} */
  get value() {
    return this.rows.map(({ tool }) => tool);
  }

  /** A row whose tool says the same already is left alone: someone may be typing in it. */
  set value(tools) {
    while (this.rows.length > tools.length) this.rows.pop()?.box.remove();
    tools.forEach((tool, index) => {
      const row = this.rows[index] ?? this.#add();
      if (sameTool(row.tool, tool)) return;
      row.tool = tool;
      row.name.value = tool.name;
      row.description.value = tool.description;
      row.parameters.value = tool.parameters;
      row.parameters.problem = null;
    });
  }

  /** Tools of other kinds that the body has. @param {number} count */
  set otherCount(count) {
    write(this.others, count === 0 ? "" : `${count === 1 ? "One more tool is" : `${count} more tools are`} of another kind: see the body.`);
  }

  /** The first example that is not there yet. */
  #nextExample() {
    return EXAMPLE_TOOLS.find(({ name }) => !this.value.some((tool) => tool.name === name)) ?? EXAMPLE_TOOLS[0];
  }

  /** @param {Tool} tool */
  #append(tool) {
    this.value = [...this.value, tool];
    this.#edited();
    this.rows.at(-1)?.name.focus();
  }

  /** @returns {ToolRow} */
  #add() {
    const field = (/** @type {string} */ label, /** @type {string} */ look) => {
      const input = make("input", look);
      Object.assign(input, { type: "text", placeholder: label, autocomplete: "off", spellcheck: false });
      input.setAttribute("aria-label", `${label} of the tool`);
      input.addEventListener("input", () => this.#typed(row));
      return input;
    };
    const remove = makeButton("plain icon", "×", () => this.#remove(row));
    remove.setAttribute("aria-label", "Remove this tool");
    const parameters = /** @type {import("./json-editor.js").JsonEditor} */ (document.createElement("json-editor"));
    parameters.dataset.label = "Parameters of the tool, JSON Schema";
    parameters.addEventListener("input", () => this.#typed(row));
    const name = field("name", "mono");
    const description = field("description", "");
    const box = make("div", "tool-box", make("div", "tool-head", name, remove), description, parameters);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Tool");
    /** @type {ToolRow} */
    const row = { box, name, description, parameters, tool: { name: "", description: "", parameters: "" } };
    this.rows.push(row);
    this.boxes.append(box);
    return row;
  }

  /** @param {ToolRow} row */
  #remove(row) {
    this.rows = this.rows.filter((other) => other !== row);
    row.box.remove();
    this.adder.focus();
    this.#edited();
  }

  /** @param {ToolRow} row */
  #typed(row) {
    const { name, description, parameters, tool } = row;
    const text = parameters.value;
    const problem = text.trim() === "" ? null : new JsonText(text).problem;
    if (problem !== parameters.problem) parameters.problem = problem;
    row.tool = { name: name.value, description: description.value, parameters: problem ? tool.parameters : text };
    this.#edited();
  }

  #edited() {
    this.dispatchEvent(new CustomEvent("edit", { bubbles: true }));
  }
}

/** @param {Tool} one @param {Tool} other */
function sameTool(one, other) {
  return (
    one.name === other.name &&
    one.description === other.description &&
    compactJson(one.parameters) === compactJson(other.parameters)
  );
}

customElements.define("tool-list", ToolList);
