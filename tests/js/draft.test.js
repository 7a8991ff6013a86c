import assert from "node:assert/strict";
import { test } from "node:test";

import { Draft } from "../../static/js/model/draft.js";

function newDraft() {
  const draft = new Draft({
    gateway: { base_url: "http://127.0.0.1:8000/v1", models: [], scenarios: [] },
    formats: [
      { name: "chat", title: "Chat Completions", path: "/chat/completions" },
      { name: "messages", title: "Messages", path: "/messages" },
      { name: "responses", title: "Responses", path: "/responses" },
    ],
  });
  draft.meetGateway({ models: [], scenarios: ["text", "tools", "cut"].map((name) => ({ name, look_for: "" })) });
  return draft;
}

/** @param {Draft} draft */
const modelOf = (draft, format = draft.shown) => draft.bodies[format].value(["model"]);

test("a scenario is the end of the model's name, and only a known one", () => {
  const draft = newDraft();
  draft.change({ scenario: "tools" });
  assert.equal(modelOf(draft), "claude-sonnet-5:tools");
  assert.equal(draft.form().model, "claude-sonnet-5");
  draft.change({ model: "other" });
  assert.equal(modelOf(draft), "other:tools");
  draft.change({ model: "other:cut" });
  assert.equal(draft.form().scenario, "cut");
  draft.change({ scenario: "" });
  assert.equal(modelOf(draft), "other");
  draft.change({ model: "deepseek/r1:free" });
  assert.deepEqual([draft.form().model, draft.form().scenario], ["deepseek/r1:free", ""]);
});

test("another address is not asked for a scenario, and the gateway is again", () => {
  const draft = newDraft();
  draft.change({ scenario: "tools" });
  draft.setTarget("custom");
  assert.equal(modelOf(draft), "claude-sonnet-5");
  draft.change({ user: "hello" });
  draft.setTarget("gateway");
  assert.equal(modelOf(draft), "claude-sonnet-5:tools");
});

test("the body wins: what is typed into it is what the form shows", () => {
  const draft = newDraft();
  draft.edit('{"model": "x:cut", "max_tokens": 7, "messages": [{"role": "user", "content": "yo"}], "top_k": 5}');
  const { model, scenario, maxTokens, user, stream } = draft.form();
  assert.deepEqual([model, scenario, maxTokens, user, stream], ["x", "cut", "7", "yo", false]);
  draft.change({ maxTokens: "8" });
  assert.equal(draft.bodies.messages.text, '{"model": "x:cut", "max_tokens": 8, "messages": [{"role": "user", "content": "yo"}], "top_k": 5}');
});

test("a change of the format takes the form along and leaves what is the body's own", () => {
  const draft = newDraft();
  draft.choose("chat");
  draft.edit(draft.bodies.chat.text.replace("{", '{\n  "seed": 1,'));
  draft.choose("messages");
  draft.change({ user: "changed", system: "brief", scenario: "cut" });
  draft.choose("chat");
  assert.equal(draft.form().user, "changed");
  assert.equal(draft.form().system, "brief");
  assert.equal(modelOf(draft), "z-ai/glm-5.2:cut");
  assert.equal(draft.bodies.chat.value(["seed"]), 1);
});

test("all three: the form changes each body, an edited body only itself", () => {
  const draft = newDraft();
  draft.choose("all");
  draft.change({ user: "same" });
  assert.deepEqual(draft.lanes.map((lane) => draft.form(lane).user), ["same", "same", "same"]);
  draft.edit(draft.bodies.messages.text.replace("same", "other"));
  assert.deepEqual(draft.lanes.map((lane) => draft.form(lane).user), ["same", "other", "same"]);
  draft.change({ model: "one" }, "responses");
  assert.deepEqual(draft.lanes.map((lane) => draft.form(lane).model), ["z-ai/glm-5.2", "claude-sonnet-5", "one"]);
  assert.deepEqual(draft.toRequest().lanes.map(({ format }) => format), ["chat", "messages", "responses"]);
});

test("a broken body stays as it is, says what is wrong, and can be made anew from the form", () => {
  const draft = newDraft();
  draft.edit('{"model": ');
  draft.change({ user: "typed meanwhile" });
  assert.equal(draft.bodies.messages.text, '{"model": ');
  assert.deepEqual(draft.problem, {
    code: "body",
    message: "Not sent, the body is no JSON: line 1, column 11, the text ends where a value is expected.",
    field: "lanes.0.body",
  });
  draft.rebuild();
  assert.equal(draft.problem, null);
  assert.equal(draft.bodies.messages.value(["messages", 0, "content"]), "typed meanwhile");
});

test("what cannot be sent is said with its field", () => {
  const draft = newDraft();
  draft.setTarget("custom");
  assert.equal(draft.problem?.field, "lanes.0.base_url");
  draft.set({ baseUrl: "api.openai.com" });
  assert.equal(draft.problem?.field, "lanes.0.base_url");
  draft.set({ baseUrl: "https://api.openai.com" });
  assert.equal(draft.problem, null);
  draft.set({ headers: [["x y", "1"]] });
  assert.equal(draft.problem?.field, "lanes.0.headers");
  draft.set({ headers: [["x-y", "→"]] });
  assert.equal(draft.problem?.field, "lanes.0.headers");
  draft.set({ headers: [["", "ignored"], ["x-y", "é"]] });
  assert.equal(draft.problem, null);
});

test("the request has the body as it was typed, the headers, and the key for another address alone", () => {
  const draft = newDraft();
  draft.set({ key: "secret", pace: "0", headers: [[" x-a ", " 1 "], ["", ""]] });
  let [lane] = draft.toRequest().lanes;
  assert.deepEqual(lane.headers, [["x-gateway-pace", "tps=0"], ["x-a", "1"]]);
  assert.deepEqual([lane.target, lane.key, lane.base_url], ["gateway", "", ""]);
  draft.setTarget("custom");
  draft.set({ baseUrl: " https://api.example.com/v1 " });
  [lane] = draft.toRequest().lanes;
  assert.deepEqual(lane.headers, [["x-a", "1"]]);
  assert.deepEqual([lane.target, lane.key, lane.base_url], ["custom", "secret", "https://api.example.com/v1"]);
  assert.equal(lane.body, draft.bodies.messages.text);
});

test("a session's request comes back into the draft", () => {
  const draft = newDraft();
  const body = '{"model": "m:cut", "messages": [{"role": "user", "content": "again"}]}';
  draft.fromSession([
    {
      lane: 0, format: "chat", target: "gateway", model: "m:cut", method: "POST", url: "http://127.0.0.1:8000/v1/chat/completions",
      request_headers: [["Content-Type", "application/json"], ["X-Gateway-Pace", "tps=20, seed=1"], ["X-Mine", "1"]],
      request_body: body, word: "ended", last_step: 3,
    },
  ]);
  assert.deepEqual([draft.target, draft.format, draft.shown, draft.pace], ["gateway", "chat", "chat", "20"]);
  assert.deepEqual(draft.headers, [["X-Mine", "1"]]);
  assert.equal(draft.bodies.chat.text, body);
  assert.deepEqual([draft.form().user, draft.form().scenario], ["again", "cut"]);
});

test("a key that was typed for one address does not go to another", () => {
  const draft = newDraft();
  draft.setTarget("custom");
  draft.set({ key: "secret" });
  draft.set({ baseUrl: "https://api.example.com" });
  assert.equal(draft.forgetForeignKey(), false);
  draft.set({ baseUrl: "https://api.example.com/v1" });
  assert.equal(draft.forgetForeignKey(), false);
  draft.set({ baseUrl: "https://elsewhere.example/v1" });
  assert.equal(draft.forgetForeignKey(), true);
  assert.deepEqual([draft.key, draft.forgetForeignKey()], ["", false]);
});

test("a key stays with its address: another session's address does not get it", () => {
  const draft = newDraft();
  const facts = {
    lane: 0, format: "messages", target: "custom", model: "m", method: "POST", url: "https://api.example.com/v1/messages",
    request_headers: /** @type {[string, string][]} */ ([]), request_body: "{}", word: "ended", last_step: 3,
  };
  draft.setTarget("custom");
  draft.set({ baseUrl: "https://api.example.com", key: "secret" });
  draft.fromSession([facts]);
  assert.deepEqual([draft.baseUrl, draft.key], ["https://api.example.com/v1", "secret"]);
  draft.fromSession([{ ...facts, url: "https://elsewhere.example/v1/messages" }]);
  assert.deepEqual([draft.baseUrl, draft.key], ["https://elsewhere.example/v1", ""]);
});

test("texts to be masked go with the run, and one that is too short is not sent", () => {
  const draft = newDraft();
  assert.deepEqual(draft.toRequest().mask, []);
  draft.set({ mask: " project nightjar \n\nAda Lovelace" });
  assert.deepEqual(draft.toRequest().mask, ["project nightjar", "Ada Lovelace"]);
  assert.equal(draft.problem, null);
  draft.set({ mask: "ab" });
  assert.equal(draft.problem?.field, "lanes.0.mask");
});
