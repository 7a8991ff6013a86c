/**
 * What every part of Said has in common: the word in the gutter, the body, small facts, and whatever fields nobody
 * draws otherwise. The kinds of parts build on it.
 */

import { colourOfKind } from "../model/deeds.js";
import { exactOf } from "../model/exact-json.js";
import { count } from "../model/figures.js";
import { GIVEN_UP } from "../model/transcript.js";
import { make, reveal, write } from "./dom.js";
import { jsonTree } from "./json-tree.js";
import { makeStop, showsSpot } from "./spots.js";

/**
 * What a part is drawn with; `shown` is the lane as it is to be drawn now.
 * @typedef {{
 *   shown: import("../model/shown.js").Shown,
 *   media: (part: number) => string,
 * }} SaidContext
 */

/** @type {Record<string, string>} */
const KIND_WORDS = { tool_call: "tool call", server_tool: "server tool" };

/** Numbers and names that only tie a part to its events: they stand in the tooltip of its word. */
const TIES = new Set(["index", "output_index", "content_index", "summary_index", "item_id"]);

/** Characters of a field's value that are shown beside its name. */
const SHORT = 72;

/**
 * One field as a small fact: its name for a plain yes, its length when it is long.
 * @param {string} field
 * @param {unknown} value
 */
function factOf(field, value) {
  const name = field.replaceAll("_", " ");
  if (value === true) return name;
  if (typeof value !== "string") return `${name} ${value}`;
  return value.length > SHORT || field === "signature" || field === "encrypted"
    ? `${name} ${count(value.length)} characters`
    : `${name} ${value}`;
}

export class PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {SaidContext} context
   * @param {string[]} drawn fields that the kind draws itself
   */
  constructor(part, context, drawn) {
    this.part = part;
    this.context = context;
    this.drawn = new Set([...drawn, "choice", "status", "broken", ...(part.kind === "reasoning" ? [] : TIES)]);
    this.label = make("div", "part-label");
    this.label.setAttribute("role", "button");
    showsSpot(this.label, { part, field: "" });
    makeStop(this.label);
    this.body = make("div", "part-body");
    this.facts = make("div", "part-facts");
    this.objects = make("div", "part-objects");
    this.broken = make("div", "part-broken", "broken off");
    this.broken.hidden = true;
    this.facts.hidden = true;
    /** What the facts were when they were drawn. */
    this.factsDrawn = "";
    /** What the object fields looked like when their trees were drawn. */
    this.objectsDrawn = "";
    this.main = make("div", "part-main", this.body, this.broken, this.facts, this.objects);
    this.element = make("section", "part", this.label, this.main);
    this.element.dataset.kind = part.kind;
    this.element.dataset.colour = colourOfKind(part.kind);
  }

  /** More may come for the part. */
  get open() {
    const { shown } = this.context;
    return this.part.closedAt > shown.position && shown.open;
  }

  /** It is this part that grows. */
  get growing() {
    return this.open && this.context.shown.growing.has(this.part);
  }

  get brokenOff() {
    return this.context.shown.brokenOff(this.part);
  }

  /** A field as it is to be shown. @param {string} field @returns {any} */
  value(field) {
    return this.part.value(field, this.context.shown.position);
  }

  /**
   * Text that grows, as long as it is to be shown.
   * @param {string} field
   * @returns {import("./grown-text.js").Grown | undefined}
   */
  grown(field) {
    const { position } = this.context.shown;
    const growth = this.part.growth(field, position);
    return growth && { growth, length: growth.lengthAt(position) };
  }

  update() {
    const choice = this.value("choice");
    const word = KIND_WORDS[this.part.kind] ?? this.part.kind.replaceAll("_", " ");
    write(this.label, choice ? `${word}\nchoice ${choice}` : word);
    const status = this.value("status");
    if (GIVEN_UP.has(status)) this.element.dataset.status = status;
    else delete this.element.dataset.status;
    const ties = [...this.part.fields.keys()].filter((field) => TIES.has(field) && this.value(field) !== undefined);
    this.label.title = ties.map((field) => factOf(field, this.value(field))).join(", ");
    reveal(this.broken, this.brokenOff);
    this.#drawFacts(status);
    this.#drawObjects();
  }

  /** @param {unknown} status */
  #drawFacts(status) {
    /** @type {[field: string, text: string][]} */
    const facts = [];
    if (status && status !== "completed") facts.push(["status", String(status).replaceAll("_", " ")]);
    for (const field of this.part.fields.keys()) {
      const value = this.value(field);
      const told = value !== undefined && value !== null && value !== false && value !== "" && typeof value !== "object";
      if (told && !this.drawn.has(field)) facts.push([field, factOf(field, value)]);
    }
    const state = facts.join();
    if (state === this.factsDrawn) return;
    this.factsDrawn = state;
    this.facts.replaceChildren(...facts.flatMap(([field, text], index) => {
      const fact = make("span", "", text);
      showsSpot(fact, { part: this.part, field });
      return index > 0 ? ["  ·  ", fact] : [fact];
    }));
    reveal(this.facts, facts.length > 0);
  }

  #drawObjects() {
    const objects = [...this.part.fields.keys()].filter((field) => {
      const value = this.value(field);
      return !this.drawn.has(field) && value !== null && typeof value === "object";
    });
    const state = objects.length > 0 ? JSON.stringify(objects.map((field) => [field, this.value(field)])) : "";
    if (state === this.objectsDrawn) return;
    this.objectsDrawn = state;
    this.objects.replaceChildren();
    if (state === "") return;
    const value = Object.fromEntries(objects.map((field) => [field, this.value(field)]));
    this.objects.replaceChildren(jsonTree(exactOf(value)));
  }
}
