import assert from "node:assert/strict";
import { test } from "node:test";

import { Axis } from "../../static/js/model/axis.js";
import { LaneModel } from "../../static/js/model/lane.js";
import { Longest } from "../../static/js/model/longest.js";
import { pressTimeline } from "../../static/js/model/timeline-keys.js";
import { SLICE_KINDS, slicesOf } from "../../static/js/model/timeline-slices.js";
import { spanWords } from "../../static/js/model/timeline-span.js";
import { TimelineView, timeLabel } from "../../static/js/model/timeline-view.js";
import { Timeline } from "../../static/js/model/timeline.js";

const FACTS = {
  lane: 0, format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [],
  request_body: "", word: "waiting", last_step: null,
};
const HEAD = { step: 0, time: 0, size: 0, offset: 0, head: { status: 200, reason: "OK", headers: [] } };

/**
 * A lane whose reads bring a piece of text each, at these times.
 * @param {(number | null)[]} times
 * @param {Partial<typeof FACTS>} facts
 * @param {number} each rows of a read
 */
function laneOf(times, facts = {}, each = 1) {
  const lane = new LaneModel({ ...FACTS, ...facts }, () => 0);
  lane.take(HEAD);
  lane.take({ step: 1, time: times.length > 0 ? times[0] : 0, size: 1, offset: 0, operations: [[0, "open", 1, "text", { text: "" }, null]] });
  times.forEach((time, read) => {
    const rows = Array.from({ length: each }, (_, place) => {
      const number = read * each + place + 1;
      return [number, "event", "delta", (number - 1) * 10, number * 10, "{}"];
    });
    const operations = rows.map(([number]) => [number, "append", 1, "text", "abcd"]);
    lane.take({ step: read + 2, time, size: 10 * each, offset: rows.at(-1)[4], rows, operations });
  });
  return lane;
}

/**
 * @param {LaneModel[]} lanes
 * @param {object} ways
 */
function sessionOf(lanes, ways = {}) {
  return { lanes, running: false, clock: () => 0, player: { axis: new Axis(lanes), following: true, time: NaN, ...ways }, ...ways };
}

/** @param {LaneModel[]} lanes @param {object} ways */
function timelineOf(lanes, ways = {}) {
  const timeline = new Timeline();
  timeline.follow(sessionOf(lanes, ways));
  return timeline;
}

/** @param {string} key @param {object} ways */
function press(key, ways = {}) {
  return { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...ways };
}

test("a lane that is alone has a band for each kind, several have one each", () => {
  assert.deepEqual(timelineOf([laneOf([1])]).bands.map(({ label }) => label), ["reasoning", "text", "tools", "usage, errors", "other"]);
  const three = ["chat", "messages", "chat"].map((format) => laneOf([1], { format }));
  assert.deepEqual(timelineOf(three).bands.map(({ label }) => label), ["1 chat", "2 messages", "3 chat"]);
});

test("columns tell how many rows stand in each, whatever part is seen", () => {
  const [track] = timelineOf([laneOf([100, 150, 250, 990])]).tracks;
  const seen = (/** @type {number} */ from, /** @type {number} */ to) => {
    /** @type {number[][]} */
    const columns = [];
    track.columns(track.bands.text, from, to, 100, (column, rows, first) => columns.push([column, rows, first]));
    return columns;
  };
  assert.deepEqual(seen(0, 1000), [[1, 2, 0], [2, 1, 2], [9, 1, 3]]);
  assert.deepEqual(seen(149, 300), [[1, 2, 0], [2, 1, 2]]);
  assert.deepEqual(seen(300, 980), []);
});

test("what a drawing costs depends on its columns, not on how many rows there are", () => {
  const costOf = (/** @type {number} */ reads) => {
    const lane = laneOf(Array.from({ length: reads }, (_, read) => (read * 1e6) / reads));
    const [track] = timelineOf([lane]).tracks;
    let looks = 0;
    const { at } = track;
    track.at = (index) => ((looks += 1), at.call(track, index));
    let rows = 0;
    track.columns(track.bands.text, 0, 1e6, 2000, (_, count) => (rows += count));
    assert.equal(rows, reads);
    return looks;
  };
  const few = costOf(1000);
  const many = costOf(100_000);
  assert.ok(many < few * 3, `${few} looks for 1,000 rows, ${many} for 100,000`);
});

test("a row is taken in once, however often the timeline is drawn", () => {
  const lane = laneOf([100, 200]);
  const timeline = timelineOf([lane]);
  const { kind } = lane.rows;
  let looks = 0;
  lane.rows.kind = (index) => ((looks += 1), kind.call(lane.rows, index));
  timeline.follow(sessionOf([lane]));
  assert.equal(looks, 0);
  lane.take({ step: 4, time: 300, size: 10, offset: 30, rows: [[3, "event", "delta", 20, 30, "{}"]] });
  timeline.follow(sessionOf([lane]));
  assert.equal(looks, 1);
  assert.equal(timeline.end, 300);
});

test("the end of a growing axis goes in steps, and stands at the last row when it is over", () => {
  const view = new TimelineView();
  const ends = new Set();
  for (let last = 0; last <= 10e6; last += 1000) {
    view.grow(last, true, "time");
    assert.ok(view.end >= last);
    ends.add(view.end);
  }
  assert.ok(ends.size < 18, `${ends.size} ends in ten seconds`);
  view.grow(9_400_000, false, "time");
  assert.ok(view.end >= 9_400_000 && view.end < 9_500_000);
});

test("a zoom leaves its place where it is, and nothing is seen beyond the axis", () => {
  const view = new TimelineView();
  view.grow(1e6 / 1.005, false, "time");
  view.zoom(0.5, 250_000);
  assert.deepEqual([view.from, view.to].map(Math.round), [125_000, 625_000]);
  view.pan(-1e6);
  assert.deepEqual([view.from, view.to].map(Math.round), [0, 500_000]);
  view.pan(1e9);
  assert.equal(Math.round(view.to), 1_000_000);
  view.zoom(1e-9, 750_000);
  assert.equal(Math.round(view.length), 200);
  assert.ok(view.from <= 750_000 && view.to >= 750_000);
  view.zoom(1e9, 0);
  assert.equal(view.part, null);
});

test("labels stand at round places, with as many decimals as they need", () => {
  const view = new TimelineView();
  view.grow(2e6, false, "time");
  assert.deepEqual(view.labels(400).map(({ label }) => label), ["0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s"]);
  view.show(312_000, 312_900);
  assert.deepEqual(view.labels(400).map(({ label }) => label), ["312.0 ms", "312.2 ms", "312.4 ms", "312.6 ms", "312.8 ms"]);
  assert.equal(timeLabel(90e6, 30e6), "1:30 min");
  view.grow(30, false, "rows");
  assert.deepEqual(view.labels(400).map(({ label }) => label), ["0", "10", "20", "30"]);
});

test("the figures of a span are those of the rows in it, a read whole", () => {
  const timeline = timelineOf([laneOf([100_000, 150_000, 400_000, 900_000], {}, 2)]);
  assert.equal(timeline.chosenFigures, null);
  timeline.span = { from: 450_000, to: 120_000 };
  assert.deepEqual(timeline.chosenRows, [{ from: 2, to: 6 }]);
  assert.deepEqual(timeline.chosenFigures, { events: 4, reads: 2, bytes: 40, characters: 16, longest: 250_000 });
  assert.equal(spanWords(timeline.chosenFigures), "4 events in 2 reads · 40 B · 16 characters, about 4 tokens · longest gap 250 ms");
  timeline.span = { from: 500_000, to: 600_000 };
  assert.equal(spanWords(timeline.chosenFigures), "0 events in 0 reads · 0 B");
});

test("figures of several lanes are their sum, and the longest of their gaps", () => {
  const timeline = timelineOf([laneOf([100, 200]), laneOf([100, 900], { format: "messages" })]);
  timeline.span = { from: 0, to: 1000 };
  assert.deepEqual(timeline.chosenFigures, { events: 4, reads: 4, bytes: 40, characters: 16, longest: 800 });
});

test("a stream without times is drawn by row number, and no gap is made up", () => {
  for (const times of [[null, null, null], [100, null, 300], [300, 200, 100]]) {
    const timeline = timelineOf([laneOf(times), laneOf([1, 2, 3], { format: "messages" })]);
    assert.equal(timeline.byRow, true);
    assert.equal(timeline.end, 3);
    timeline.span = { from: 1.5, to: 3 };
    assert.deepEqual(timeline.chosenRows, [{ from: 1, to: 3 }, { from: 1, to: 3 }]);
    assert.ok(!timeline.byRow || timeline.rowWords({ lane: 0, row: 1, band: 0 }) === "chat · row 2 · delta");
  }
});

test("the nearest row is found in its band, and only within reach", () => {
  const timeline = timelineOf([laneOf([100_000, 200_000])]);
  assert.deepEqual(timeline.nearest(140_000, 50_000), { lane: 0, row: 0, band: 1 });
  assert.deepEqual(timeline.nearest(160_000, 50_000, 1), { lane: 0, row: 1, band: 1 });
  assert.equal(timeline.nearest(160_000, 50_000, 0), null);
  assert.equal(timeline.nearest(150_000, 10_000), null);
  assert.equal(timeline.rowWords(timeline.nearest(100_000, 0)), "row 1 · delta · 0.100 s");
});

test("keys walk from event to event, choose a span, zoom and clear", () => {
  const timeline = timelineOf([laneOf([100_000, 101_000, 500_000, 900_000])]);
  const go = (/** @type {string} */ key, ways = {}) => pressTimeline(timeline, press(key, ways), 2000);
  go("Home");
  assert.equal(timeline.cursor, 100_000);
  assert.equal(go("ArrowRight"), "look");
  assert.equal(timeline.cursor, 500_000);
  go("ArrowRight", { shiftKey: true });
  go("ArrowRight", { shiftKey: true });
  assert.deepEqual(timeline.chosen, { from: 500_000, to: 900_000 });
  go("+");
  assert.ok(timeline.view.from > 0 && timeline.view.to >= 900_000);
  go("Home");
  assert.ok(timeline.view.from <= 100_000, "the view follows the cursor");
  go("0");
  assert.equal(timeline.view.part, null);
  assert.equal(go("Enter"), "go");
  assert.equal(go("Escape"), "clear");
  timeline.span = null;
  assert.equal(go("Escape"), null);
  assert.equal(go("x"), null);
  assert.equal(go("+", { ctrlKey: true }), null);
});

test("the table of slices has every row once", () => {
  const timeline = timelineOf([laneOf(Array.from({ length: 500 }, (_, read) => read * 777)), laneOf([5, 9], { format: "messages" })]);
  const slices = slicesOf(timeline);
  const text = SLICE_KINDS.findIndex(([word]) => word === "text");
  const sum = (/** @type {number} */ lane) => slices.filter((slice) => slice.lane === lane).reduce((all, { counts }) => all + counts[text], 0);
  assert.deepEqual([sum(0), sum(1)], [500, 2]);
  assert.equal(slices.length, 24);
});

test("findings are marked by severity in order of rows, however they were told", () => {
  const lane = laneOf([100, 200, 300, 400]);
  const timeline = timelineOf([lane]);
  lane.findings.take([["a", "warning", [2, 4], 0, 1, null, ""]], 3);
  timeline.follow(sessionOf([lane]));
  lane.findings.take([["b", "warning", [3, 1], 0, 1, null, ""], ["c", "error", [3], 0, 1, null, ""]], 4);
  timeline.follow(sessionOf([lane]));
  const { warning, error } = timeline.tracks[0].marks.rows;
  assert.deepEqual([...warning.values.slice(0, warning.length)], [0, 1, 2, 3]);
  assert.equal(error.length, 1);
  assert.deepEqual(timeline.nearestMark(310, 20, 0), { lane: 0, row: 2, band: -1 });
  assert.equal(timeline.nearestMark(350, 20, 0), null);
  assert.equal(timeline.rowWords({ lane: 0, row: 2, band: -1 }), "row 3 · delta · 0.000 s · c · b");
  assert.deepEqual(slicesOf(timeline).map((slice) => slice.findings).filter(Boolean), [1, 1, 2, 1]);
});

test("a wait that a finding speaks of is shown where it was, in the band of the row that ended it", () => {
  const lane = laneOf([100_000, 200_000, 6_200_000]);
  lane.findings.take([["sudden-gap", "info", [3], 20, 30, null, ""]], 4);
  lane.take({ step: 5, time: 18_200_000, size: 0, offset: 30, findings: [["stall", "warning", [], null, null, null, ""]],
    end: { how: "idle-timeout", detail: "", word: "timed out", complete: false } });
  const timeline = timelineOf([lane]);
  assert.deepEqual(timeline.waitsOf(1), [
    { from: 6_200_000, to: 18_200_000, row: -1, words: "stall 12.00 s" },
    { from: 200_000, to: 6_200_000, row: 2, words: "gap 6.00 s" },
  ]);
  assert.deepEqual(timeline.waitsOf(0), []);
  assert.ok(timeline.view.end >= 18_200_000, "the axis goes on to the end of the silence");
});

test("after many stalls the one before the end is still shown", () => {
  const lane = laneOf(Array.from({ length: 31 }, (_, read) => read * 11_000_000));
  for (let row = 2; row <= 31; row++) lane.findings.take([["stall", "warning", [row], 0, 1, null, ""]], row);
  lane.take({ step: lane.have + 1, time: 350_000_000, size: 0, offset: 99, findings: [["stall", "warning", [], null, null, null, ""]],
    end: { how: "idle-timeout", detail: "", word: "timed out", complete: false } });
  const waits = timelineOf([lane]).waitsOf(1);
  assert.equal(waits.length, 31);
  assert.deepEqual(waits.at(-1), { from: 330_000_000, to: 350_000_000, row: -1, words: "stall 20.00 s" });
});

test("lanes that began later are shifted, and the playhead is the player's", () => {
  const late = laneOf([100_000], { format: "messages" });
  const lanes = [laneOf([100_000]), late];
  lanes[0].head = { ...lanes[0].head, started: 10 };
  late.head = { ...late.head, started: 10.5 };
  const timeline = timelineOf(lanes, { following: false, time: 250_000 });
  assert.equal(timeline.end, 600_000);
  assert.equal(timeline.playhead, 250_000);
  assert.equal(timelineOf(lanes).playhead, NaN);
});

test("rows that are lit are lit on the timeline", () => {
  const lane = laneOf([100_000, 200_000, 300_000]);
  const [track] = timelineOf([lane]).tracks;
  assert.equal(track.lit.length, 0);
  lane.light.said(lane.transcript.part(1), "text", 4, 12);
  assert.deepEqual([...track.lit.values], [1, 2]);
  lane.light.release();
  assert.equal(track.lit.length, 0);
});

test("while a stream comes the playhead is where time stands, and never goes back", () => {
  let now = 0;
  const lane = new LaneModel(FACTS, () => now);
  lane.take(HEAD);
  lane.heard = now;
  const timeline = new Timeline();
  const session = sessionOf([lane], { running: true, clock: () => now });
  now = 300;
  timeline.follow(session);
  assert.equal(timeline.playhead, 300_000);
  lane.take({ step: 1, time: 250_000, size: 1, offset: 1, rows: [[1, "event", "delta", 0, 1, "{}"]] });
  lane.heard = now;
  timeline.follow(session);
  assert.equal(timeline.playhead, 300_000);
});

test("the longest of a stretch is found by blocks", () => {
  const longest = new Longest();
  const values = Array.from({ length: 3000 }, (_, place) => (place * 7919) % 2999);
  for (const value of [NaN, ...values]) longest.push(value);
  const all = [NaN, ...values];
  for (const [from, to] of [[0, 3001], [1, 2], [10, 20], [250, 260], [255, 1030], [256, 512], [700, 2900]]) {
    const best = longest.between(from, to);
    const most = Math.max(...all.slice(from, to).filter((value) => !Number.isNaN(value)));
    assert.equal(all[best], most, `${from} to ${to}`);
    assert.ok(best >= from && best < to);
  }
  assert.equal(longest.between(5, 5), -1);
  assert.equal(longest.between(0, 1), -1);
});
