/** What a share may leave out, in words and as an address asks for it. Used by the dialog and by the pages of a share. */

/** @type {[name: string, label: string][]} */
export const LEFT_OUT_PARTS = [
  ["system", "system text"],
  ["tools", "tools"],
  ["headers", "request headers"],
  ["body", "the whole request body"],
];

/** How long a link lasts, by the server's words. @type {[name: string, label: string][]} */
export const LIFETIMES = [
  ["hour", "1 hour"],
  ["day", "1 day"],
  ["week", "7 days"],
  ["month", "30 days"],
  ["quarter", "90 days"],
];

/**
 * "system text, tools": the parts and texts that are left out, "" when nothing is.
 * @param {string[]} names parts, and "texts" for texts that a person marked
 */
export function leftOutWords(names) {
  const words = LEFT_OUT_PARTS.filter(([name]) => names.includes(name)).map(([, label]) => label);
  if (names.includes("texts")) words.push("marked texts");
  return words.join(", ");
}

/**
 * The query of a preview, "" when nothing is left out.
 * @param {string[]} parts
 * @param {string[]} texts
 */
export function leftOutQuery(parts, texts) {
  const asked = texts.map((text) => `text=${encodeURIComponent(text)}`);
  if (parts.length > 0) asked.unshift(`without=${parts.join(",")}`);
  return asked.length > 0 ? `?${asked.join("&")}` : "";
}

/** Whether a page at that host is seen from this machine alone. @param {string} host */
export function isLoopback(host) {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}
