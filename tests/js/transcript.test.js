// The browser's transcript against the one in Python: after every step of every golden stream, and again when it
// steps back to each of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Transcript } from "../../static/js/model/transcript.js";
import { emptyLane, goldenStreams, plainParts } from "./corridor.js";

test("the browser comes to the parts that Python has, at every step of every golden stream", async () => {
  const cases = new Set();
  for await (const { case: name, cut, steps, parts, words } of goldenStreams()) {
    cases.add(name);
    const lane = emptyLane();
    steps.forEach((step, index) => {
      assert.ok(lane.take(step), `${name}, ${cut}: step ${index} follows`);
      if (parts[index]) assert.deepEqual(plainParts(lane.transcript), parts[index], `${name}, ${cut}, step ${index}`);
      assert.equal(lane.word, words[index], `${name}, ${cut}, the word at step ${index}`);
    });
    steps.forEach((_, index) => {
      const position = lane.steps.positions.at(index);
      if (!parts[index]) return;
      assert.deepEqual(plainParts(lane.transcript, position), parts[index], `${name}, ${cut}, back at ${index}`);
    });
  }
  assert.ok(cases.size >= 159, `${cases.size} cases`);
});

test("a part stands right behind the part that is named, or at the front, or at the end", () => {
  const transcript = new Transcript();
  for (const operation of [
    [1, "open", 1, "text", { text: "b" }, null],
    [1, "open", 2, "text", { text: "d" }, null],
    [2, "open", 3, "citation", {}, 1],
    [2, "open", 4, "text", { text: "a" }, 0],
    [3, "open", 5, "text", { text: "e" }, null],
  ]) transcript.apply(operation);
  assert.deepEqual([...transcript.standing()].map((part) => part.number), [4, 1, 3, 2, 5]);
  assert.deepEqual([...transcript.standing(2)].map((part) => part.number), [1, 2]);
});

test("a value that is set again keeps the earlier one for whoever steps back", () => {
  const transcript = new Transcript();
  transcript.apply([1, "open", 1, "tool_call", { name: "a", arguments: "{}" }, null]);
  transcript.apply([2, "append", 1, "arguments", "!"]);
  transcript.apply([3, "set", 1, "arguments", "[]"]);
  transcript.apply([4, "set", 1, "name", "b"]);
  const part = transcript.part(1);
  assert.deepEqual([1, 2, 3, 4].map((position) => part.value("arguments", position)), ["{}", "{}!", "[]", "[]"]);
  assert.deepEqual([1, 4].map((position) => part.value("name", position)), ["a", "b"]);
});

test("a reset takes back what was said, and stepping back finds it", () => {
  const transcript = new Transcript();
  transcript.apply([1, "open", 1, "error", { message: "no" }, null]);
  transcript.apply([2, "reset"]);
  transcript.apply([2, "open", 1, "text", { text: "yes" }, null]);
  assert.deepEqual(plainParts(transcript).map((part) => part.kind), ["lane", "text"]);
  assert.deepEqual(plainParts(transcript, 1).map((part) => part.kind), ["lane", "error"]);
  assert.equal(transcript.failedAt(transcript.position), false);
  assert.equal(transcript.failedAt(1), true);
});

test("halves of a character join; a half that stays alone shows as U+FFFD", () => {
  const transcript = new Transcript();
  transcript.apply([1, "open", 1, "text", { text: "a\ud83d" }, null]);
  assert.equal(transcript.part(1).value("text"), "a\ud83d");
  assert.equal(transcript.part(1).shown("text"), "a\ufffd");
  transcript.apply([2, "append", 1, "text", "\ude00"]);
  assert.equal(transcript.part(1).shown("text"), "a😀");
});
