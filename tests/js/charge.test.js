import assert from "node:assert/strict";
import { test } from "node:test";

import { chargeWords, dollars } from "../../static/js/model/charge.js";
import { keyProblem, ledgerCells, ledgerSums } from "../../static/js/model/ledger.js";
import { programRequests } from "../../static/js/model/programs.js";
import { SessionModel } from "../../static/js/model/session.js";
import { SNIPPET_KINDS, snippetOf } from "../../static/js/model/snippets.js";
import { followCharges } from "../../static/js/sources/charges.js";

const CHARGE = {
  id: "req_0123456789abcdef", model: "gpt-5.2", input_tokens: 1204, output_tokens: 412, cost_micros: 7875, ended: "left",
  replayed: false,
};
const FACTS = {
  format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [], request_body: "",
  word: "waiting", last_step: null,
};
const HEAD = { status: 200, reason: "OK", headers: [["X-Request-Id", CHARGE.id]] };
const END = { how: "stopped", detail: "", word: "stopped", complete: false };

test("money is written digit by digit, however much it is", () => {
  assert.deepEqual([0, 1, 412, 1_000_000, 1_204_500_000, -20_000].map((micros) => dollars(micros)),
    ["$0.000000", "$0.000001", "$0.000412", "$1.000000", "$1,204.500000", "−$0.020000"]);
  assert.equal(dollars(9_007_199_254_740_991), "$9,007,199,254.740991");
  assert.deepEqual([600_000, 1_750_000, 15_000_000, 1_234_567, 10].map((micros) => dollars(micros, 2)),
    ["$0.60", "$1.75", "$15.00", "$1.234567", "$0.00001"]);
  assert.equal(dollars(15_000_000, 0), "$15");
  assert.deepEqual([0.5, NaN, 2 ** 60].map((micros) => dollars(micros)), ["–", "–", "–"]);
});

test("what was charged stands beside what was seen only where the body ended first", () => {
  const words = chargeWords(CHARGE, false, 61);
  assert.deepEqual([words.cost, words.charged, words.seen], ["$0.007875", "412", "~61"]);
  assert.match(words.title, /1,204 input and 412 output tokens/);
  assert.equal(chargeWords(CHARGE, false, 0).seen, "0");
  assert.equal(chargeWords(CHARGE, false, 500).seen, "~412", "nobody saw more than there was");
  assert.equal(chargeWords(CHARGE, true, 61).charged, "");
  const running = chargeWords({ ...CHARGE, ended: "running" }, false, 61);
  assert.deepEqual([running.cost, running.charged, running.unit], ["$0.007875 so far", "412", "output tokens so far"]);
  assert.equal(chargeWords({ ...CHARGE, cost_micros: 0, replayed: true }, true, 61).cost, "$0.000000, replayed");
});

test("a row of the ledger says in words how its call ended", () => {
  const entry = { ...CHARGE, created: 1_700_000_000, path: "/v1/chat/completions", streamed: true };
  const texts = (/** @type {object} */ change) => ledgerCells({ ...entry, ...change }, () => "12:00:00").map(({ text }) => text);
  assert.deepEqual(texts({}), ["12:00:00", "gpt-5.2", "/chat/completions", "1,204", "412", "$0.007875", "client left", "req_…abcdef"]);
  assert.equal(texts({ ended: "ended", replayed: true })[6], "ended, replayed");
  assert.equal(texts({ ended: "ended", lost: [{ element: "signature", note: "" }] })[6], "ended, 1 lost");
  assert.equal(texts({ ended: "odd" })[6], "odd");
  assert.deepEqual(ledgerSums({ data: [], total_cost_micros: 12_345, balance_cents: 9_998 }), { total: "$0.012345", balance: "$99.98" });
  assert.deepEqual(["", "none", "a b", "ä"].map((key) => keyProblem(key) === ""), [true, true, false, false]);
});

test("there is a program for every format in every language, to the format's own address", () => {
  const formats = /** @type {const} */ ([
    { name: "chat", title: "Chat", path: "/chat/completions" },
    { name: "messages", title: "Messages", path: "/messages" },
    { name: "responses", title: "Responses", path: "/responses" },
  ]);
  const gateway = { base_url: "http://127.0.0.1:8000/v1", models: [], scenarios: [] };
  const requests = programRequests({ gateway, formats: [...formats] });
  assert.deepEqual(requests.map(({ url }) => url), formats.map(({ path }) => `http://127.0.0.1:8000/v1${path}`));
  for (const request of requests) for (const { name } of SNIPPET_KINDS) assert.match(snippetOf(name, request), /127\.0\.0\.1:8000/);
});

/** A session whose lane got its head and its end. */
function endedSession() {
  const session = new SessionModel(() => 0);
  session.push({ type: "session", id: "s", title: "", created: 1, tags: [], lanes: [{ ...FACTS, lane: 0 }] });
  session.push({ type: "steps", lane: 0, frame: 1, steps: [{ step: 0, time: 1, size: 0, offset: 0, head: HEAD }] });
  session.fold(1000);
  const finish = () => {
    session.push({ type: "steps", lane: 0, frame: 2, steps: [{ step: 1, time: 2, size: 0, offset: 0, end: END }] });
    session.fold(1000);
  };
  return { session, finish };
}

/**
 * Answers in a row; `finished` is kept when all were given and one more turn was waited.
 * @param {object[]} answers
 */
function asking(answers) {
  /** @type {[number, string][]} */
  const questions = [];
  /** @type {number[]} */
  const pauses = [];
  const ask = (/** @type {number} */ lane, /** @type {string} */ id) => {
    questions.push([lane, id]);
    return Promise.resolve(answers[questions.length - 1] ?? answers.at(-1));
  };
  const wait = (/** @type {number} */ pause) => {
    pauses.push(pause);
    return Promise.resolve();
  };
  return { questions, pauses, ask, wait };
}

const settled = () => new Promise((go) => setImmediate(go));

test("a lane's charge is asked for once the lane is over, until the model has ended", async () => {
  const { session, finish } = endedSession();
  const running = { ledger: true, charge: { ...CHARGE, ended: "running" } };
  const { questions, pauses, ask, wait } = asking([running, running, { ledger: true, charge: CHARGE }]);
  followCharges(session, ask, wait);
  await settled();
  assert.deepEqual(questions, []);
  finish();
  await settled();
  assert.deepEqual(questions, Array(3).fill([0, CHARGE.id]));
  assert.equal(pauses.length, 2);
  assert.deepEqual(session.lanes[0].charge, CHARGE);
});

test("asking ends after two minutes, where there is no row, and when nobody looks any more", async () => {
  for (const [answer, most] of /** @type {[any, number][]} */ ([
    [{ ledger: true, charge: { ...CHARGE, ended: "running" } }, 31], [{ ledger: false, charge: null }, 1],
    [{ ledger: true, charge: null }, 1], [{ problem: { code: "x", message: "x" } }, 1], [null, 1],
  ])) {
    const { session, finish } = endedSession();
    const { questions, pauses, ask, wait } = asking([answer]);
    followCharges(session, ask, wait);
    finish();
    await settled();
    assert.equal(questions.length, most);
    assert.ok(pauses.reduce((sum, pause) => sum + pause, 0) <= 120_000);
  }
  const { session, finish } = endedSession();
  const { questions, ask, wait } = asking([{ ledger: true, charge: CHARGE }]);
  followCharges(session, ask, wait)();
  finish();
  await settled();
  assert.deepEqual(questions, []);
});
