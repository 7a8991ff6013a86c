/** What a share may leave out, in words. Used by the dialog that asks and by the pages that say it. */

/** @type {[name: string, label: string][]} */
export const LEFT_OUT_PARTS = [
  ["system", "system text"],
  ["tools", "tools"],
  ["headers", "request headers"],
  ["body", "the whole request body"],
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
