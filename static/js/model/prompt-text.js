/**
 * Where the text of a message stands in a body: `content` is a string or a list of parts. Used by the shapes.
 */

/** @typedef {import("./json-text.js").JsonText} JsonText */
/** @typedef {import("./json-text.js").JsonPath} JsonPath */

/**
 * The path of the first text at or below a path; null where there is none.
 * @param {JsonText} json @param {JsonPath} path @returns {JsonPath|null}
 */
export function textWithin(json, path) {
  const node = json.node(path);
  if (node?.type === "string") return path;
  if (node?.type !== "array") return null;
  const index = node.items.findIndex((item, at) => item.type === "object" && json.node([...path, at, "text"])?.type === "string");
  return index < 0 ? null : [...path, index, "text"];
}

/**
 * The path of the last text (`last`) or the first one that a role of `roles` says in a list of messages.
 * @param {JsonText} json @param {string} list the key of the list @param {string[]} roles @param {boolean} last
 * @returns {JsonPath|null}
 */
export function textBy(json, list, roles, last) {
  const count = json.node([list])?.items.length ?? 0;
  for (let step = 0; step < count; step += 1) {
    const index = last ? count - 1 - step : step;
    if (json.node([list, index])?.type !== "object" || !roles.includes(json.value([list, index, "role"]))) continue;
    const path = textWithin(json, [list, index, "content"]);
    if (path) return path;
  }
  return null;
}

/**
 * With a message at the end of a list, or at its start; the list is made where there is none.
 * @param {JsonText} json @param {string} list @param {{role: string, content: string}} message @param {string[]} order
 * @param {boolean} first
 */
export function withMessage(json, list, message, order, first = false) {
  const node = json.node([list]);
  if (node?.type !== "array") return json.set([list], [message], order);
  return json.insert([list], first ? 0 : node.items.length, message);
}
