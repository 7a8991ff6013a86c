/** Words and lists around a draft, without DOM: what a closed part of the form says, where vendors are. For the composer. */

import { keyVariable, wholeBase } from "./address.js";

/** @typedef {import("./draft.js").Draft} Draft */

const FORMAT_TITLES = { chat: "Chat", messages: "Messages", responses: "Responses", all: "All three" };

/** @type {{value: string, note: string}[]} */
export const BASE_URLS = [
  ["https://api.openai.com/v1", "OpenAI"],
  ["https://api.anthropic.com/v1", "Anthropic"],
  ["https://openrouter.ai/api/v1", "OpenRouter"],
  ["https://api.deepseek.com/v1", "DeepSeek"],
  ["https://api.z.ai/api/paas/v4", "Z.ai"],
  ["https://api.mistral.ai/v1", "Mistral"],
  ["https://api.groq.com/openai/v1", "Groq"],
  ["https://api.x.ai/v1", "xAI"],
  ["https://generativelanguage.googleapis.com/v1beta/openai", "Gemini"],
  ["http://127.0.0.1:11434/v1", "Ollama"],
  ["http://127.0.0.1:8080/v1", "llama.cpp"],
  ["http://127.0.0.1:1234/v1", "LM Studio"],
].map(([value, note]) => ({ value, note }));

/** What stands beside the closed parts of the form. @param {Draft} draft */
export function formGists(draft) {
  const { system, tools, otherTools, stream } = draft.form();
  const names = tools.map(({ name }) => name || "unnamed");
  if (otherTools > 0) names.push(`${otherTools} in the body`);
  const headers = draft.headers.filter(([name]) => name.trim() !== "").length;
  const sending = [stream ? "streamed" : "whole"];
  if (draft.target === "gateway" && draft.pace !== "") sending.push(draft.pace === "0" ? "full speed" : `${draft.pace} tok/s`);
  if (headers > 0) sending.push(headers === 1 ? "1 header" : `${headers} headers`);
  return {
    system: system.trim() === "" ? "none" : system.trim().split("\n", 1)[0],
    tools: names.length === 0 ? "none" : names.join(", "),
    sending: sending.join(" · "),
  };
}

/** A line for the folded composer. @param {Draft} draft */
export function draftGist(draft) {
  const { model, scenario } = draft.form();
  const asked = draft.format === "all" ? scenario : scenario ? `${model}:${scenario}` : model;
  return asked ? `${FORMAT_TITLES[draft.format]} · ${asked}` : FORMAT_TITLES[draft.format];
}

/** The lanes of a draft for the dialog of snippets. @param {Draft} draft @returns {import("./snippets.js").SnippetRequest[]} */
export function snippetRequests(draft) {
  const custom = draft.target === "custom";
  const base = wholeBase(custom ? draft.baseUrl : draft.settings.gateway.base_url);
  return draft.lanes.map((format) => ({
    format,
    title: FORMAT_TITLES[format],
    base,
    url: draft.address(format),
    headers: draft.sentHeaders,
    body: draft.bodies[format].text,
    variable: custom ? keyVariable(base) : "",
    key: custom ? draft.key : "",
  }));
}

/** What is wrong with a base URL, "" when nothing is. @param {string} base */
export function addressProblem(base) {
  if (base.trim() === "") return "Give the base URL of the endpoint, for example https://api.openai.com/v1.";
  if (!URL.canParse(base.trim()) || !/^https?:\/\//i.test(base.trim())) {
    return "This is no address: it has to begin with https:// or http://.";
  }
  return "";
}
