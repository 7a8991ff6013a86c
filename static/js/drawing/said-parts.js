/** The list of kinds of parts and what draws each. Called by the Said pane. */

import { CitationPart, ErrorPart, ExtraPart, MediaPart } from "./small-parts.js";
import { SpokenPart } from "./spoken-part.js";
import { ToolPart } from "./tool-part.js";

/** @typedef {import("./part-frame.js").PartFrame} PartFrame */
/** @typedef {import("./part-frame.js").SaidContext} SaidContext */
/** @typedef {import("../model/transcript.js").Part} Part */

/** @type {Record<string, new (part: Part, context: SaidContext) => PartFrame>} */
const KINDS_DRAWN = {
  text: SpokenPart,
  reasoning: SpokenPart,
  refusal: SpokenPart,
  tool_call: ToolPart,
  server_tool: ToolPart,
  citation: CitationPart,
  image: MediaPart,
  audio: MediaPart,
  error: ErrorPart,
};

/**
 * @param {Part} part
 * @param {SaidContext} context
 * @returns {PartFrame}
 */
export function drawPart(part, context) {
  return new (KINDS_DRAWN[part.kind] ?? ExtraPart)(part, context);
}
