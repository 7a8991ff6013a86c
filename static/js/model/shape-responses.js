/** How a Responses request says what the form shows. Used by request.js. */

import { textBy, textWithin, withMessage } from "./prompt-text.js";

const RESPONSES_ORDER = ["model", "max_output_tokens", "stream", "reasoning", "instructions", "input", "tools"];

/** @type {import("./request.js").Shape} */
export const RESPONSES_SHAPE = {
  model: "gpt-5.2",
  order: RESPONSES_ORDER,
  maxTokens: ["max_output_tokens"],

  streamed: (json) => json,
  whole: (json) => json,

  system: (json) => textWithin(json, ["instructions"]),
  addSystem: (json, text) => json.set(["instructions"], text, RESPONSES_ORDER),
  dropSystem: (json) => json.remove(["instructions"]),

  user: (json) => (json.node(["input"])?.type === "string" ? ["input"] : textBy(json, "input", ["user"], true)),
  addUser(json, text) {
    if (json.node(["input"])?.type !== "array") return json.set(["input"], text, RESPONSES_ORDER);
    return withMessage(json, "input", { role: "user", content: text }, RESPONSES_ORDER);
  },

  reasoning(json) {
    const effort = json.value(["reasoning", "effort"]);
    return effort === undefined || effort === null || effort === "none" ? "off" : String(effort);
  },
  // Without `summary` nothing of the reasoning is streamed.
  setReasoning(json, level) {
    if (level === "off") return json.remove(["reasoning"]);
    if (json.node(["reasoning"])?.type === "object") return json.set(["reasoning", "effort"], level);
    return json.set(["reasoning"], { effort: level, summary: "auto" }, RESPONSES_ORDER);
  },

  toolWithin: [],
  toolParameters: "parameters",
  toolFrame: { type: "function" },
  isFunction: (tool) => tool?.type === "function" && typeof tool.name === "string",
};
