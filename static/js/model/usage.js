/**
 * Usage in terms that mean the same for every format, with the wire's own names beside each. Used by the usage line.
 *
 * @typedef {{word: string, field: string, value: number, wire: string}} UsageFigure `field`: its name in the lane's usage
 */

/**
 * Where a number stands in the usage object as it came: the paths of all keys whose value it is.
 * @param {Record<string, any>} raw
 * @param {number} value
 * @param {RegExp} keys
 * @param {string} path
 * @returns {string[]}
 */
function wireNames(raw, value, keys, path = "") {
  return Object.entries(raw).flatMap(([key, entry]) => {
    if (entry !== null && typeof entry === "object") return wireNames(entry, value, keys, `${path}${key}.`);
    return entry === value && keys.test(key) ? [`${path}${key}`] : [];
  });
}

/** @type {[word: string, field: string, keys: RegExp][]} */
const TERMS = [
  ["prompt", "whole_input", /prompt_tokens|input_tokens|prompt_eval_count/],
  ["cached", "cached", /cache/],
  ["written", "written", /cache/],
  ["output", "output", /completion_tokens|output_tokens|eval_count/],
  ["reasoning", "reasoning", /reasoning|thinking/],
];

/**
 * The figures that a usage object has, in the order in which they are read: whole prompt, of it cached and written,
 * output, of it reasoning.
 * @param {Record<string, any>} usage the lane's field, as usage_counts in playground/formats/interface.py makes it
 * @returns {UsageFigure[]}
 */
export function usageFigures(usage) {
  const raw = usage.raw ?? {};
  return TERMS.flatMap(([word, field, keys]) => {
    const value = usage[field];
    if (typeof value !== "number") return [];
    const names = wireNames(raw, value, keys);
    const summed = field === "whole_input" && names.length === 0;
    const wire = summed ? wireNames(raw, usage.input, keys).join(", ") + " + cache counts" : names.join(", ");
    return [{ word, field, value, wire }];
  });
}
