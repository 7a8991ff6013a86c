/**
 * Where a request goes: a base URL and a format's path -> the address, and back; the name that a vendor's key usually
 * has in the environment. Used by draft.js and snippets.js.
 */

/** A version in a path, as in /v1, /v4 or /v1beta: a base URL that has one is taken as it is, any other gets /v1. */
const VERSION = /\/v\d+[a-z0-9]*(?:\/|$)/i;

/** @type {[RegExp, string][]} */
const KEY_VARIABLES = [
  [/(^|\.)openai\.com$/, "OPENAI_API_KEY"],
  [/(^|\.)anthropic\.com$/, "ANTHROPIC_API_KEY"],
  [/(^|\.)openrouter\.ai$/, "OPENROUTER_API_KEY"],
  [/(^|\.)deepseek\.com$/, "DEEPSEEK_API_KEY"],
  [/(^|\.)mistral\.ai$/, "MISTRAL_API_KEY"],
  [/(^|\.)groq\.com$/, "GROQ_API_KEY"],
  [/(^|\.)x\.ai$/, "XAI_API_KEY"],
  [/(^|\.)googleapis\.com$/, "GEMINI_API_KEY"],
  [/(^|\.)z\.ai$/, "ZAI_API_KEY"],
];

/** The base URL with its version, without a slash at the end. @param {string} base */
export function versionedBase(base) {
  const bare = base.trim().replace(/\/+$/, "");
  return VERSION.test(pathOf(bare)) ? bare : `${bare}/v1`;
}

/** @param {string} base @param {string} path of the format, as /chat/completions */
export function requestAddress(base, path) {
  return versionedBase(withoutPath(base, path)) + path;
}

/** The base URL out of an address that may end in a format's path. @param {string} address @param {string} path */
export function withoutPath(address, path) {
  const bare = address.trim().replace(/\/+$/, "");
  return bare.endsWith(path) ? bare.slice(0, -path.length) : bare;
}

/** @param {string} base */
export function keyVariable(base) {
  const host = URL.canParse(base) ? new URL(base).hostname : "";
  return KEY_VARIABLES.find(([pattern]) => pattern.test(host))?.[1] ?? "API_KEY";
}

/** What is wrong with a base URL, "" when nothing is. @param {string} base */
export function addressProblem(base) {
  if (base.trim() === "") return "Give the base URL of the endpoint, for example https://api.openai.com/v1.";
  if (!URL.canParse(base.trim()) || !/^https?:\/\//i.test(base.trim())) {
    return "This is no address: it has to begin with https:// or http://.";
  }
  return "";
}

/** @param {string} address */
function pathOf(address) {
  return URL.canParse(address) ? new URL(address).pathname : "";
}
