import assert from "node:assert/strict";
import { test } from "node:test";

import { Retry } from "../../static/js/model/retry.js";

test("after each failure the pause is twice as long, up to half a minute; an answer ends it", () => {
  let now = 0;
  const retry = new Retry(() => now);
  assert.ok(retry.ready);
  const pauses = [];
  for (let times = 0; times < 7; times++) {
    pauses.push(retry.failed());
    assert.ok(!retry.ready);
    now += pauses[times] - 1;
    assert.ok(!retry.ready);
    now += 1;
    assert.ok(retry.ready);
  }
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  retry.failed();
  retry.worked();
  assert.ok(retry.ready);
  assert.equal(retry.failed(), 1000);
});
