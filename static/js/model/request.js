/**
 * The form's fields in a JSON body, and back: each format's own shape for the same things. A change of a field touches
 * its own keys alone; all else in the body stays as it is. Used by draft.js.
 */

import { FIRST_PROMPT } from "./examples.js";
import { JsonText, RawJson, compactJson } from "./json-text.js";
import { CHAT_SHAPE } from "./shape-chat.js";
import { MESSAGES_SHAPE } from "./shape-messages.js";
import { RESPONSES_SHAPE } from "./shape-responses.js";

/** @typedef {"chat"|"messages"|"responses"} FormatName */
/** @typedef {{name: string, description: string, parameters: string}} Tool `parameters`: JSON Schema as text */
/**
 * What the form shows of a body. Texts are "" and lists empty where the body has nothing.
 * @typedef {object} Form
 * @property {string} model
 * @property {string} maxTokens digits, or whatever stands in the body
 * @property {boolean} stream
 * @property {string} system
 * @property {string} user the text of the last message by the user
 * @property {string} reasoning "off", "low", "medium", "high", or another word that the body says
 * @property {Tool[]} tools the functions among the tools
 * @property {number} otherTools how many tools are something else; they stay in the body as they are
 */
/**
 * @typedef {object} Shape how a format says the things of the form
 * @property {string} model the model that a new body asks for
 * @property {string[]} order the keys of a new body, and where a missing one is put
 * @property {string[]} maxTokens the keys that may hold the limit, the first one for a new body
 * @property {(json: JsonText) => JsonText} streamed what else a streamed request has
 * @property {(json: JsonText) => JsonText} whole the reverse
 * @property {(json: JsonText) => import("./json-text.js").JsonPath|null} system where the system text is
 * @property {(json: JsonText, text: string) => JsonText} addSystem
 * @property {(json: JsonText) => JsonText} dropSystem
 * @property {(json: JsonText) => import("./json-text.js").JsonPath|null} user where the user's last text is
 * @property {(json: JsonText, text: string) => JsonText} addUser
 * @property {(json: JsonText) => string} reasoning
 * @property {(json: JsonText, level: string) => JsonText} setReasoning
 * @property {string[]} toolWithin the keys from a tool to the object with its name
 * @property {string} toolParameters the name of the key with the JSON Schema
 * @property {Record<string, string>} toolFrame what a new tool says beside that
 * @property {(tool: any) => boolean} isFunction
 */

/** @type {Record<FormatName, Shape>} */
const SHAPES = { chat: CHAT_SHAPE, messages: MESSAGES_SHAPE, responses: RESPONSES_SHAPE };

/** @type {FormatName[]} */
export const FORMAT_NAMES = ["chat", "messages", "responses"];

/** The model that a new body of a format asks for. @param {FormatName} format */
export function usualModel(format) {
  return SHAPES[format].model;
}

/** @param {FormatName} format @param {JsonText} json valid JSON @returns {Form} */
export function readForm(format, json) {
  const shape = SHAPES[format];
  const limit = shape.maxTokens.map((key) => json.value([key])).find((value) => value !== undefined) ?? "";
  const tools = toolsIn(shape, json);
  return {
    model: textOf(json.value(["model"])),
    maxTokens: String(limit),
    stream: json.value(["stream"]) === true,
    system: textAt(json, shape.system(json)),
    user: textAt(json, shape.user(json)),
    reasoning: shape.reasoning(json),
    tools: tools.functions.map((index) => readTool(shape, json, index)),
    otherTools: tools.others,
  };
}

/**
 * The body with the fields of `changes` that it does not say already.
 * @param {FormatName} format @param {JsonText} json @param {Partial<Form>} changes @returns {JsonText}
 */
export function writeForm(format, json, changes) {
  const shape = SHAPES[format];
  const now = readForm(format, json);
  const { model, maxTokens, stream, system, user, reasoning, tools } = changes;
  if (model !== undefined && model !== now.model) json = json.set(["model"], model, shape.order);
  if (maxTokens !== undefined && maxTokens !== now.maxTokens) json = writeLimit(shape, json, maxTokens);
  if (stream !== undefined && stream !== now.stream) {
    json = json.set(["stream"], stream, shape.order);
    json = stream ? shape.streamed(json) : shape.whole(json);
  }
  if (system !== undefined && system !== now.system) {
    const path = shape.system(json);
    if (path) json = system === "" ? shape.dropSystem(json) : json.set(path, system);
    else json = shape.addSystem(json, system);
  }
  if (user !== undefined && user !== now.user) {
    const path = shape.user(json);
    json = path ? json.set(path, user) : shape.addUser(json, user);
  }
  if (reasoning !== undefined && reasoning !== now.reasoning) json = shape.setReasoning(json, reasoning);
  if (tools !== undefined) json = writeTools(shape, json, tools);
  return json;
}

/** A body that says what the form says and nothing else. @param {FormatName} format @param {Form} form @returns {JsonText} */
export function newBody(format, form) {
  const { model, user, stream, maxTokens, system, reasoning, tools } = form;
  let json = new JsonText("{}").set(["model"], model, SHAPES[format].order);
  json = writeForm(format, json, { maxTokens, stream, system });
  return writeForm(format, SHAPES[format].addUser(json, user), { reasoning, tools });
}

/** @param {Shape} shape @param {JsonText} json @param {string} limit */
function writeLimit(shape, json, limit) {
  const standing = shape.maxTokens.find((key) => json.node([key])) ?? shape.maxTokens[0];
  if (limit === "") return json.remove([standing]);
  const value = /^(?:0|[1-9]\d*)$/.test(limit) ? new RawJson(limit) : limit;
  return json.set([standing], value, shape.order);
}

/** @param {Shape} shape @param {JsonText} json */
function toolsIn(shape, json) {
  const count = json.node(["tools"])?.items.length ?? 0;
  const all = Array.from({ length: count }, (_, index) => index);
  const functions = all.filter((index) => shape.isFunction(json.value(["tools", index])));
  return { functions, others: count - functions.length };
}

/** @param {Shape} shape @param {JsonText} json @param {number} index @returns {Tool} */
function readTool(shape, json, index) {
  const at = ["tools", index, ...shape.toolWithin];
  return {
    name: textOf(json.value([...at, "name"])),
    description: textOf(json.value([...at, "description"])),
    parameters: outdented(json.source([...at, shape.toolParameters])),
  };
}

/** @param {Shape} shape @param {JsonText} json @param {Tool[]} tools */
function writeTools(shape, json, tools) {
  const { functions, others } = toolsIn(shape, json);
  if (tools.length === 0 && others === 0) return json.remove(["tools"]);
  for (const index of functions.slice(tools.length).reverse()) json = json.remove(["tools", index]);
  if (json.node(["tools"])?.type !== "array") json = json.set(["tools"], [], shape.order);
  tools.forEach((tool, place) => {
    const index = functions[place];
    const end = json.node(["tools"])?.items.length ?? 0;
    if (index === undefined) json = writeTool(shape, json.insert(["tools"], end, toolFrame(shape)), end, tool);
    else json = writeTool(shape, json, index, tool);
  });
  return json;
}

/** @param {Shape} shape @param {JsonText} json @param {number} index @param {Tool} tool */
function writeTool(shape, json, index, tool) {
  const at = ["tools", index, ...shape.toolWithin];
  const now = readTool(shape, json, index);
  const order = ["type", "name", "description", shape.toolParameters];
  if (tool.name !== now.name) json = json.set([...at, "name"], tool.name, order);
  if (tool.description !== now.description) {
    const path = [...at, "description"];
    json = tool.description === "" ? json.remove(path) : json.set(path, tool.description, order);
  }
  if (compactJson(tool.parameters) !== compactJson(now.parameters)) {
    const path = [...at, shape.toolParameters];
    json = tool.parameters.trim() === "" ? json.remove(path) : json.set(path, new RawJson(tool.parameters.trim()), order);
  }
  return json;
}

/** @param {Shape} shape */
function toolFrame(shape) {
  const named = { name: "" };
  const [within] = shape.toolWithin;
  return within ? { ...shape.toolFrame, [within]: named } : { ...shape.toolFrame, ...named };
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : "";
}

/** @param {JsonText} json @param {import("./json-text.js").JsonPath|null} path */
function textAt(json, path) {
  return path ? textOf(json.value(path)) : "";
}

/** Without the indentation that the lines after the first have in common. @param {string} text */
function outdented(text) {
  const lines = text.split("\n");
  const rest = lines.slice(1).filter((line) => line.trim() !== "");
  const indent = Math.min(...rest.map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0));
  return lines.map((line, index) => (index === 0 ? line : line.slice(indent))).join("\n");
}

/** @param {FormatName} format @returns {import("./draft.js").DraftForm} before anything was typed */
export function blankForm(format) {
  return {
    model: usualModel(format),
    scenario: "",
    maxTokens: "1024",
    stream: true,
    system: "",
    user: FIRST_PROMPT,
    reasoning: "off",
    tools: [],
    otherTools: 0,
  };
}
