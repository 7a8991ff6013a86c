import assert from "node:assert/strict";
import { test } from "node:test";

import { SessionModel } from "../../static/js/model/session.js";
import { FACTS } from "./corridor.js";

const SECOND = 1_000_000;

/**
 * A session whose lanes have a row a read, at these microseconds; null for a time that is unknown.
 * @param {{started?: number, times: (number | null)[], rows?: number, over?: boolean}[]} lanes
 */
function sessionOf(lanes) {
  let now = 0;
  const session = new SessionModel(() => now);
  session.push({ type: "session", id: "s", title: "", created: 0, lanes: lanes.map((_, lane) => ({ ...FACTS, lane })) });
  for (const [lane, { started = null, times, rows = 1, over = true }] of lanes.entries()) {
    const head = { step: 0, time: times[0] === null ? null : 0, size: 0, offset: 0, head: { status: 200, reason: "", headers: [], started } };
    const reads = times.map((time, index) => {
      const numbers = Array.from({ length: rows }, (_, row) => index * rows + row + 1);
      return {
        step: index + 1, time, size: 1, offset: index + 1,
        rows: numbers.map((number) => [number, "event", "", number, number + 1, "{}"]),
        operations: numbers.map((number) => number === 1 ? [1, "open", 1, "text", { text: "a" }, null] : [number, "append", 1, "text", "a"]),
      };
    });
    const end = { how: "closed", detail: "", word: "ended", complete: true };
    const last = { step: times.length + 1, time: times.at(-1), size: 0, offset: 0, end };
    session.push({ type: "steps", lane, frame: lane + 1, steps: [head, ...reads, ...(over ? [last] : [])] });
  }
  session.setTouch("open");
  session.fold(Infinity);
  const after = (/** @type {number} */ milliseconds) => {
    now += milliseconds;
    session.player.tick();
  };
  const rows = () => session.lanes.map((lane) => lane.shown.rows);
  return { session, player: session.player, after, rows };
}

test("at 1x each row comes into view at its time, and the end is the end", () => {
  const { player, after, rows } = sessionOf([{ times: [SECOND, 1.5 * SECOND, 2 * SECOND] }]);
  assert.ok(player.following);
  assert.deepEqual(rows(), [3]);
  player.play();
  assert.deepEqual(rows(), [0]);
  after(999);
  assert.deepEqual(rows(), [0]);
  after(1);
  assert.deepEqual(rows(), [1]);
  after(499);
  assert.deepEqual(rows(), [1]);
  after(16);
  assert.deepEqual(rows(), [2]);
  assert.equal(player.time, 1_515_000);
  after(1000);
  assert.deepEqual(rows(), [3]);
  assert.ok(player.following && !player.playing);
});

test("it plays faster, slower, and at once", () => {
  const { player, after, rows } = sessionOf([{ times: [SECOND, 1.5 * SECOND, 2 * SECOND] }]);
  player.setSpeed(0.25);
  player.play();
  after(4000);
  assert.deepEqual(rows(), [1]);
  player.setSpeed(16);
  after(32);
  assert.deepEqual(rows(), [2]);
  player.toStart();
  player.setSpeed(Infinity);
  after(1);
  assert.ok(player.following);
});

test("idle gaps are cut to the cap, or played as they were", () => {
  const lanes = [{ times: [SECOND, 11 * SECOND, 11.5 * SECOND, 40 * SECOND] }];
  const { player, after, rows } = sessionOf(lanes);
  player.play();
  after(1000);
  after(1999);
  assert.deepEqual(rows(), [1]);
  after(1);
  assert.deepEqual(rows(), [2]);
  assert.equal(player.time, 11 * SECOND);
  after(2500);
  assert.ok(player.following, "half a second, and a gap cut to two");
  player.setCapped(false);
  player.play();
  after(3100);
  assert.deepEqual(rows(), [1]);
  after(8000);
  assert.deepEqual(rows(), [2]);
  player.pause();
});

test("a long frame crosses several gaps and loses no time", () => {
  const { player, after } = sessionOf([{ times: [SECOND, 11 * SECOND, 21 * SECOND, 22 * SECOND] }]);
  player.play();
  after(5500);
  assert.equal(player.time, 21.5 * SECOND);
  player.pause();
});

test("a gap of one lane is none while another lane streams", () => {
  const { player, after, rows } = sessionOf([
    { started: 100, times: [SECOND, 9 * SECOND] },
    { started: 100.5, times: Array.from({ length: 17 }, (_, index) => (index + 1) * SECOND / 2) },
  ]);
  player.play();
  after(4000);
  assert.deepEqual(rows(), [1, 7]);
  assert.equal(player.time, 4 * SECOND);
  player.pause();
});

test("a step lets the next row of all lanes come, back takes the last one away, exactly", () => {
  const { session, player, rows } = sessionOf([
    { started: 100, times: [SECOND, 3 * SECOND], rows: 2 },
    { started: 101, times: [SECOND, 2 * SECOND] },
  ]);
  player.toStart();
  const seen = [[rows(), session.lanes.map((lane) => lane.shown.position)]];
  while (!player.following) {
    player.step(1);
    seen.push([rows(), session.lanes.map((lane) => lane.shown.position)]);
  }
  assert.deepEqual(seen.map(([counts]) => counts), [
    [0, 0], [1, 0], [2, 0], [2, 1], [3, 1], [4, 1], [4, 1], [4, 2], [4, 2],
  ]);
  for (let index = seen.length - 2; index >= 0; index--) {
    player.step(-1);
    assert.deepEqual([rows(), session.lanes.map((lane) => lane.shown.position)], seen[index], `back at ${index}`);
  }
  player.step(-1);
  assert.deepEqual(rows(), [0, 0]);
});

test("a row inside a read can be stood at, and its place is the time of its read", () => {
  const { session, player } = sessionOf([{ times: [SECOND, 2 * SECOND], rows: 3 }]);
  assert.ok(player.goTo(0, 4));
  assert.equal(session.lanes[0].shown.rows, 5);
  assert.equal(session.lanes[0].transcript.part(1).value("text", session.lanes[0].shown.position), "aaaaa");
  assert.equal(player.time, 2 * SECOND);
  assert.deepEqual(player.row, { lane: 0, row: 4 });
  assert.equal(player.goTo(0, 6), false);
  assert.equal(player.goTo(1, 0), false);
});

/** @param {number} step @param {number} time a step that brings the row of that number */
function stepAt(step, time) {
  return { step, time, size: 1, offset: step, rows: [[step, "event", "", step, step + 1, "{}"]] };
}

test("a lane that is still loading comes to where the player stands", () => {
  const { session, player, rows } = sessionOf([
    { started: 100, times: [SECOND, 2 * SECOND, 3 * SECOND] },
    { started: 100, times: [0.5 * SECOND], over: false },
  ]);
  assert.ok(player.goTo(0, 1));
  assert.deepEqual(rows(), [2, 1]);
  session.push({ type: "steps", lane: 1, frame: 9, steps: [stepAt(2, 1.5 * SECOND), stepAt(3, 2.5 * SECOND)] });
  session.fold(Infinity);
  assert.deepEqual(rows(), [2, 2]);
});

test("a row is stood at wherever a lane that began earlier moves it", () => {
  let now = 0;
  const session = new SessionModel(() => now);
  session.push({ type: "session", id: "s", title: "", created: 0, lanes: [0, 1].map((lane) => ({ ...FACTS, lane })) });
  const headOf = (/** @type {number} */ started) => ({ step: 0, time: 0, size: 0, offset: 0, head: { status: 200, reason: "", headers: [], started } });
  session.push({ type: "steps", lane: 0, frame: 1, steps: [headOf(101), stepAt(1, SECOND)] });
  session.fold(Infinity);
  session.player.goTo(0, 0);
  assert.equal(session.player.time, SECOND);
  session.push({ type: "steps", lane: 1, frame: 2, steps: [headOf(100), stepAt(1, SECOND), stepAt(2, 1.5 * SECOND), stepAt(3, 3 * SECOND)] });
  session.fold(Infinity);
  assert.equal(session.player.time, 2 * SECOND);
  assert.deepEqual(session.lanes.map((lane) => lane.shown.rows), [1, 2]);
});

test("at what was a lane's last step, what comes of it waits behind", () => {
  const { session, player, rows } = sessionOf([
    { started: 100, times: [SECOND], over: false },
    { started: 100, times: [3 * SECOND, 4 * SECOND], over: false },
  ]);
  session.push({ type: "steps", lane: 0, frame: 8, steps: [{ step: 2, time: 2 * SECOND, size: 1, offset: 2 }] });
  session.fold(Infinity);
  player.goTo(0, 0);
  player.step(1);
  assert.deepEqual([rows(), player.time, session.lanes[0].shown.step], [[1, 0], 2 * SECOND, 2]);
  session.push({ type: "steps", lane: 0, frame: 9, steps: [stepAt(3, 5 * SECOND)] });
  session.fold(Infinity);
  assert.deepEqual(rows(), [1, 0]);
});

test("without times it goes by rows, and does not play", () => {
  const { player, rows } = sessionOf([{ times: [null, null, null], rows: 2 }]);
  assert.equal(player.timed, false);
  assert.equal(player.total, 6);
  player.play();
  assert.ok(!player.playing);
  player.seek(2.6);
  assert.deepEqual(rows(), [2]);
  player.step(1);
  assert.deepEqual(rows(), [3]);
  assert.equal(player.time, 3);
  player.step(-1);
  player.step(-1);
  player.step(-1);
  assert.deepEqual(rows(), [0]);
  player.toEnd();
  assert.deepEqual(rows(), [6]);
});

test("while it streams the player follows; it can be held still, and what comes waits behind", () => {
  const { session, player, rows } = sessionOf([{ times: [SECOND, 2 * SECOND], over: false }]);
  assert.ok(session.running);
  player.toggle();
  assert.ok(!player.following);
  session.push({ type: "steps", lane: 0, frame: 9, steps: [{ step: 3, time: 3 * SECOND, size: 1, offset: 3, rows: [[3, "event", "", 2, 3, "{}"]] }] });
  session.fold(Infinity);
  assert.deepEqual(rows(), [2]);
  assert.equal(player.total, 3 * SECOND);
  player.toggle();
  assert.ok(player.playing);
  player.toEnd();
  assert.deepEqual(rows(), [3]);
  assert.ok(player.following);
});

test("100,000 events: a step anywhere costs well under 4 ms", (context) => {
  const COUNT = 100_000;
  const { session, player } = sessionOf([{ times: Array.from({ length: COUNT }, (_, index) => index * 100) }]);
  const moves = 2000;
  const began = performance.now();
  for (let move = 0; move < moves; move++) {
    player.seek((move * 7919 * 100) % (COUNT * 100));
    const { shown } = session.lanes[0];
    assert.ok(shown.word && shown.growing.size <= 1 && shown.events === shown.rows);
  }
  for (let move = 0; move < moves; move++) player.step(move % 3 === 0 ? -1 : 1);
  const each = (performance.now() - began) / (2 * moves);
  context.diagnostic(`${each.toFixed(4)} ms a step at ${COUNT} events`);
  assert.ok(each < 0.4, `${each} ms a step`);
});
