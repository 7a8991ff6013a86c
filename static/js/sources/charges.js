/**
 * Once a lane is over, its row of the target's ledger: asked for until the model has ended, which goes on at its own pace
 * after a client left. Called by main.js; tells the session.
 */

import { requestIdOf, stillCharged } from "../model/charge.js";

/** Milliseconds before each question: often for ten seconds, then now and then for two minutes. */
const QUESTIONS = [0, 250, 500, 750, 1000, 1500, 2000, 2000, 2000, ...Array(22).fill(5000)];

/** @typedef {{ledger: boolean, charge: import("../model/charge.js").Charge | null} | {problem: object}} ChargeAnswer */

/**
 * @param {import("../model/session.js").SessionModel} session
 * @param {(lane: number, requestId: string) => Promise<ChargeAnswer> | null} ask null where nobody is to be asked
 * @param {(milliseconds: number) => Promise<void>} wait
 * @returns {() => void} undoes it
 */
export function followCharges(session, ask, wait) {
  /** @type {Set<number>} */
  const asked = new Set();
  let over = false;

  /** @param {number} index */
  async function follow(index) {
    const lane = session.lanes[index];
    for (const pause of QUESTIONS) {
      if (pause > 0) await wait(pause);
      const answer = over ? null : await ask(index, requestIdOf(lane));
      if (over || answer === null || !("charge" in answer) || answer.charge === null) return;
      session.tellCharge(index, answer.charge);
      if (!stillCharged(answer.charge)) return;
    }
  }

  function look() {
    for (const [index, lane] of session.lanes.entries()) {
      if (lane.end === null || asked.has(index)) continue;
      asked.add(index);
      if (requestIdOf(lane) !== "") follow(index);
    }
  }

  const forget = session.subscribe(look);
  look();
  return () => {
    over = true;
    forget();
  };
}
