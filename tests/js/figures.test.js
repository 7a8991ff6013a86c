import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  clockTime, columnSize, count, counted, duration, gap, growing, shortId, size,
} from "../../static/js/model/figures.js";
import { BROWSER_MESSAGES, SERVER_MESSAGES } from "../../static/js/model/messages.js";
import { usageFigures } from "../../static/js/model/usage.js";

test("numbers and times read alike everywhere", () => {
  assert.deepEqual([0, 57, 1204, 100_000].map(count), ["0", "57", "1,204", "100,000"]);
  assert.deepEqual([312_000, 0, 12_000_000, NaN].map(clockTime), ["0.312", "0.000", "12.000", "–"]);
  assert.deepEqual([40, 2400, 24_000, 1_204_000, NaN].map(gap), ["+0.0", "+2.4", "+24", "+1,204", "–"]);
  assert.deepEqual([2400, 312_000, 1_840_000, 125_000_000, NaN].map(duration),
    ["2.4 ms", "312 ms", "1.84 s", "2 min 05 s", "–"]);
  assert.deepEqual([0, 1_840_000, 61_000_000].map(growing), ["0.0 s", "1.8 s", "1 min 01 s"]);
  assert.deepEqual([118, 1204, 4_000_000].map(size), ["118 B", "1.2 kB", "4.0 MB"]);
  assert.deepEqual([118, 99_999, 120_000, 1_400_000].map(columnSize), ["118", "99999", "120k", "1.4M"]);
  assert.deepEqual([1, 2].map((value) => counted(value, "result")), ["1 result", "2 results"]);
  assert.equal(shortId("msg_01J9ABCDEFGH7Q12"), "msg_01J9AB…7Q12");
});

test("usage reads in equal terms and knows the wire's own names", () => {
  const messages = { input: 100, whole_input: 412, cached: 256, written: 56, output: 61, reasoning: null,
    raw: { input_tokens: 100, cache_read_input_tokens: 256, cache_creation_input_tokens: 56, output_tokens: 61 } };
  assert.deepEqual(usageFigures(messages), [
    { word: "prompt", field: "whole_input", value: 412, wire: "input_tokens + cache counts" },
    { word: "cached", field: "cached", value: 256, wire: "cache_read_input_tokens" },
    { word: "written", field: "written", value: 56, wire: "cache_creation_input_tokens" },
    { word: "output", field: "output", value: 61, wire: "output_tokens" },
  ]);
  const chat = { input: 20, whole_input: 20, cached: null, written: null, output: 9, reasoning: 4,
    raw: { prompt_tokens: 20, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } } };
  assert.deepEqual(usageFigures(chat).map(({ word, wire }) => [word, wire]), [
    ["prompt", "prompt_tokens"],
    ["output", "completion_tokens"],
    ["reasoning", "completion_tokens_details.reasoning_tokens"],
  ]);
});

test("the messages are those of the server", () => {
  const source = readFileSync(new URL("../../playground/messages.py", import.meta.url), "utf8");
  const listed = (/** @type {string} */ name) => {
    const tuple = source.match(new RegExp(`^${name} = \\(([^)]*)\\)`, "m"))?.[1] ?? "";
    return [...tuple.matchAll(/"(\w+)"/g)].map((match) => match[1]);
  };
  assert.deepEqual(SERVER_MESSAGES, listed("SERVER_MESSAGES"));
  assert.deepEqual(BROWSER_MESSAGES, listed("BROWSER_MESSAGES"));
});
