// Every event and field of the official clients' types, and all that came in the golden streams, has its sentence.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { wordOfDeeds } from "../../static/js/model/deeds.js";
import { explainEvent, explainField } from "../../static/js/model/explain.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What nobody has described: made-up names of cases that test how strangers are met. */
const STRANGERS = [
  ["chat", "agent.tool.progress"],
  ["messages", "content_block_progress"],
  ["messages", "glow_delta"],
  ["responses", "response.rate_limits.updated"],
  ["responses", "response.text.delta"],
];
const STRANGE_FIELDS = ["chat label", "chat tool", "messages percent", "messages delta.glow"];

/** @returns {AsyncGenerator<{format: string, source: string, event: string, path: string, types: string[]}>} */
async function* lines() {
  const python = spawn(process.env.PYTHON ?? "python3", ["-m", "tests.support.official_fields"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise((resolve) => python.on("close", resolve));
  for await (const line of createInterface({ input: python.stdout })) yield JSON.parse(line);
  assert.equal(await exit, 0, "the types were walked to their end");
}

test("every event, field and kind of the official clients and of the golden streams is explained", async () => {
  const missing = new Set();
  const counts = { official: 0, golden: 0 };
  for await (const { format, source, event, path, types } of lines()) {
    counts[source === "official" ? "official" : "golden"]++;
    if (path === "") {
      const strange = STRANGERS.some(([of, name]) => of === format && name === event);
      if (format !== "chat" && event !== "" && !strange && !explainEvent(format, "event", event)) {
        missing.add(`${format} event ${event}`);
      }
      continue;
    }
    if (!explainField(format, event, path) && !STRANGE_FIELDS.includes(`${format} ${path}`)) {
      missing.add(`${format} field ${path.replaceAll("[]", "")} (${source})`);
    }
    const general = explainField(format, event, path);
    for (const word of types) {
      if (STRANGERS.some(([of, name]) => of === format && name === word)) continue;
      if (explainField(format, event, path, word) === general) missing.add(`${format} type ${word}`);
    }
  }
  assert.deepEqual([...missing].sort(), []);
  assert.ok(counts.official > 10_000 && counts.golden > 5000, JSON.stringify(counts));
});

test("an event without a name is explained by what it did", () => {
  for (let bit = 0; bit < 32; bit++) {
    const word = wordOfDeeds(1 << bit);
    if (word) assert.notEqual(explainEvent("chat", "event", word), "", word);
  }
  assert.match(explainEvent("chat", "event", "delta content + finish"), /text\..*stopped\./);
  assert.match(explainEvent("chat", "event", "done"), /nothing may follow/);
});

test("rows that are no event are explained by their kind", () => {
  for (const kind of ["comment", "ignored", "block", "tail"]) assert.ok(explainEvent("chat", kind, kind), kind);
});

test("the same name is explained by where it stands", () => {
  const id = (/** @type {string} */ path) => explainField("chat", "", path);
  assert.notEqual(id("id"), id("choices[].delta.tool_calls[].id"));
  assert.match(explainField("responses", "response.audio.delta", "delta"), /sound/);
  assert.match(explainField("responses", "response.output_text.delta", "delta"), /characters/);
  assert.match(explainField("messages", "content_block_delta", "delta.type", "input_json_delta"), /arguments/);
});

test("keys that are free are explained by what they stand in, and what nobody knows is left alone", () => {
  assert.match(explainField("responses", "response.created", "response.metadata.type"), /note/);
  assert.match(explainField("messages", "content_block_start", "content_block.input.city"), /argument/);
  assert.equal(explainField("chat", "", "constructor"), "");
  assert.equal(explainEvent("messages", "event", "toString"), "");
});

test("a lane of an unknown format is looked up in all books", () => {
  assert.notEqual(explainEvent("", "event", "message_start"), "");
  assert.notEqual(explainField("", "", "choices[].delta.content"), "");
});
