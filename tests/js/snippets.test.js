import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { FORMAT_NAMES, newBody } from "../../static/js/model/request.js";
import { SNIPPET_FILES, SNIPPET_KINDS, snippetOf } from "../../static/js/model/snippets.js";

const run = promisify(execFile);

/** Checks that a program could start, by the ending of its file. */
const CHECKS = { sh: ["bash", "-n"], py: ["python3", "-m", "py_compile"], mjs: ["node", "--check"] };

const WILD = [
  "plain",
  `it's "quoted" \\ and \`ticked\` \${HOME} $HOME $(id) %s !x`,
  "lines\nand\r\nmore\ttabs",
  "ünïcode 😀 \u2028 \u2029 \u0085 \u0000 \ud83d ''' \"\"\" EOF",
  "BODY",
  "'''",
];

/** @param {import("../../static/js/model/request.js").FormatName} format @param {string} user */
function requestOf(format, user) {
  const form = {
    model: `m ${user}`, maxTokens: "5", stream: true, system: user, user, reasoning: "low", otherTools: 0,
    tools: [{ name: "get", description: user, parameters: '{"type": "object", "n": 12345678901234567890, "x": [true, null]}' }],
  };
  const path = { chat: "/chat/completions", messages: "/messages", responses: "/responses" }[format];
  return {
    format,
    title: format,
    base: "http://127.0.0.1:9/v1",
    url: `http://127.0.0.1:9/v1${path}?a=[1]&b={2}`,
    headers: /** @type {[string, string][]} */ ([["x-odd", `é '"\\ $HOME`], ["authorization", "Bearer very-secret"], ["x-empty", ""]]),
    body: newBody(format, form).set(["odd key"], { user }).text,
    variable: "EXAMPLE_API_KEY",
    key: "very-secret",
  };
}

test("every snippet is a program, whatever the texts are", async () => {
  const folder = await mkdtemp(join(tmpdir(), "snippets-"));
  try {
    for (const { name } of SNIPPET_KINDS) {
      const files = await Promise.all(FORMAT_NAMES.flatMap((format) => ["'''", WILD.join(" ")].map(async (user, index) => {
        const file = join(folder, `${name}-${format}-${index}-${SNIPPET_FILES[name]}`);
        await writeFile(file, snippetOf(name, requestOf(format, user)));
        return file;
      })));
      const [program, ...options] = CHECKS[/** @type {keyof typeof CHECKS} */ (SNIPPET_FILES[name].split(".")[1])];
      if (program === "python3") await run(program, [...options, ...files]);
      else for (const file of files) await run(program, [...options, file]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a body that nests deeper than Python can write is written as JSON", async () => {
  const deep = `{"model": "m", "x": ${"[".repeat(5000)}${"]".repeat(5000)}}`;
  const folder = await mkdtemp(join(tmpdir(), "snippets-"));
  try {
    const file = join(folder, "request.py");
    await writeFile(file, snippetOf("client", { ...requestOf("chat", ""), body: deep }));
    await run("python3", ["-m", "py_compile", file]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the key is never in a snippet, whoever wrote it where", () => {
  for (const { name } of SNIPPET_KINDS) {
    const request = requestOf("chat", "my key is very-secret");
    const code = snippetOf(name, { ...request, headers: [...request.headers, ["x-mine", "very-secret"], ["api-key", "other-secret"]] });
    assert.doesNotMatch(code, /very-secret|other-secret/, name);
    assert.match(code, /EXAMPLE_API_KEY/, name);
  }
});

test("the gateway's snippets want no key", () => {
  for (const { name } of SNIPPET_KINDS) {
    const code = snippetOf(name, { ...requestOf("messages", "hi"), headers: [], variable: "", key: "" });
    assert.doesNotMatch(code, /environ|process\.env|\$[A-Z]/, name);
  }
});

test("curl and fetch send exactly the body and the headers, of any size", async () => {
  /** @type {{body: string, headers: import("node:http").IncomingHttpHeaders}[]} */
  const seen = [];
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      seen.push({ body: Buffer.concat(parts).toString(), headers: request.headers });
      response.end("data: [DONE]\n\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const folder = await mkdtemp(join(tmpdir(), "snippets-"));
  try {
    for (const user of [WILD.join("\n"), "x".repeat(150_000)]) {
      const request = { ...requestOf("chat", user), url: `http://127.0.0.1:${port}/v1/chat/completions`, headers: /** @type {[string, string][]} */ ([["x-odd", `'"\\ $HOME`]]) };
      for (const [name, program] of [["curl", "bash"], ["fetch", "node"]]) {
        const file = join(folder, SNIPPET_FILES[name]);
        await writeFile(file, snippetOf(name, request));
        await run(program, [file], { env: { ...process.env, EXAMPLE_API_KEY: "from-the-environment" } });
        const { body, headers } = /** @type {(typeof seen)[0]} */ (seen.pop());
        assert.equal(body.trimEnd(), request.body.toWellFormed(), name);
        assert.equal(headers.authorization, "Bearer from-the-environment");
        assert.equal(headers["content-type"], "application/json");
        assert.equal(headers["x-odd"], `'"\\ $HOME`);
      }
    }
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
