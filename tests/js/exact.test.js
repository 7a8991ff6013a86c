import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { exactOf, parseExact, prettyJson } from "../../static/js/model/exact-json.js";
import { hexDump, visibleLine, visibleText, wholeCharacters } from "../../static/js/model/visible.js";

const STREAMS = new URL("../streams/", import.meta.url);

/** @param {string} text */
function bytesOf(text) {
  return new TextEncoder().encode(text);
}

/** @param {Uint8Array} bytes */
function told(bytes) {
  return visibleText(bytes).map(({ text, mark }) => (mark ? `<${text}>` : text)).join("");
}

test("numbers keep their digits, keys their order and their repetitions", () => {
  const value = parseExact('{"b": 12345678901234567890.10, "2": 1e400, "1": -0, "b": [true, null, "x\\u00e9"]}');
  assert.ok(value);
  assert.deepEqual(value.entries.map(([key, entry]) => [key, entry.text]),
    [["b", "12345678901234567890.10"], ["2", "1e400"], ["1", "-0"], ["b", ""]]);
  assert.equal(prettyJson(value),
    '{\n  "b": 12345678901234567890.10,\n  "2": 1e400,\n  "1": -0,\n  "b": [\n    true,\n    null,\n    "xé"\n  ]\n}');
});

test("what is no JSON is none: half of it, too much of it, NaN, a bare comma", () => {
  const wrong = ["", "{", '{"a":1}x', "NaN", "[1,]", "{a:1}", '"\n"', "01", "+1", '{"a" 1}', '"\\x"', "[1 2]", "tru"];
  for (const text of wrong) {
    assert.equal(parseExact(text), null, text);
  }
  assert.equal(parseExact("[".repeat(200_000)), null);
});

test("every JSON of the golden streams comes out as the engine reads it", () => {
  let seen = 0;
  for (const folder of readdirSync(STREAMS)) {
    const body = readFileSync(new URL(`${folder}/stream.sse`, STREAMS), "utf8");
    for (const line of body.split(/\r\n|\r|\n/)) {
      const text = line.replace(/^data: ?/, "");
      let expected;
      try {
        expected = JSON.parse(text);
      } catch {
        assert.equal(parseExact(text), null);
        continue;
      }
      const value = parseExact(text);
      assert.ok(value, text.slice(0, 200));
      assert.deepEqual(JSON.parse(prettyJson(value)), expected);
      assert.deepEqual(JSON.parse(prettyJson(exactOf(expected))), expected);
      seen++;
    }
  }
  assert.ok(seen > 500);
});

test("a string of a megabyte is no trouble", () => {
  const text = JSON.stringify({ data: '\\"'.repeat(500_000) });
  assert.equal(parseExact(text)?.entries[0][1].text.length, 1_000_000);
});

test("what cannot be seen in bytes gets a mark", () => {
  assert.equal(told(bytesOf("data: a\r\n\tb\n")), "data: a<CR><LF>\n<TAB>b<LF>\n");
  assert.equal(told(bytesOf("\ufeffx\u200by\u2028\u202e\u0000")), "<BOM>x<ZWSP>y<LS><RLO><NUL>");
  assert.equal(told(new Uint8Array([0x61, 0xff, 0xc3, 0xe2, 0x82, 0x62])), "a<\\xff><\\xc3><\\xe2><\\x82>b");
  assert.equal(told(new Uint8Array([0xed, 0xa0, 0x80, 0xc0, 0xaf])), "<\\xed><\\xa0><\\x80><\\xc0><\\xaf>");
  assert.equal(told(bytesOf("grüße 😀 日本")), "grüße 😀 日本");
});

test("a character that the end of the bytes cuts in two waits for the rest", () => {
  const bytes = bytesOf("a😀");
  for (const kept of [2, 3, 4]) assert.equal(wholeCharacters(bytes.subarray(0, kept)).length, 1);
  assert.equal(wholeCharacters(bytes).length, 5);
  assert.equal(wholeCharacters(bytesOf("abc")).length, 3);
});

test("a hex dump has offsets of the body, sixteen or eight bytes a line, and what is ASCII", () => {
  assert.equal(hexDump(bytesOf("data: {}\n"), 0, 8), [
    "000000  64 61 74 61 3a 20 7b 7d  data: {}",
    "000008  0a                       .",
  ].join("\n"));
  assert.equal(hexDump(bytesOf("data: {\"a\":1}\n\nx!"), 2914), [
    "000b62  64 61 74 61 3a 20 7b 22  61 22 3a 31 7d 0a 0a 78  data: {\"a\":1}..x",
    "000b72  21                                                !",
  ].join("\n"));
});

test("text in a line has nothing in it that cannot be seen or turns direction", () => {
  assert.equal(visibleLine("a\n\t\u0000\u202eb\ud83d é 日 😀\u2028"), "a\\n\\t\\u0000\\u202eb\\ud83d é 日 😀\\u2028");
});
