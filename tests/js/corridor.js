// Every golden stream through the corridor of Python, and what a browser's lane is asked. Used by tests of the model.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { LaneModel } from "../../static/js/model/lane.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const FACTS = {
  lane: 0, format: "chat", target: "gateway", model: "m", method: "POST", url: "", request_headers: [],
  request_body: "", word: "waiting", last_step: null,
};

export function emptyLane() {
  return new LaneModel(FACTS, () => 0);
}

/** A line for each case and cutting, as tests/support/corridor.py says. */
export async function* goldenStreams() {
  const python = spawn(process.env.PYTHON ?? "python3", ["-m", "tests.support.corridor"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise((resolve) => python.on("close", resolve));
  for await (const line of createInterface({ input: python.stdout })) yield JSON.parse(line);
  assert.equal(await exit, 0, "the corridor walked to its end");
}

/** @param {import("../../static/js/model/transcript.js").Part} part @param {number} position */
function plainPart(part, position) {
  const fields = {};
  for (const [field, history] of part.fields) {
    const value = history.at(position);
    if (value !== undefined) fields[field] = value;
  }
  const grown = {};
  for (const field of part.grown.keys()) {
    if (part.growth(field, position)) grown[field] = part.value(field, position);
  }
  return { number: part.number, kind: part.kind, closed: part.closedAt <= position, fields, grown };
}

/** @param {import("../../static/js/model/transcript.js").Transcript} transcript */
export function plainParts(transcript, position = transcript.position) {
  return [transcript.laneAt(position), ...transcript.standing(position)].map((part) => plainPart(part, position));
}
