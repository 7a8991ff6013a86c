import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { SessionModel } from "../../static/js/model/session.js";
import { connectLive } from "../../static/js/sources/live.js";

const FACTS = {
  format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [], request_body: "",
  word: "waiting", last_step: null,
};
const LANES = [{ ...FACTS, lane: 0 }, { ...FACTS, lane: 1 }];
const SESSION = { type: "session", id: "a b", title: "", created: 1, tags: [], lanes: LANES };

/** Sockets that were opened, and timers that were set. @type {FakeSocket[]} */
let sockets = [];
/** @type {[() => void, number][]} */
let timers = [];

class FakeSocket {
  static OPEN = 1;
  /** @param {URL} address */
  constructor(address) {
    this.address = String(address);
    this.readyState = FakeSocket.OPEN;
    this.sent = [];
    this.closed = false;
    sockets.push(this);
  }
  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  /** @param {object} message */
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const kept = { WebSocket: globalThis.WebSocket, location: globalThis.location, window: globalThis.window };

beforeEach(() => {
  sockets = [];
  timers = [];
  globalThis.WebSocket = FakeSocket;
  globalThis.location = { href: "https://play.example/sessions/x/" };
  globalThis.window = { setTimeout: (act, wait) => timers.push([act, wait]) };
});
afterEach(() => Object.assign(globalThis, kept));

function steps(lane, frame, numbers) {
  return { type: "steps", lane, frame, steps: numbers.map((step) => ({ step, time: step, size: 1, offset: step })) };
}

test("frames are acknowledged when they were folded", () => {
  const session = new SessionModel(() => 0);
  connectLive("a b", session);
  const [socket] = sockets;
  assert.equal(socket.address, "wss://play.example/ws/sessions/a%20b/");
  socket.onopen();
  assert.equal(session.touch, "open");
  socket.say(SESSION);
  socket.say(steps(0, 1, [0, 1]));
  assert.deepEqual(socket.sent, []);
  session.fold(5);
  assert.deepEqual(socket.sent, [{ type: "ack", frame: 1 }]);
});

test("a message in pieces is one message and gets one acknowledgement", () => {
  const session = new SessionModel(() => 0);
  connectLive("x", session);
  const [socket] = sockets;
  socket.say(SESSION);
  const text = JSON.stringify(steps(0, 7, [0]));
  socket.say({ type: "piece", frame: 7, piece: 0, of: 2, text: text.slice(0, 20) });
  session.fold(5);
  assert.deepEqual(socket.sent, []);
  socket.say({ type: "piece", frame: 7, piece: 1, of: 2, text: text.slice(20) });
  session.fold(5);
  assert.deepEqual(socket.sent, [{ type: "ack", frame: 7 }]);
  assert.equal(session.lanes[0].have, 0);
});

test("a broken connection is made again, later and later, and tells what is here", () => {
  const session = new SessionModel(() => 0);
  connectLive("x", session);
  sockets[0].say(SESSION);
  sockets[0].say(steps(0, 1, [0, 1, 2]));
  session.fold(5);
  sockets[0].say(steps(0, 2, [3]));
  sockets[0].onclose({ code: 1006 });
  assert.equal(session.touch, "reconnecting");
  assert.equal(session.lanes[0].have, 2);
  timers[0][0]();
  assert.equal(decodeURIComponent(sockets[1].address), "wss://play.example/ws/sessions/x/?have=0:2");
  sockets[1].onclose({ code: 1006 });
  assert.deepEqual(timers.map(([, wait]) => wait), [250, 500]);
  timers[1][0]();
  sockets[2].onopen();
  assert.equal(session.touch, "open");
  sockets[2].onclose({ code: 1006 });
  assert.equal(timers[2][1], 250);
});

test("a gap closes the connection, so that a new one brings what is missing", () => {
  const session = new SessionModel(() => 0);
  connectLive("x", session);
  sockets[0].say(SESSION);
  sockets[0].say(steps(0, 1, [0, 2]));
  session.fold(5);
  assert.equal(sockets[0].closed, true);
});

test("a session that is not there is not asked for again, and the page says why", () => {
  const session = new SessionModel(() => 0);
  connectLive("x", session);
  sockets[0].onclose({ code: 4404 });
  assert.equal(session.touch, "closed");
  assert.equal(session.problem?.code, "no-such-session");
  assert.deepEqual(timers, []);
});

test("Stop names a lane, or all; after close nothing comes back", () => {
  const session = new SessionModel(() => 0);
  const live = connectLive("x", session);
  live.stop(1);
  live.stop();
  assert.deepEqual(sockets[0].sent, [{ type: "stop", lane: 1 }, { type: "stop" }]);
  live.close();
  sockets[0].onclose({ code: 1000 });
  assert.equal(session.touch, "closed");
  assert.deepEqual(timers, []);
});
