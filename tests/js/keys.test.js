import assert from "node:assert/strict";
import { test } from "node:test";

import { keyAction } from "../../static/js/model/keys.js";

const NOWHERE = { typing: false, control: false, moving: false, dialog: false, single: true };

/** @param {string} key */
function press(key, more = {}) {
  return { key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, repeat: false, ...more };
}

test("Ctrl+Enter runs from anywhere, a field included, and once for a key that is held", () => {
  assert.equal(keyAction(press("Enter", { ctrlKey: true }), { ...NOWHERE, typing: true }), "run");
  assert.equal(keyAction(press("Enter", { metaKey: true }), NOWHERE), "run");
  assert.equal(keyAction(press("Enter", { ctrlKey: true, repeat: true }), NOWHERE), null);
});

test("single characters do nothing in a field, nothing with other keys, nothing when switched off", () => {
  assert.equal(keyAction(press("j"), NOWHERE), "next");
  assert.equal(keyAction(press("j"), { ...NOWHERE, typing: true }), null);
  assert.equal(keyAction(press("j"), { ...NOWHERE, single: false }), null);
  assert.equal(keyAction(press("j", { ctrlKey: true }), NOWHERE), null);
  assert.equal(keyAction(press("?", { shiftKey: true }), NOWHERE), "keys");
});

test("Escape stops from a field too, but not what an input method or a dialog wants it for", () => {
  assert.equal(keyAction(press("Escape"), { ...NOWHERE, typing: true }), "stop");
  assert.equal(keyAction(press("Escape", { isComposing: true }), NOWHERE), null);
  assert.equal(keyAction(press("Escape"), { ...NOWHERE, dialog: true }), null);
});

test("Enter opens a row, unless a control has the focus", () => {
  assert.equal(keyAction(press("Enter"), NOWHERE), "open");
  assert.equal(keyAction(press("Enter"), { ...NOWHERE, control: true }), null);
});

test("Space plays and arrows step, unless what has the focus needs them", () => {
  assert.equal(keyAction(press(" "), NOWHERE), "play");
  assert.equal(keyAction(press(" "), { ...NOWHERE, control: true }), null);
  assert.equal(keyAction(press(" ", { repeat: true }), NOWHERE), null);
  assert.equal(keyAction(press("ArrowLeft"), { ...NOWHERE, single: false }), "back");
  assert.equal(keyAction(press("ArrowRight", { repeat: true }), NOWHERE), "forward");
  assert.equal(keyAction(press("End"), { ...NOWHERE, moving: true }), null);
  assert.equal(keyAction(press("Home"), { ...NOWHERE, typing: true }), null);
});

test("brackets go from finding to finding, and are left to the editor with Ctrl", () => {
  assert.equal(keyAction(press("]"), NOWHERE), "nextFinding");
  assert.equal(keyAction(press("["), NOWHERE), "previousFinding");
  assert.equal(keyAction(press("]", { ctrlKey: true }), NOWHERE), null);
});
