/**
 * What a row did, in a few bits, told from its operations: the colour and the short word of a row in Wire. Used by
 * lane.js (to collect) and the Wire pane (to show). Knows no vendor.
 *
 * @typedef {"reasoning" | "text" | "tool" | "usage" | "error" | "other"} Colour
 */

/** Kinds of parts, by bit: bit n says that a row changed such a part, bit n + 10 that it spoke of one. */
const KINDS = [
  "text", "reasoning", "refusal", "tool_call", "server_tool", "citation", "image", "audio", "extra", "error",
];
const CHANGED = (1 << KINDS.length) - 1;
const SPOKE = KINDS.length;

export const USAGE = 1 << 20;
const FINISH = 1 << 21;
const START = 1 << 22;
const DONE = 1 << 23;
const ARGUMENTS = 1 << 24;
const OPENED_TOOL = 1 << 25;
/** The row brought something that a reader waits for: text, reasoning, a refusal or arguments that are not empty. */
export const SAID_SOMETHING = 1 << 26;

/** The row opened, or let grow, a part that grows. */
export const GREW = 1 << 27;

/** @type {Record<string, number>} */
const LANE_FIELDS = { usage: USAGE, finish: FINISH, complete: DONE, id: START, model: START, role: START };

/** @type {Record<string, Colour>} */
const COLOURS = {
  text: "text", reasoning: "reasoning", tool_call: "tool", server_tool: "tool", error: "error", usage: "usage",
};

/** @type {Record<string, number>} */
const BITS = Object.fromEntries(KINDS.map((kind, bit) => [kind, 1 << bit]));

/** Kinds that grow, and so can break off. */
const GROWS = BITS.text | BITS.reasoning | BITS.refusal | BITS.tool_call | BITS.server_tool | BITS.audio;

/** The colour of a kind of part. @param {string} kind @returns {Colour} */
export function colourOfKind(kind) {
  return COLOURS[kind] ?? "other";
}

/**
 * The bits of one operation.
 * @param {import("./transcript.js").Operation} operation
 * @param {import("./transcript.js").Part | null} part
 */
export function deedOf(operation, part) {
  if (part === null) return 0;
  const name = operation[1];
  if (part.number === 0) return name === "set" ? (LANE_FIELDS[operation[3].split(":")[0]] ?? 0) : 0;
  const kind = BITS[part.kind] ?? 0;
  if (name === "close") return part.kind === "error" ? 0 : kind << SPOKE;
  if (name === "link") return kind << SPOKE;
  const tool = part.kind === "tool_call" || part.kind === "server_tool";
  if (name === "open") {
    const fields = operation[4];
    const said = fields.arguments || (fields.text && kind & 0b111);
    return kind | (tool ? OPENED_TOOL : 0) | (said ? SAID_SOMETHING : 0) | (kind & GROWS ? GREW : 0);
  }
  const field = operation[3];
  const said = operation[4] && (field === "arguments" || (field === "text" && kind & 0b111));
  const grew = name === "append" && kind & GROWS ? GREW : 0;
  const fed = tool && (field === "arguments" || field === "input") ? ARGUMENTS : 0;
  return kind | fed | grew | (said ? SAID_SOMETHING : 0);
}

/** The kind of the lowest bit. @param {number} bits */
function firstKind(bits) {
  return KINDS[31 - Math.clz32(bits & -bits)];
}

/** @param {number} deeds @returns {Colour} */
export function colourOfDeeds(deeds) {
  if (deeds & (BITS.error | (BITS.error << SPOKE))) return "error";
  const changed = deeds & CHANGED;
  if (changed) return colourOfKind(firstKind(changed));
  if (deeds & USAGE) return "usage";
  const spoke = (deeds >> SPOKE) & CHANGED;
  return spoke ? colourOfKind(firstKind(spoke)) : "other";
}

/** @type {[number, string][]} */
const WORDS = [
  [BITS.error, "error"],
  [BITS.reasoning, "delta reasoning"],
  [BITS.text, "delta content"],
  [BITS.refusal, "delta refusal"],
  [BITS.server_tool, "server tool"],
  [BITS.citation, "citation"],
  [BITS.image, "image"],
  [BITS.audio, "audio"],
  [FINISH, "finish"],
  [USAGE, "usage"],
  [BITS.extra, "extra"],
];

/**
 * A short word for what an event without a name did, "" when it did nothing.
 * @param {number} deeds
 */
export function wordOfDeeds(deeds) {
  const words = [];
  if (deeds & OPENED_TOOL && deeds & BITS.tool_call) words.push("delta tool call");
  else if (deeds & BITS.tool_call) words.push(deeds & ARGUMENTS ? "delta arguments" : "delta tool call");
  for (const [bit, word] of WORDS) if (deeds & bit) words.push(word);
  if (words.length === 0 && deeds & START) words.push("start");
  return words.length > 2 ? `${words[0]} + ${words.length - 1} more` : words.join(" + ");
}
