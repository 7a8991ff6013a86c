/**
 * What was said as plain text, for the clipboard and the plain mode of Said.
 */

import { GIVEN_UP } from "./transcript.js";

/**
 * The parts that make up the answer: text of the first choice, in order.
 * @param {import("./transcript.js").Transcript} transcript
 * @param {number} position as of which
 */
export function answerParts(transcript, position = Infinity) {
  return [...transcript.standing(position)].filter(
    (part) => part.kind === "text" && !part.value("choice") && !GIVEN_UP.has(part.value("status", position)),
  );
}

/** @param {import("./transcript.js").Transcript} transcript @param {number} position as of which */
export function answerText(transcript, position = Infinity) {
  return answerParts(transcript, position)
    .map((part) => part.value("text", position) ?? "")
    .join("")
    .toWellFormed();
}

/** The fields in which a part says the most, first come first. */
const TELLING_FIELDS = ["text", "arguments", "input", "transcript", "message", "url", "cited_text", "value"];

/**
 * Every part with its kind in front, in order.
 * @param {import("./transcript.js").Transcript} transcript
 * @param {number} position as of which
 */
export function wholeText(transcript, position = Infinity) {
  return [...transcript.standing(position)]
    .filter((part) => !GIVEN_UP.has(part.value("status", position)))
    .map((part) => {
      const value = (/** @type {string} */ field) => part.value(field, position);
      const said = TELLING_FIELDS.map(value).find(Boolean) ?? "";
      const text = typeof said === "string" ? said.toWellFormed() : JSON.stringify(said);
      const title = [part.kind.replaceAll("_", " "), value("name"), value("id")].filter(Boolean).join(" ");
      return `[${title}]\n${text}`;
    })
    .join("\n\n");
}
