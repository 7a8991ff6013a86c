import assert from "node:assert/strict";
import { test } from "node:test";

import { RowFilter } from "../../static/js/model/filter.js";
import { Findings } from "../../static/js/model/findings.js";
import { ListWindow } from "../../static/js/model/list-window.js";
import { tellingOf } from "../../static/js/model/preview.js";
import { RecentEnd } from "../../static/js/model/recent-end.js";
import { Rows } from "../../static/js/model/rows.js";

/** @param {[kind: string, name: string, data: string][]} entries */
function rowsOf(entries) {
  const rows = new Rows();
  entries.forEach(([kind, name, data], index) => rows.push([index + 1, kind, name, index, index + 1, data], index));
  return rows;
}

test("rows keep what came, names once", () => {
  const rows = rowsOf([["event", "ping", "{}"], ["comment", "", " hi"], ["event", "ping", "{}"], ["tail", "", "da"]]);
  assert.equal(rows.eventsTo.at(-1), 2);
  assert.deepEqual(rows.names, ["", "ping"]);
  assert.deepEqual([0, 1, 2, 3].map((index) => `${rows.kind(index)} ${rows.name(index)}`.trim()),
    ["event ping", "comment", "event ping", "tail"]);
});

test("a filter finds text and names, small letters in any case, and goes on as rows arrive", () => {
  const rows = rowsOf([["event", "ping", "{}"], ["event", "message_stop", "Oslo"], ["comment", "", " keep-alive"]]);
  const found = (/** @type {string} */ query) => {
    const filter = new RowFilter(query);
    filter.scan(rows, () => 0, 5);
    return [...filter.found.values.slice(0, filter.found.length)];
  };
  assert.deepEqual(found("oslo"), [1]);
  assert.deepEqual(found("OSLO"), []);
  assert.deepEqual(found("ping"), [0]);
  assert.deepEqual(found("comment"), [2]);
  assert.deepEqual(found("os stop"), [1]);
  assert.deepEqual(found("(["), []);
  const filter = new RowFilter("p");
  filter.scan(rows, () => 0, 5);
  rows.push([4, "event", "ping", 4, 5, ""], 4);
  filter.scan(rows, () => 0, 5);
  assert.deepEqual([...filter.found.values.slice(0, filter.found.length)], [0, 1, 2, 3]);
});

test("a filter finds rows by their findings, also those that are found to be wrong when they were passed already", () => {
  const rows = rowsOf([["event", "ping", "{}"], ["event", "delta", "an error of the text"], ["event", "stop", "{}"]]);
  const findings = new Findings();
  findings.take([["invalid-json", "error", [1], 0, 1, null, ""]], 1);
  const found = (/** @type {RowFilter} */ filter) => {
    filter.scan(rows, () => 0, 5);
    return [...filter.found.values.slice(0, filter.found.length)];
  };
  assert.deepEqual(found(new RowFilter("invalid-json", findings)), [0]);
  assert.deepEqual(found(new RowFilter("error", findings)), [0, 1]);
  const any = new RowFilter("finding", findings);
  assert.deepEqual(found(any), [0]);
  findings.take([["late", "warning", [3], 2, 3, null, ""]], 9);
  const looked = [];
  const lets = any.lets.bind(any);
  any.lets = (of, index) => looked.push(index) > 0 && lets(of, index);
  findings.take([["late", "warning", [2, 3], 2, 3, null, ""]], 10);
  assert.deepEqual(found(any), [0, 1, 2]);
  assert.deepEqual(looked, [2, 1], "only rows with a late finding are looked at again");
});

test("a filter stops when its time is over and says whether it is done", () => {
  const rows = rowsOf(Array.from({ length: 2000 }, () => ["event", "", "x"]));
  let now = 0;
  const filter = new RowFilter("x");
  assert.equal(filter.scan(rows, () => (now += 10), 5), false);
  assert.equal(filter.scanned, 512);
  while (!filter.scan(rows, () => (now += 10), 5));
  assert.equal(filter.found.length, 2000);
});

test("the rows in sight are those under the view, with an open row's detail between them", () => {
  const list = new ListWindow(20);
  list.count = 100;
  assert.equal(list.height, 2000);
  assert.deepEqual(list.sight(200, 100, 0), { first: 10, last: 16 });
  list.open = 12;
  list.openHeight = 300;
  assert.equal(list.height, 2300);
  assert.equal(list.top(12), 240);
  assert.equal(list.top(13), 560);
  assert.deepEqual(list.sight(300, 100, 0), { first: 12, last: 13 });
  assert.deepEqual(list.sight(500, 100, 0), { first: 12, last: 16 });
  assert.deepEqual(list.sight(99_999, 100, 4), { first: 100, last: 100 });
});

test("a row is scrolled to only when it is out of sight", () => {
  const list = new ListWindow(20);
  list.count = 100;
  assert.equal(list.reveal(3, 40, 100), 40);
  assert.equal(list.reveal(1, 40, 100), 20);
  assert.equal(list.reveal(9, 40, 100), 100);
});

test("whoever scrolls to where the end was a moment ago has reached it", () => {
  const end = new RecentEnd();
  assert.equal(end.reached(0), false);
  end.note(0, 1000);
  end.note(300, 1500);
  assert.ok(end.reached(1000) && end.reached(996) && !end.reached(900));
  end.note(900, 3000);
  assert.ok(!end.reached(1400) && end.reached(1500));
});

/** @param {string} kind @param {string} name @param {string} text */
function lineOf(kind, name, text) {
  const { said, rest } = tellingOf(kind, name, text);
  return [said, rest].filter(Boolean).join(" | ");
}

test("a preview says what came and leaves out what every event repeats", () => {
  const choice = { index: 0, delta: { content: " both\n" }, finish_reason: null };
  const chat = { id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] };
  assert.equal(lineOf("event", "", JSON.stringify(chat)), "“ both\\n”");
  const delta = { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: " both cities" } };
  assert.deepEqual(tellingOf("event", "content_block_delta", JSON.stringify(delta)),
    { type: "content_block_delta", said: "“ both cities”", rest: "text_delta" });
  const call = { index: 0, id: "c1", function: { name: "get", arguments: "" } };
  const tool = { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
  assert.equal(lineOf("event", "", JSON.stringify(tool)), "get");
  assert.equal(lineOf("event", "", "[DONE]"), "[DONE]");
  assert.equal(lineOf("comment", "", " ping"), " ping");
  assert.equal(lineOf("event", "", "not json"), "not json");
  assert.equal(lineOf("event", "", "null"), "null");
});
