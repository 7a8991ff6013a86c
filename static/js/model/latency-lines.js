/**
 * The figures of a lane in words, each with its definition: what the Latency pane shows. docs/latency.md has the same.
 *
 * @typedef {{name: string, value: string, says: string, standard: string}} FigureLine `standard`: what OpenTelemetry calls it
 */

import { UNKNOWN, count, duration } from "./figures.js";
import { durationOf, firstTime, firstTokenTime, gapFigures, tokenPace } from "./latency.js";

/**
 * @param {import("./shown.js").Shown} shown
 * @param {Float64Array} gaps in order
 * @param {number} stall seconds that a stall has at least
 * @returns {FigureLine[]}
 */
export function latencyLines(shown, gaps, stall) {
  const { median, p95, longest, burstiness } = gapFigures(gaps);
  const { tokens, rate, estimated } = tokenPace(shown);
  const stalls = gaps.filter((gap) => gap >= stall * 1e6).length;
  const pace = Number.isNaN(rate) ? UNKNOWN : `${estimated ? "~" : ""}${rate < 9.95 ? rate.toFixed(1) : count(rate)}`;
  const told = estimated ? "Estimated, four characters a token: the wire has not counted yet" : `The server's own count, ${count(tokens)}`;
  const head = shown.step >= 0 && shown.head?.status !== null ? shown.lane.steps.times.at(0) : NaN;
  return [
    figureLine("head", duration(head), "The status and headers of the answer were there."),
    figureLine("first byte", duration(firstTime(shown, "byte")), "The first read that brought a byte of the body, comments included."),
    figureLine("first event", duration(firstTime(shown, "event")), "The first read that completed an event.", "gen_ai.client.operation.time_to_first_chunk"),
    figureLine("first reasoning", duration(firstTime(shown, "reasoning")), "The first reasoning that is not empty."),
    figureLine("first text", duration(firstTime(shown, "text")), "The first text or refusal that is not empty."),
    figureLine("first tool argument", duration(firstTime(shown, "tool")), "The first argument of a call, or input of a tool that the server runs, that is not empty."),
    figureLine("first token", duration(firstTokenTime(shown)), "The first of the last three.", "gen_ai.server.time_to_first_token"),
    figureLine("duration", duration(durationOf(shown)), "The last read that completed an event; where there was none, the end.", "gen_ai.client.operation.duration"),
    figureLine("tokens a second", pace, `${told}; over the time from the first token to the last read that completed an event.`, "1 / gen_ai.server.time_per_output_token"),
    figureLine("gaps", count(gaps.length), "Between each two reads that completed events, one after the other.", "gen_ai.client.operation.time_per_output_chunk"),
    figureLine("median gap", duration(median), "Half of the gaps are no longer."),
    figureLine("95th percentile", duration(p95), "Nineteen of twenty gaps are no longer (nearest rank)."),
    figureLine("longest gap", duration(longest), "The longest silence between two of them."),
    figureLine("stalls", count(stalls), `Gaps of at least ${stall} s.`),
    figureLine("burstiness", Number.isNaN(burstiness) ? UNKNOWN : burstiness.toFixed(2).replace("-", "−"), "(s − m) / (s + m) of their mean m and standard deviation s: −1 a steady beat, 0 chance, towards 1 bursts."),
  ];
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} says
 * @returns {FigureLine}
 */
function figureLine(name, value, says, standard = "") {
  return { name, value, says, standard };
}
