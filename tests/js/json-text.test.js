import assert from "node:assert/strict";
import { test } from "node:test";

import { JsonText, RawJson, compactJson, jsonColours } from "../../static/js/model/json-text.js";

const BODY = `{
  "model": "a",
  "seed": 12345678901234567890,
  "messages": [
    { "role": "user", "content": "hi" }
  ],
  "x": [1, 2, {}]
}`;

test("a change touches its own value and no other character", () => {
  const json = new JsonText(BODY);
  assert.equal(json.set(["model"], "b").text, BODY.replace('"a"', '"b"'));
  assert.equal(json.set(["messages", 0, "content"], 'a "b"').text, BODY.replace('"hi"', String.raw`"a \"b\""`));
  assert.match(json.set(["model"], "b").text, /12345678901234567890/);
});

test("a new member stands behind those that its order names before it", () => {
  const json = new JsonText(BODY);
  const order = ["model", "max_tokens", "messages"];
  assert.equal(json.set(["max_tokens"], 5, order).text, BODY.replace('"a",', '"a",\n  "max_tokens": 5,'));
  assert.equal(json.set(["first"], 5, ["first", "model"]).text, BODY.replace("{", '{\n  "first": 5,'));
  assert.equal(json.set(["last"], 5).text, BODY.replace("{}]", '{}],\n  "last": 5'));
});

test("a body in one line stays in one line, in its own spacing", () => {
  assert.equal(new JsonText('{"a":1,"b":2}').set(["c"], { d: [1] }).text, '{"a":1,"b":2,"c":{"d":[1]}}');
  assert.equal(new JsonText('{"a": 1, "b": 2}').set(["c"], 3).text, '{"a": 1, "b": 2, "c": 3}');
  assert.equal(new JsonText('{ "a": 1 }').set(["b"], new RawJson('{\n "c": 2\n}')).text, '{ "a": 1, "b": {"c":2} }');
});

test("what is put into a body has the body's own indentation", () => {
  const json = new JsonText('{\n\t"a": {}\n}').set(["a", "b"], [1]);
  assert.equal(json.text, '{\n\t"a": {\n\t\t"b": [\n\t\t\t1\n\t\t]\n\t}\n}');
});

test("what is removed takes one comma along", () => {
  const json = new JsonText(BODY);
  assert.equal(json.remove(["model"]).text, BODY.replace('"model": "a",\n  ', ""));
  assert.equal(json.remove(["x"]).text, BODY.replace(',\n  "x": [1, 2, {}]', ""));
  assert.equal(json.remove(["x", 1]).text, BODY.replace("1, 2, {}", "1, {}"));
  assert.equal(json.remove(["messages", 0]).text, BODY.replace(/\[\s+\{.*\}\s+\]/, "[]"));
  assert.equal(json.remove(["nothing"]).text, BODY);
});

test("of two members with one name the last counts, as for every reader of JSON", () => {
  const json = new JsonText('{"a": 1, "a": 2}');
  assert.equal(json.value(["a"]), 2);
  assert.equal(json.set(["a"], 3).text, '{"a": 1, "a": 3}');
  assert.equal(json.remove(["a"]).text, '{"a": 1}');
});

test("a name that objects inherit is a name like any other", () => {
  const json = new JsonText('{"__proto__": {"a": 1}}');
  assert.equal(json.value(["__proto__", "a"]), 1);
  assert.equal(json.value(["constructor"]), undefined);
});

test("every valid text is read, every other text has a problem, as JSON.parse sees it", () => {
  const texts = ["1", "-0.5e+3", "[]", "{}", ' {"a": [true, false, null, "\\u00e9\\n"]} ', '"\\ud83d"', "", " ", "{", "[1,]", "[1 2]", "01",
    "1.", ".5", "+1", "-", "1e", '{"a" 1}', '{"a":}', "{a:1}", "{'a':1}", '{"a":1,}', '"a\nb"', '"\\x"', '"\\u12"', '"a', "nul", "nulls",
    "NaN", "[Infinity]", "{} {}", "[1]]", '{"a":1]', "// a\n1", "\u00a01", "\ufeff{}", "1 // a", '"\u0001"', "True", "[,]", "{,}"];
  for (const text of texts) {
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    const { problem } = new JsonText(text);
    assert.equal(problem === null, valid, text);
    if (problem) assert.ok(problem.offset >= 0 && problem.offset <= text.length && problem.message !== "", text);
  }
});

test("a mistake has a line, a column and a sentence that helps", () => {
  const problem = (/** @type {string} */ text) => {
    const found = new JsonText(text).problem;
    return found ? `${found.line}:${found.column} ${found.message}` : "";
  };
  assert.equal(problem('{\n  "a": 1,\n}'), "2:9 a comma with nothing after it: take it away");
  assert.equal(problem('{\n  "a": True\n}'), "2:8 True is Python: in JSON it is true");
  assert.equal(problem('{\n  "a": 1\n  "b": 2\n}'), "3:3 “,” or “}” is expected here");
  assert.equal(problem('{"a": "b\n"}'), "1:7 a string ends at the end of its line: close it, or write \\n for a line break");
  assert.equal(problem("{'a': 1}"), "1:2 a name in double quotes is expected");
  assert.equal(problem(""), "1:1 the body is empty: a JSON object is expected");
});

test("a text may be deep and long", () => {
  assert.equal(new JsonText("[".repeat(100_000) + "]".repeat(100_000)).problem, null);
  const long = JSON.stringify({ a: "x".repeat(1_000_000), b: Array.from({ length: 20_000 }, (_, index) => ({ index })) });
  assert.equal(new JsonText(long).set(["c"], 1).value(["c"]), 1);
});

test("white space goes, but not the white space in strings", () => {
  assert.equal(compactJson('{ "a b" : [ 1 , "c \\" d" ] }'), '{"a b":[1,"c \\" d"]}');
});

test("colours name the pieces of a text, whole or broken", () => {
  const pieces = jsonColours('{"a": "b", "c": -1.5e3, "d": [tru, true, "e').map(([kind]) => kind);
  assert.deepEqual(pieces, ["key", "string", "key", "number", "key", "word", "string"]);
});
