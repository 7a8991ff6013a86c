/** The gateway's models as a table, its scenarios as a list of terms. Used by gateway-page.js. */

import { dollars } from "../model/charge.js";
import { make } from "./dom.js";

/**
 * @typedef {{id: string, owned_by: string, native_format: string,
 *   prices: {input: number, cached: number, output: number}}} GatewayModel prices are micros for a million tokens
 */

const CENTS = 2;

/** @param {GatewayModel[]} models @param {Map<string, string>} titles of the formats */
export function modelsTable(models, titles) {
  const heads = ["Model", "Native format", "Input", "Cached input", "Output"].map((title, index) => {
    const head = make("th", index > 1 ? "number" : "", title);
    head.scope = "col";
    return head;
  });
  const rows = models.map(({ id, native_format: format, prices }) => {
    const name = make("th", "mono", id);
    name.scope = "row";
    const figures = [prices.input, prices.cached, prices.output].map((micros) => make("td", "number", dollars(micros, CENTS)));
    return make("tr", "", name, make("td", "", titles.get(format) ?? format), ...figures);
  });
  const caption = make("caption", "unseen", "Models, native formats, and prices for a million tokens");
  const table = make("table", "", caption, make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
  const frame = make("div", "gateway-table", table);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "Models and prices");
  return frame;
}

/** @param {import("../model/draft.js").Scenario[]} scenarios */
export function scenarioList(scenarios) {
  return make("dl", "gateway-scenarios",
    ...scenarios.map(({ name, look_for: line }) => make("div", "", make("dt", "mono", name), make("dd", "", line))));
}
