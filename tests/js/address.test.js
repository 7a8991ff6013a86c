import assert from "node:assert/strict";
import { test } from "node:test";

import { baseOfAddress, keyVariable, requestAddress, wholeBase } from "../../static/js/model/address.js";

test("a format's address below a base URL is the one that the relay calls", () => {
  for (const [base, address] of [
    ["https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"],
    ["https://api.openai.com/", "https://api.openai.com/v1/chat/completions"],
    ["https://api.z.ai/api/paas/v4/", "https://api.z.ai/api/paas/v4/chat/completions"],
    ["https://host.example/v1beta/openai", "https://host.example/v1beta/openai/chat/completions"],
    ["https://host.example/v1/chat/completions", "https://host.example/v1/chat/completions"],
    ["https://host.example/v1/messages", "https://host.example/v1/chat/completions"],
    ["https://az.example/openai/deployments/x?api-version=1", "https://az.example/openai/deployments/x/chat/completions?api-version=1"],
    ["http://v1", "http://v1/v1/chat/completions"],
  ]) {
    assert.equal(requestAddress(base, "/chat/completions"), address);
    assert.equal(requestAddress(baseOfAddress(address), "/chat/completions"), address);
  }
});

test("a base URL has its version and nothing behind it", () => {
  assert.equal(wholeBase(" https://api.anthropic.com/v1/messages?a=b#c "), "https://api.anthropic.com/v1");
});

test("the variable with the key is the one that the vendor's clients read", () => {
  assert.equal(keyVariable("https://api.anthropic.com/v1"), "ANTHROPIC_API_KEY");
  assert.equal(keyVariable("https://notopenai.com.example/v1"), "API_KEY");
  assert.equal(keyVariable("nonsense"), "API_KEY");
});
