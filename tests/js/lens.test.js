import assert from "node:assert/strict";
import { test } from "node:test";

import { keptSnippet } from "../../static/js/model/kept-request.js";
import { LaneModel } from "../../static/js/model/lane.js";
import { LensModel } from "../../static/js/model/lens.js";
import { lensBelow } from "../../static/js/sources/lens.js";

const FACTS = {
  lane: 0, format: "messages", target: "custom", model: "m", method: "POST", url: "https://api.anthropic.com/v1/messages?beta=1",
  request_headers: [["Content-Type", "application/json"], ["x-api-key", "•••"], ["X-Team", "tides"]], request_body: "{}", word: "waiting",
  last_step: null,
};

/** Two reads: a row that opens a text, and two that let it grow. */
function sourceOf() {
  const lane = new LaneModel(FACTS, () => 0);
  lane.take({ step: 0, time: 5, size: 0, offset: 0 });
  lane.take({ step: 1, time: 100, size: 9, offset: 9, rows: [[1, "event", "start", 0, 9, "{}"]],
    operations: [[1, "open", 1, "text", { text: "" }, null]] });
  lane.take({ step: 2, time: 200, size: 18, offset: 27,
    rows: [[2, "event", "delta", 9, 18, "{}"], [3, "event", "delta", 18, 27, "{}"]],
    operations: [[2, "append", 1, "text", "é"], [3, "append", 1, "text", "b"]] });
  return lane;
}

const EVENTS = [[1, "", '{"a":1}'], [2, "", '{"é":2}'], [3, "", '{"b":3}'], [3, "", "[DONE]"]];

test("converted events are rows at the time of the row that brought them about, one read for each of its reads", () => {
  const lens = new LensModel(sourceOf(), "chat");
  lens.take(EVENTS.slice(0, 2));
  lens.take(EVENTS.slice(2));
  lens.take([{ lost: [["usage", "It is gone."]], over: true }]);
  const { rows, steps, shown } = lens.lane;
  assert.equal(rows.length, 4);
  assert.deepEqual([...rows.steps.values.slice(0, 4)], [1, 2, 2, 2]);
  assert.deepEqual([...steps.times.values.slice(1, 3)], [100, 200]);
  assert.equal(lens.sources.at(3), 3);
  assert.equal(lens.end.lost[0][0], "usage");
  assert.equal(shown.open, false);
});

test("bytes of an event, and the whole text, are those of the wire", () => {
  const lens = new LensModel(sourceOf(), "chat");
  lens.take([...EVENTS, { lost: [], over: true }]);
  const whole = new TextEncoder().encode(lens.text);
  const { starts, ends } = lens.lane.rows;
  for (const index of EVENTS.keys()) {
    const [from, to] = [starts.values[index], ends.values[index]];
    assert.deepEqual(lens.bytes(from, to), whole.slice(from, to));
    assert.deepEqual(lens.bytes(from + 3, to - 2), whole.slice(from + 3, to - 2));
  }
  assert.ok(lens.text.startsWith('data: {"a":1}\n\ndata: '));
});

test("it stands where the source stands", () => {
  const source = sourceOf();
  const lens = new LensModel(source, "chat");
  lens.take([...EVENTS, { lost: [], over: true }]);
  source.stand({ step: 2, rows: 2, time: 200 });
  lens.stand();
  assert.equal(lens.lane.shown.rows, 2);
  source.stand(null);
  lens.stand();
  assert.equal(lens.lane.shown.rows, 4);
});

test("lines are taken as they come, however they are cut", async () => {
  const text = `${EVENTS.map((event) => JSON.stringify(event)).join("\n")}\n{"lost":[],"over":true}\n`;
  const bytes = new TextEncoder().encode(text);
  const pieces = new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes.length; from += 7) controller.enqueue(bytes.slice(from, from + 7));
      controller.close();
    },
  });
  const asked = [];
  globalThis.fetch = async (address) => (asked.push(address), new Response(pieces));
  const lens = new LensModel(sourceOf(), "chat");
  const links = lensBelow("/sessions/x", []);
  await links.read(0, "chat", (lines) => lens.take(lines), new AbortController().signal);
  assert.deepEqual(asked, ["/sessions/x/lanes/0/lens/chat"]);
  assert.equal(lens.lane.rows.length, 4);
  assert.equal(links.file(1, "responses"), "/sessions/x/lanes/1/lens/responses.sse");
});

test("a kept request as a program has the person's headers and names the key's variable", () => {
  const request = keptSnippet(FACTS);
  assert.equal(request.base, "https://api.anthropic.com/v1");
  assert.deepEqual(request.headers, [["X-Team", "tides"]]);
  assert.equal(request.variable, "ANTHROPIC_API_KEY");
  assert.equal(keptSnippet({ ...FACTS, target: "gateway" }).variable, "");
});
