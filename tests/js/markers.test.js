import assert from "node:assert/strict";
import { test } from "node:test";

import { SessionModel } from "../../static/js/model/session.js";
import { FACTS } from "./corridor.js";

/** A lane with three rows: bytes 0 to 10, 10 to 25, and 30 to 40. */
function sessionWithRows() {
  const session = new SessionModel(() => 0);
  session.push({ type: "session", id: "s", title: "", created: 0, lanes: [FACTS] });
  const rows = [[1, "event", "", 0, 10, "a"], [2, "event", "", 10, 25, "b"], [3, "comment", "", 30, 40, "c"]];
  session.push({ type: "steps", lane: 0, frame: 1, steps: [{ step: 0, time: 1, size: 40, offset: 40, rows }] });
  session.fold(Infinity);
  return session;
}

const MARKER = { id: 1, lane: 0, start: 10, end: 25, note: "n", created: 5 };

test("a marker is found to the row that has its first byte", () => {
  const { markers } = sessionWithRows();
  const rowAt = (/** @type {number} */ start) => markers.rowOf({ ...MARKER, start });
  assert.deepEqual([0, 9, 10, 24, 25, 30, 39, 40, 900].map(rowAt), [0, 0, 1, 1, -1, 2, 2, -1, -1]);
  assert.equal(markers.rowOf({ ...MARKER, lane: 4 }), -1);
});

test("a new marker stands at its row's bytes, and is in the list once it is kept", async () => {
  const { markers } = sessionWithRows();
  /** @type {object[]} */
  const asked = [];
  markers.doors = {
    list: async () => ({ markers: [MARKER] }),
    add: async (marker) => (asked.push(marker), { ...marker, id: 7, created: 6 }),
    edit: async (id, note) => ({ ...MARKER, id, note }),
    remove: async () => ({}),
  };
  await markers.load();
  assert.deepEqual(markers.list, [MARKER]);
  assert.ok(await markers.add(0, 0, "first"));
  assert.deepEqual(asked, [{ lane: 0, start: 0, end: 10, note: "first" }]);
  assert.deepEqual(markers.ofRow(0, 0).map(({ id }) => id), [7]);
  assert.ok(await markers.edit(1, "other"));
  assert.ok(await markers.remove(7));
  assert.deepEqual(markers.list.map(({ note }) => note), ["other"]);
});

test("what was not kept is said, and the list stays as it was", async () => {
  const { markers } = sessionWithRows();
  assert.equal(await markers.add(0, 0, "nobody keeps it"), false);
  const problem = async () => ({ problem: { message: "There is no room." } });
  markers.doors = { list: problem, add: problem, edit: problem, remove: problem };
  assert.equal(await markers.add(0, 0, "x"), false);
  assert.equal(markers.problem, "There is no room.");
  assert.deepEqual(markers.list, []);
});
