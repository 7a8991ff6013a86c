import assert from "node:assert/strict";
import { test } from "node:test";

import { endSentences } from "../../static/js/model/ends.js";

const end = { how: "closed", detail: "", word: "cut", complete: false, body: "stream", notes: [] };

test("a stream that closed needs no sentence", () => {
  assert.equal(endSentences(end), "");
});

test("a body that is no stream is named as what it is", () => {
  assert.match(endSentences({ ...end, body: "html" }), /HTML page/);
  assert.match(endSentences({ ...end, body: "ndjson" }), /NDJSON/);
});

test("what transport says is said; what is noted of the bytes stands apart", () => {
  const sentences = endSentences({ ...end, how: "reset", detail: "The connection broke.", body: "json", notes: ["Damaged gzip."] });
  assert.equal(sentences, "The connection broke.");
});
