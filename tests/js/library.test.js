import assert from "node:assert/strict";
import { test } from "node:test";

import { endingWords, entryTexts, entryTime } from "../../static/js/model/entry.js";
import { isNarrowed, LibraryModel, queryOf, wantedOf } from "../../static/js/model/library.js";

/** @param {string} id @param {object} [change] */
function entryOf(id, change = {}) {
  const lanes = [{ format: "chat", host: "gateway", model: "m", word: "ended" }];
  return { id, title: id, created: 1000, origin: "run", deleted: null, tags: [], line: "", lanes, duration: 0, events: 0, tokens: 0, findings: 0, errors: 0, ...change };
}

test("an address names what is looked for and nothing else, there and back", () => {
  const wanted = wantedOf("?q=two+words&format=chat&sort=newest&stranger=1&tag=");
  assert.deepEqual(wanted, { q: "two words", format: "chat", sort: "newest" });
  assert.equal(queryOf(wanted), "?q=two+words&format=chat");
  assert.deepEqual(wantedOf(queryOf({ q: "a&b=c %" })), { q: "a&b=c %" });
  assert.equal(queryOf({ sort: "newest" }), "");
  assert.equal(isNarrowed({ sort: "title", deleted: "1" }), false);
  assert.equal(isNarrowed({ word: "cut" }), true);
});

test("pages are joined, and an entry that comes twice stands once", () => {
  const library = new LibraryModel();
  library.begin({});
  library.add({ sessions: [entryOf("a"), entryOf("b")], next: "cursor" });
  library.add({ sessions: [entryOf("b"), entryOf("c")], next: null });
  assert.deepEqual(library.entries.map(({ id }) => id), ["a", "b", "c"]);
  assert.equal(library.next, null);
});

test("what is new comes in front, and what was pointed at stays pointed at", () => {
  const library = new LibraryModel();
  library.add({ sessions: [entryOf("b", { created: 20 }), entryOf("a", { created: 10 })], next: "more" });
  library.point(1);
  library.refreshTop([entryOf("c", { created: 30 }), entryOf("b", { created: 20, events: 7 }), entryOf("old", { created: 5 })]);
  assert.deepEqual(library.entries.map(({ id, events }) => [id, events]), [["c", 0], ["b", 7], ["a", 0]]);
  assert.equal(library.pointed?.id, "a");
  assert.equal(library.before, 1);
});

test("what was deleted keeps its place, is no longer chosen, and can be taken back", () => {
  const library = new LibraryModel();
  library.add({ sessions: [entryOf("a"), entryOf("b")], next: null });
  library.choose("a");
  library.choose("b");
  library.mark(["a"], "deleted");
  library.choose("a");
  assert.deepEqual([[...library.chosen], library.gone.get("a"), library.entries.length], [["b"], "deleted", 2]);
  library.mark(["a"], "");
  assert.equal(library.gone.size, 0);
});

test("keys stay within the list", () => {
  const library = new LibraryModel();
  library.point(3);
  assert.equal(library.pointed, null);
  library.add({ sessions: [entryOf("a"), entryOf("b")], next: null });
  library.point(9);
  assert.equal(library.current, 1);
  library.point(-4);
  assert.equal(library.current, 0);
});

test("lanes become words, each once", () => {
  const lane = { format: "chat", host: "gateway", model: "m", word: "" };
  const entry = entryOf("a", { lanes: [lane, { ...lane, format: "messages", host: "api.x", model: "n", word: "cut" }, { ...lane, word: "ended" }], errors: 2, findings: 5 });
  assert.deepEqual(endingWords(entry), [{ word: "streaming", tone: "run" }, { word: "cut", tone: "warn" }, { word: "ended", tone: "good" }]);
  assert.deepEqual(entryTexts(entry), {
    formats: "chat messages", target: "gateway +1", targets: "gateway, api.x", model: "m +1", models: "m, n",
    length: "–", events: "–", tokens: "–", findings: "2 errors",
  });
  assert.equal(entryTexts(entryOf("a", { findings: 1, events: 1204, duration: 1_840_000 })).findings, "1 finding");
});

test("a day of this year needs no year, and today no day", () => {
  const now = new Date(2026, 5, 2, 12);
  const seconds = (/** @type {number} */ year, /** @type {number} */ day) => new Date(year, 5, day, 9, 5).getTime() / 1000;
  assert.deepEqual([entryTime(seconds(2026, 2), now), entryTime(seconds(2026, 1), now), entryTime(seconds(2025, 1), now)], ["09:05", "1 Jun, 09:05", "1 Jun 2025"]);
});
