/** How a Messages request says what the form shows. Used by request.js. */

import { textBy, textWithin, withMessage } from "./prompt-text.js";

const MESSAGES_ORDER = ["model", "max_tokens", "stream", "thinking", "output_config", "system", "messages", "tools"];

/** Thinking budgets where a body sets one; the limit of tokens has to be larger. */
const BUDGETS = { low: 1024, medium: 4096, high: 16384 };

/** @type {import("./request.js").Shape} */
export const MESSAGES_SHAPE = {
  model: "claude-sonnet-5",
  order: MESSAGES_ORDER,
  maxTokens: ["max_tokens"],

  streamed: (json) => json,
  whole: (json) => json,

  system: (json) => textWithin(json, ["system"]),
  addSystem: (json, text) => json.set(["system"], text, MESSAGES_ORDER),
  dropSystem: (json) => json.remove(["system"]),

  user: (json) => textBy(json, "messages", ["user"], true),
  addUser: (json, text) => withMessage(json, "messages", { role: "user", content: text }, MESSAGES_ORDER),

  reasoning(json) {
    const type = json.value(["thinking", "type"]);
    if (type === "enabled") return levelOf(json.value(["thinking", "budget_tokens"]));
    return type === "adaptive" ? String(json.value(["output_config", "effort"]) ?? "adaptive") : "off";
  },
  setReasoning(json, level) {
    if (level === "off") return withoutEffort(json.remove(["thinking"]));
    if (json.value(["thinking", "type"]) === "enabled" && level in BUDGETS) {
      return json.set(["thinking", "budget_tokens"], BUDGETS[/** @type {keyof typeof BUDGETS} */ (level)]);
    }
    if (json.value(["thinking", "type"]) !== "adaptive") json = json.set(["thinking"], { type: "adaptive" }, MESSAGES_ORDER);
    if (json.node(["output_config"])?.type === "object") return json.set(["output_config", "effort"], level);
    return json.set(["output_config"], { effort: level }, MESSAGES_ORDER);
  },

  toolWithin: [],
  toolParameters: "input_schema",
  toolFrame: {},
  isFunction: (tool) => typeof tool?.name === "string" && (tool.type === undefined || tool.type === "custom"),
};

/** @param {unknown} budget */
function levelOf(budget) {
  if (typeof budget !== "number") return "enabled";
  return budget <= 2048 ? "low" : budget <= 8192 ? "medium" : "high";
}

/** @param {import("./json-text.js").JsonText} json */
function withoutEffort(json) {
  const rest = json.remove(["output_config", "effort"]);
  return rest.node(["output_config"])?.members.length === 0 ? rest.remove(["output_config"]) : rest;
}
