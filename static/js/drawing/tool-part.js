/** Tool calls and server tools: a quiet card with name, id, state, and arguments as they grow. */

import { exactOf, parseExact, prettyJson } from "../model/exact-json.js";
import { counted, shortId } from "../model/figures.js";
import { make, makeButton, makeCopyButton, makeLink, reveal, write } from "./dom.js";
import { GrownText } from "./grown-text.js";
import { jsonTree } from "./json-tree.js";
import { PartFrame } from "./part-frame.js";
import { showsSpot } from "./spots.js";

const DRAWN = ["id", "name", "arguments", "input", "query", "results", "error"];

export class ToolPart extends PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {import("./part-frame.js").SaidContext} context
   */
  constructor(part, context) {
    super(part, context, DRAWN);
    this.field = part.kind === "tool_call" ? "arguments" : "input";
    this.name = make("span", "tool-name");
    this.id = make("span", "tool-id");
    this.state = make("span", "tool-state");
    this.pretty = makeButton("quiet", "pretty", () => this.#turn());
    this.pretty.setAttribute("aria-pressed", "false");
    this.copy = makeCopyButton("quiet", () => this.part.shown(this.field, this.context.shown.position));
    this.query = make("div", "tool-query");
    this.text = new GrownText("tool-arguments");
    this.printed = make("pre", "tool-pretty");
    this.printed.hidden = true;
    this.results = make("div", "tool-results");
    showsSpot(this.name, { part, field: "name" });
    showsSpot(this.id, { part, field: "id" });
    showsSpot(this.query, { part, field: "query" });
    showsSpot(this.text.element, { part, field: this.field, text: this.text });
    showsSpot(this.printed, { part, field: this.field });
    showsSpot(this.results, { part, field: "results" });
    const bar = make("div", "tool-bar", this.name, this.id, this.pretty, this.copy, this.state);
    this.body.append(make("div", "tool", bar, this.query, this.text.element, this.printed, this.results));
    /** The arguments as JSON, once they are whole. @type {import("../model/exact-json.js").ExactValue | null} */
    this.json = null;
    /** The arguments that were last judged, when they were whole. @type {import("../model/growth.js").Growth | null} */
    this.judged = null;
    this.judgedLength = 0;
    /** @type {unknown} */
    this.resultsDrawn = undefined;
  }

  /** @override */
  update() {
    if (this.value("query")) this.drawn.add("action");
    super.update();
    write(this.name, this.value("name") ?? (this.open ? "…" : "no name"));
    const id = this.value("id");
    write(this.id, typeof id === "string" ? shortId(id) : "");
    this.id.title = typeof id === "string" ? id : "";
    const grown = this.grown(this.field);
    const length = grown?.length ?? 0;
    const whole = !this.open && grown !== undefined && length > 0;
    if (whole && (this.judged !== grown.growth || this.judgedLength !== length)) {
      this.json = parseExact(grown.growth.text.slice(0, length));
      this.judged = grown.growth;
      this.judgedLength = length;
    }
    const printable = whole && this.json !== null && this.json.entries.length > 0;
    if (!printable && !this.printed.hidden) this.#turn();
    reveal(this.pretty, printable);
    reveal(this.copy, whole);
    write(this.state, this.#stateWord(length));
    this.state.classList.toggle("bad", this.brokenOff || Boolean(this.value("error")));
    reveal(this.broken, false);
    this.text.update(grown, this.growing);
    reveal(this.text.element, this.printed.hidden && (this.open || length > 0));
    this.#drawServerSide();
  }

  /** @param {number} length */
  #stateWord(length) {
    if (this.brokenOff) return "broken off";
    if (this.growing && length > 0) return `${this.field} arriving`;
    if (this.open) return length > 0 ? `${this.field} so far` : "begun";
    if (this.value("error")) return "failed";
    if (this.part.kind === "server_tool" && length === 0) return "done";
    if (length === 0) return "no arguments";
    return this.json === null && this.value("type") !== "custom" ? "complete, not JSON" : "complete";
  }

  #turn() {
    const pressed = this.printed.hidden;
    if (pressed && this.json) this.printed.textContent = prettyJson(this.json);
    this.printed.hidden = !pressed;
    this.pretty.setAttribute("aria-pressed", String(pressed));
    reveal(this.text.element, !pressed);
  }

  #drawServerSide() {
    const query = this.value("query");
    const queries = Array.isArray(query) ? query.join(" · ") : (query ?? "");
    write(this.query, String(queries));
    reveal(this.query, queries !== "");
    const results = this.value("results");
    const error = this.value("error");
    if (this.resultsDrawn === (error || results)) return;
    this.resultsDrawn = error || results;
    this.results.replaceChildren(...(results === undefined && !error ? [] : resultLines(results, error)));
  }
}

/**
 * What a server tool found: how many, or a line each, or the error in its place.
 * @param {unknown} results
 * @param {unknown} error
 */
function resultLines(results, error) {
  if (error) return [make("span", "tool-error", typeof error === "string" ? error : JSON.stringify(error))];
  if (!Array.isArray(results)) {
    return typeof results === "number" ? [counted(results, "result")] : [jsonTree(exactOf(results))];
  }
  return results.map((result) =>
    typeof result?.url === "string"
      ? make("div", "tool-result", makeLink(result.url, String(result.title ?? result.url)))
      : jsonTree(exactOf(result)),
  );
}
