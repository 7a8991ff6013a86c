/**
 * What was said as plain text, for the clipboard and the plain mode of Said.
 */

import { GIVEN_UP } from "./transcript.js";

/**
 * The parts that make up the answer: text of the first choice, in order.
 * @param {import("./transcript.js").Transcript} transcript
 */
export function answerParts(transcript) {
  return [...transcript.standing()].filter(
    (part) => part.kind === "text" && !part.value("choice") && !GIVEN_UP.has(part.value("status")),
  );
}

/** @param {import("./transcript.js").Transcript} transcript */
export function answerText(transcript) {
  return answerParts(transcript)
    .map((part) => part.value("text") ?? "")
    .join("")
    .toWellFormed();
}

/** The fields in which a part says the most, first come first. */
const TELLING_FIELDS = ["text", "arguments", "input", "transcript", "message", "url", "cited_text", "value"];

/**
 * Every part with its kind in front, in order.
 * @param {import("./transcript.js").Transcript} transcript
 */
export function wholeText(transcript) {
  return [...transcript.standing()]
    .filter((part) => !GIVEN_UP.has(part.value("status")))
    .map((part) => {
      const field = TELLING_FIELDS.find((name) => part.value(name));
      const said = field ? part.value(field) : "";
      const text = typeof said === "string" ? said.toWellFormed() : JSON.stringify(said);
      const title = [part.kind.replaceAll("_", " "), part.value("name"), part.value("id")].filter(Boolean).join(" ");
      return `[${title}]\n${text}`;
    })
    .join("\n\n");
}
