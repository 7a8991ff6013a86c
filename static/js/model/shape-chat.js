/** How a Chat Completions request says what the form shows. Used by request.js. */

import { textBy, withMessage } from "./prompt-text.js";

const CHAT_ORDER = [
  "model", "max_tokens", "max_completion_tokens", "stream", "stream_options", "reasoning_effort", "messages", "tools",
];
const CHAT_SYSTEM = ["system", "developer"];
const USAGE_ASKED = '{"include_usage":true}';

/** @type {import("./request.js").Shape} */
export const CHAT_SHAPE = {
  model: "z-ai/glm-5.2",
  order: CHAT_ORDER,
  maxTokens: ["max_tokens", "max_completion_tokens"],

  streamed(json) {
    return json.node(["stream_options"]) ? json : json.set(["stream_options"], { include_usage: true }, CHAT_ORDER);
  },
  // Vendors refuse stream_options on a request that is not streamed.
  whole(json) {
    return JSON.stringify(json.value(["stream_options"])) === USAGE_ASKED ? json.remove(["stream_options"]) : json;
  },

  system: (json) => textBy(json, "messages", CHAT_SYSTEM, false),
  addSystem: (json, text) => withMessage(json, "messages", { role: "system", content: text }, CHAT_ORDER, true),
  dropSystem(json) {
    const path = textBy(json, "messages", CHAT_SYSTEM, false);
    return path ? json.remove(path.slice(0, 2)) : json;
  },

  user: (json) => textBy(json, "messages", ["user"], true),
  addUser: (json, text) => withMessage(json, "messages", { role: "user", content: text }, CHAT_ORDER),

  // OpenRouter and some gateways have `reasoning: {effort}` instead.
  reasoning(json) {
    const effort = json.value(["reasoning_effort"]) ?? json.value(["reasoning", "effort"]);
    return effort === undefined || effort === null || effort === "none" ? "off" : String(effort);
  },
  setReasoning(json, level) {
    if (level === "off") return json.remove(["reasoning_effort"]).remove(["reasoning"]);
    if (json.node(["reasoning"])?.type === "object") return json.set(["reasoning", "effort"], level);
    return json.set(["reasoning_effort"], level, CHAT_ORDER);
  },

  toolWithin: ["function"],
  toolParameters: "parameters",
  toolFrame: { type: "function" },
  isFunction: (tool) => typeof tool?.function?.name === "string",
};
