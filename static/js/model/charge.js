/**
 * What a request cost, as a ledger tells it, in the page's words. Money is whole micros, a millionth of a US dollar, and
 * is written digit by digit: it never becomes a fraction. Used by the lane's head and the gateway's page.
 *
 * @typedef {{
 *   id: string, model: string, input_tokens: number, output_tokens: number, cost_micros: number, ended: string,
 *   replayed: boolean,
 * }} Charge a row of GET /v1/usage; `ended` is "running" until the model came to its end
 */

import { UNKNOWN, count } from "./figures.js";

const DOLLAR_DIGITS = 6;

/**
 * $0.000412, $1,204.50. Zeros at the end are left out down to `least` digits behind the point.
 * @param {number} micros
 * @param {number} least
 */
export function dollars(micros, least = DOLLAR_DIGITS) {
  if (!Number.isSafeInteger(micros)) return UNKNOWN;
  const digits = String(Math.abs(micros)).padStart(DOLLAR_DIGITS + 1, "0");
  const fraction = digits.slice(-DOLLAR_DIGITS);
  const spare = /0*$/.exec(fraction.slice(least))?.[0].length ?? 0;
  const whole = digits.slice(0, -DOLLAR_DIGITS).replace(/\B(?=(\d{3})+$)/g, ",");
  const shown = fraction.slice(0, DOLLAR_DIGITS - spare);
  return `${micros < 0 ? "−" : ""}$${whole}${shown ? `.${shown}` : ""}`;
}

/** The id that a ledger knows an answer by, "" when it has none. @param {import("./lane.js").LaneModel} lane */
export function requestIdOf(lane) {
  return lane.head?.headers.find(([name]) => name.toLowerCase() === "x-request-id")?.[1] ?? "";
}

/** Whether the model may still be running for it. @param {Charge} charge */
export function stillCharged(charge) {
  return charge.ended === "running";
}

/**
 * What a charge says in a lane's head. `charged` and `seen` are tokens of output; they stand beside each other where
 * the body ended before the model did, and are empty elsewhere. `unit` says what was charged.
 * @param {Charge} charge
 * @param {boolean} whole the body came to its end
 * @param {number} guess tokens that the body said, guessed by their length
 * @returns {{cost: string, charged: string, unit: string, seen: string, title: string}}
 */
export function chargeWords(charge, whole, guess) {
  const running = stillCharged(charge);
  const title = `${count(charge.input_tokens)} input and ${count(charge.output_tokens)} output tokens, by the ledger of the target`;
  const cost = `${dollars(charge.cost_micros)}${running ? " so far" : ""}${charge.replayed ? ", replayed" : ""}`;
  const unit = running ? "output tokens so far" : "output tokens";
  if (whole || charge.replayed) return { cost, charged: "", unit, seen: "", title };
  const seen = Math.min(guess, charge.output_tokens);
  return { cost, charged: count(charge.output_tokens), unit, seen: seen === 0 ? "0" : `~${count(seen)}`, title };
}
