import assert from "node:assert/strict";
import { test } from "node:test";

import { SessionModel } from "../../static/js/model/session.js";

const FACTS = {
  format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [], request_body: "",
  word: "waiting", last_step: null,
};
const LANES = [{ ...FACTS, lane: 0 }, { ...FACTS, lane: 1 }];
const SESSION = { type: "session", id: "s1", title: "t", created: 1, tags: [], lanes: LANES };

/** @param {number} lane @param {number} frame @param {number[]} numbers */
function steps(lane, frame, numbers) {
  return { type: "steps", lane, frame, steps: numbers.map((step) => ({ step, time: step, size: 1, offset: step })) };
}

/** @param {object[]} messages */
function sessionOf(messages, clock = () => 0) {
  const session = new SessionModel(clock);
  const heard = { acks: [], gaps: [], calls: 0 };
  session.onFolded = (frame) => heard.acks.push(frame);
  session.onGap = (lane) => heard.gaps.push(session.lanes.indexOf(lane));
  session.subscribe(() => heard.calls++);
  for (const message of messages) session.push(message);
  return { session, heard };
}

test("messages wait until they are folded, and listeners hear of many at once", () => {
  const { session, heard } = sessionOf([SESSION, steps(0, 1, [0, 1]), steps(1, 2, [0]), steps(0, 3, [2])]);
  assert.equal(session.lanes.length, 0);
  session.fold(5);
  assert.deepEqual(session.lanes.map((lane) => lane.have), [2, 0]);
  assert.deepEqual(heard, { acks: [1, 2, 3], gaps: [], calls: 1 });
});

test("a fold stops when its time is over; what is left is folded later", () => {
  let now = 0;
  const { session, heard } = sessionOf([SESSION, steps(0, 1, [0]), steps(0, 2, [1])], () => now);
  session.onFolded = (frame) => heard.acks.push(frame) && (now += 10);
  session.fold(5);
  assert.deepEqual(heard.acks, [1]);
  session.fold(50);
  assert.deepEqual(heard.acks, [1, 2]);
});

test("while much waits, listeners hear of it now and then only, and at the end", () => {
  let now = 0;
  const messages = Array.from({ length: 100 }, (_, step) => steps(0, step + 1, [step]));
  const { session, heard } = sessionOf([SESSION, ...messages], () => now);
  session.onFolded = () => (now += 10);
  for (let times = 0; times < 40; times++) session.fold(24);
  assert.equal(session.lanes[0].have, 99);
  assert.ok(heard.calls > 3 && heard.calls < 12, `${heard.calls} calls for 100 messages over a second`);
});

test("while a lane that is over comes out of the recording, listeners hear of it more rarely still", () => {
  let now = 0;
  const replayed = { ...SESSION, lanes: [{ ...FACTS, lane: 0, word: "ended", last_step: 399 }] };
  const messages = Array.from({ length: 400 }, (_, step) => steps(0, step + 1, [step]));
  const { session } = sessionOf([replayed, ...messages], () => now);
  const heard = [];
  session.subscribe(() => heard.push(now));
  session.onFolded = () => (now += 10);
  while (session.queue.length > 0) session.fold(24);
  assert.equal(session.lanes[0].have, 399);
  const pauses = heard.slice(1).map((time, index) => time - heard[index]);
  assert.ok(pauses.length <= 9 && Math.min(...pauses.slice(0, -1)) >= 500, `${pauses}`);
  assert.ok(Math.max(...pauses) <= 540, `${pauses}`);
  assert.equal(heard.at(-1), now);
});

test("a missing step is told, and is there after a reconnection", () => {
  const { session, heard } = sessionOf([SESSION, steps(0, 1, [0, 2])]);
  session.fold(5);
  assert.deepEqual(heard.gaps, [0]);
  session.push({ ...SESSION, lanes: [{ ...FACTS, lane: 0, last_step: 2 }, { ...FACTS, lane: 1 }] });
  session.push(steps(0, 1, [1, 2]));
  const [lane] = session.lanes;
  session.fold(5);
  assert.equal(session.lanes[0], lane);
  assert.equal(lane.have, 2);
  assert.equal(lane.catchingUp, false);
});

test("a page that falls behind says so until it has caught up", () => {
  const { session } = sessionOf([SESSION, steps(0, 1, [0]), { type: "behind", lane: 0, last_step: 2 }]);
  session.fold(5);
  assert.equal(session.lanes[0].behind, true);
  session.push(steps(0, 2, [1, 2]));
  session.fold(5);
  assert.equal(session.lanes[0].behind, false);
});

test("messages of a broken connection are forgotten", () => {
  const { session, heard } = sessionOf([SESSION, steps(0, 1, [0])]);
  session.drop();
  session.fold(5);
  assert.deepEqual(heard.acks, []);
});

test("a session runs while a lane may bring bytes", () => {
  const { session } = sessionOf([]);
  assert.equal(session.running, true);
  session.push({ ...SESSION, lanes: [{ ...FACTS, lane: 0 }] });
  session.fold(5);
  assert.equal(session.running, true);
  session.push({ type: "steps", lane: 0, frame: 1, steps: [
    { step: 0, time: 0, size: 0, offset: 0, end: { how: "stopped", detail: "", word: "stopped", complete: false } },
  ] });
  session.fold(5);
  assert.equal(session.running, false);
});
