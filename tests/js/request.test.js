import assert from "node:assert/strict";
import { test } from "node:test";

import { JsonText } from "../../static/js/model/json-text.js";
import { FORMAT_NAMES, newBody, readForm, writeForm } from "../../static/js/model/request.js";

/** @type {import("../../static/js/model/request.js").Form} */
const FORM = {
  model: "m",
  maxTokens: "1024",
  stream: true,
  system: "be brief",
  user: "hi",
  reasoning: "low",
  tools: [{ name: "get_time", description: "The time.", parameters: '{\n  "type": "object"\n}' }],
  otherTools: 0,
};

for (const format of FORMAT_NAMES) {
  test(`${format}: a new body says what the form says`, () => {
    assert.deepEqual(readForm(format, newBody(format, FORM)), FORM);
  });

  test(`${format}: what a form adds it takes away again without a trace`, () => {
    const bare = { ...FORM, system: "", reasoning: "off", tools: [] };
    const json = newBody(format, bare);
    const { system, reasoning, tools } = FORM;
    const more = writeForm(format, json, { system, reasoning, tools });
    assert.notEqual(more.text, json.text);
    assert.equal(writeForm(format, more, { system: "", reasoning: "off", tools: [] }).text, json.text);
  });

  test(`${format}: saying what stands there already changes nothing`, () => {
    const { text } = newBody(format, FORM);
    const odd = new JsonText(text.replaceAll("  ", "   ").replace("{", '{ "zzz": 12345678901234567890,'));
    assert.equal(writeForm(format, odd, readForm(format, odd)).text, odd.text);
  });

  test(`${format}: keys that the form does not know stay where they are`, () => {
    const json = new JsonText(newBody(format, FORM).text.replace("{", '{\n  "temperature": 0.70,\n  "x": {"y": [1e2]},'));
    const { text } = writeForm(format, json, { model: "n", maxTokens: "5", user: "ho", stream: false });
    assert.ok(text.startsWith('{\n  "temperature": 0.70,\n  "x": {"y": [1e2]},'));
    assert.equal(readForm(format, new JsonText(text)).user, "ho");
  });

  test(`${format}: a body of any other shape is read as empty and never raises`, () => {
    for (const text of ["{}", "[]", "1", '"a"', "null", '{"messages": 1, "input": {}, "tools": {"a": 1}, "system": 5}',
      '{"messages": [null, 1, [], {"role": "user"}, {"role": "user", "content": [1, {"text": 2}]}], "tools": [null, 1, {}]}',
      '{"thinking": 1, "reasoning": [], "reasoning_effort": {}, "model": 5, "stream": "yes"}']) {
      const json = new JsonText(text);
      const form = readForm(format, json);
      assert.equal(form.model + form.user + form.system, "");
      assert.equal(writeForm(format, json, { model: "n", user: "u", system: "s", reasoning: "high", tools: FORM.tools }).problem, null);
    }
  });
}

test("tools are said in each format's own shape", () => {
  const [chat, messages, responses] = FORMAT_NAMES.map((format) => newBody(format, FORM).value(["tools", 0]));
  const parameters = { type: "object" };
  assert.deepEqual(chat, { type: "function", function: { name: "get_time", description: "The time.", parameters } });
  assert.deepEqual(messages, { name: "get_time", description: "The time.", input_schema: parameters });
  assert.deepEqual(responses, { type: "function", name: "get_time", description: "The time.", parameters });
});

test("a tool keeps what the form does not know, and tools of other kinds stay", () => {
  const json = new JsonText(`{"tools": [{"type": "web_search_20250305", "name": "web_search"},
    {"name": "a", "input_schema": {"n": 12345678901234567890}, "cache_control": {"type": "ephemeral"}}]}`);
  const form = readForm("messages", json);
  assert.equal(form.otherTools, 1);
  const renamed = writeForm("messages", json, { tools: [{ ...form.tools[0], name: "b" }] });
  assert.equal(renamed.text, json.text.replace('"name": "a"', '"name": "b"'));
  assert.deepEqual(writeForm("messages", json, { tools: [] }).value(["tools"]), [{ type: "web_search_20250305", name: "web_search" }]);
});

test("reasoning is asked for as each format asks", () => {
  const bare = { ...FORM, reasoning: "off" };
  const asked = FORMAT_NAMES.map((format) => writeForm(format, newBody(format, bare), { reasoning: "high" }));
  assert.equal(asked[0].value(["reasoning_effort"]), "high");
  assert.deepEqual(asked[1].value(["thinking"]), { type: "adaptive" });
  assert.deepEqual(asked[1].value(["output_config"]), { effort: "high" });
  assert.deepEqual(asked[2].value(["reasoning"]), { effort: "high", summary: "auto" });
});

test("a body that reasons in an older or another way is changed in its own way", () => {
  const budget = new JsonText('{"thinking": {"type": "enabled", "budget_tokens": 2000}}');
  assert.equal(readForm("messages", budget).reasoning, "low");
  assert.equal(writeForm("messages", budget, { reasoning: "high" }).text, '{"thinking": {"type": "enabled", "budget_tokens": 16384}}');
  const router = new JsonText('{"reasoning": {"effort": "low", "exclude": false}}');
  assert.equal(writeForm("chat", router, { reasoning: "medium" }).text, '{"reasoning": {"effort": "medium", "exclude": false}}');
  assert.equal(readForm("chat", new JsonText('{"reasoning_effort": "xhigh"}')).reasoning, "xhigh");
});

test("the limit goes to the key that the body has", () => {
  const json = new JsonText('{"max_completion_tokens": 5}');
  assert.equal(writeForm("chat", json, { maxTokens: "7" }).text, '{"max_completion_tokens": 7}');
  assert.equal(writeForm("chat", json, { maxTokens: "" }).text, "{}");
  assert.equal(newBody("responses", FORM).value(["max_output_tokens"]), 1024);
});

test("the user's text is that of the last message that has one, string or part", () => {
  const json = new JsonText(`{"messages": [{"role": "user", "content": "first"},
    {"role": "user", "content": [{"type": "image", "source": {}}, {"type": "text", "text": "second"}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]}]}`);
  assert.equal(readForm("messages", json).user, "second");
  assert.equal(writeForm("messages", json, { user: "third" }).text, json.text.replace('"second"', '"third"'));
});

test("a chat request that is not streamed asks for no usage chunk", () => {
  const json = newBody("chat", FORM);
  assert.deepEqual(json.value(["stream_options"]), { include_usage: true });
  const whole = writeForm("chat", json, { stream: false });
  assert.equal(whole.node(["stream_options"]), null);
  assert.equal(writeForm("chat", whole, { stream: true }).text, json.text);
});
