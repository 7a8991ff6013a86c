import assert from "node:assert/strict";
import { test } from "node:test";

import { rowAddress, rowOfAddress } from "../../static/js/model/row-address.js";

test("a row's address names its lane where there are several, and is read back", () => {
  assert.equal(rowAddress(0, 119, 1), "#row=120");
  assert.equal(rowAddress(1, 119, 3), "#row=2:120");
  assert.deepEqual(rowOfAddress("#row=120"), { lane: 0, row: 119 });
  assert.deepEqual(rowOfAddress("#row=2:120"), { lane: 1, row: 119 });
});

test("an address that names no row is none", () => {
  for (const hash of ["", "#row=", "#row=0", "#row=0:4", "#row=-3", "#row=a", "#row=1:2:3", "#rows=3"]) {
    assert.equal(rowOfAddress(hash), null, hash);
  }
});
