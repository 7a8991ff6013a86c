/**
 * How a lane ended, in sentences for a person. Takes the end of its last step; the lane's head shows what comes out.
 */

/** @type {Record<string, string>} */
const BODIES = {
  json: "The body is one JSON document, not an event stream.",
  ndjson: "The body is NDJSON, a JSON object a line, not an event stream.",
  html: "The body is an HTML page, not an event stream.",
  empty: "The body is empty.",
  "gzip-text": "The body was gzip until it was taken for text on its way: it cannot be read any more.",
};

/**
 * @param {import("./messages.js").EndMessage} end
 * @returns {string} "" where there is nothing to say. What is noted of how the lane is kept stands in `end.notes`.
 */
export function endSentences(end) {
  const body = end.how === "closed" ? BODIES[end.body ?? ""] ?? "" : "";
  return [body, end.detail].filter(Boolean).join(" ");
}
