/**
 * Where a request goes: a base URL and a format's path -> the address, and back; the name that a vendor's key usually
 * has in the environment. Used by draft.js and snippets.js.
 */

/** The paths of the formats below a base URL. */
const FORMAT_PATHS = ["/chat/completions", "/messages", "/responses"];
/** A segment of a path that is a version: /v1, /v4, /v1beta. A base URL without one gets /v1. */
const VERSION_SEGMENT = /^v\d+[a-z0-9]*$/;

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

/**
 * The base URL as the relay understands it (join in playground/upstream/calls.py): without a format's path, with /v1
 * where no version and none of Azure's deployments stands in it, without query.
 * @param {string} base
 */
export function wholeBase(base) {
  const bare = withoutPath(partsOfAddress(base)[0]);
  const segments = (bare.split("://")[1] ?? "").split("/").slice(1);
  const whole = segments.includes("deployments") || segments.some((segment) => VERSION_SEGMENT.test(segment));
  return whole ? bare : `${bare}/v1`;
}

/** @param {string} base @param {string} path of the format, as /chat/completions */
export function requestAddress(base, path) {
  const [bare, query] = partsOfAddress(base);
  return (bare.endsWith(path) ? bare : wholeBase(bare) + path) + query;
}

/** The base URL of an address that a request went to. @param {string} address */
export function baseOfAddress(address) {
  const [bare, query] = partsOfAddress(address);
  return withoutPath(bare) + query;
}

/** "" for what is no address. @param {string} base */
export function originOf(base) {
  return URL.canParse(base.trim()) ? new URL(base.trim()).origin : "";
}

/** @param {string} base */
export function keyVariable(base) {
  const host = URL.canParse(base) ? new URL(base).hostname : "";
  return KEY_VARIABLES.find(([pattern]) => pattern.test(host))?.[1] ?? "API_KEY";
}

/** Without a slash at its end, and the query. @param {string} address @returns {[string, string]} */
function partsOfAddress(address) {
  const [whole] = address.trim().split("#", 1);
  const query = whole.includes("?") ? whole.slice(whole.indexOf("?")) : "";
  return [whole.slice(0, whole.length - query.length).replace(/\/+$/, ""), query];
}

/** @param {string} bare */
function withoutPath(bare) {
  const path = FORMAT_PATHS.find((each) => bare.endsWith(each)) ?? "";
  return bare.slice(0, bare.length - path.length);
}
