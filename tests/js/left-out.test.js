import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback, leftOutQuery, leftOutWords } from "../../static/js/model/left-out.js";

test("what is left out is said in words, in the order of the dialog", () => {
  assert.equal(leftOutWords(["tools", "system", "texts"]), "system text, tools, marked texts");
  assert.equal(leftOutWords([]), "");
});

test("a preview is asked for with all that is left out, and with nothing where nothing is", () => {
  assert.equal(leftOutQuery([], []), "");
  assert.equal(leftOutQuery(["system", "tools"], ["a&b=c", "é"]), "?without=system,tools&text=a%26b%3Dc&text=%C3%A9");
  assert.equal(leftOutQuery([], ["x y"]), "?text=x%20y");
});

test("loopback is told from a network", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) assert.ok(isLoopback(host), host);
  for (const host of ["127.example.org", "10.0.0.1", "playground.example", "127.0.0.1.example"]) assert.ok(!isLoopback(host), host);
});
