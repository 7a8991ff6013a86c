/**
 * A request as a call of the vendor's own Python client. Keys of the body that its method may not know go into
 * `extra_body`, so that any body can be sent. Used by snippets.js.
 */

import { JsonText } from "./json-text.js";
import { inPython } from "./quoting.js";

/** Arguments that every version of each method has; the rest of a body is sent as `extra_body`. */
const CLIENTS = {
  chat: {
    module: "openai",
    name: "OpenAI",
    method: "chat.completions.create",
    keys: ["model", "messages", "max_tokens", "stream", "stream_options", "tools", "tool_choice", "reasoning_effort"],
  },
  messages: {
    module: "anthropic",
    name: "Anthropic",
    method: "messages.create",
    keys: ["model", "max_tokens", "messages", "system", "stream", "tools", "tool_choice", "thinking"],
  },
  responses: {
    module: "openai",
    name: "OpenAI",
    method: "responses.create",
    keys: ["model", "input", "instructions", "max_output_tokens", "stream", "tools", "tool_choice", "reasoning"],
  },
};

/** Spaces of indentation at which a value is written as JSON: Python's parser has a limit of nested brackets. */
const DEEPEST = 120;

/**
 * @param {import("./snippets.js").SnippetRequest} request @param {import("./snippets.js").SnippetHeader[]} headers
 */
export function clientSnippet({ format, base, body, variable }, headers) {
  const { module, name, method, keys } = CLIENTS[format];
  const json = new JsonText(body);
  const members = lastOfEach(json);
  const known = members.filter(({ name: key }) => keys.includes(key));
  const rest = members.filter(({ name: key }) => !keys.includes(key));
  const lines = known.map(({ name: key, node }) => `    ${key}=${pythonValue(json, node, "    ")},`);
  if (rest.length > 0) {
    const inner = rest.map(({ name: key, node }) => `        ${inPython(key)}: ${pythonValue(json, node, "        ")},`);
    lines.push(`    extra_body={\n${inner.join("\n")}\n    },`);
  }
  if (headers.length > 0) {
    const inner = headers.map(({ name: header, prefix, variable: from, value }) => {
      const secret = `os.environ[${inPython(from)}]`;
      return `        ${inPython(header)}: ${from ? `${inPython(prefix)} + ${secret}` : inPython(value)},`;
    });
    lines.push(`    extra_headers={\n${inner.join("\n")}\n    },`);
  }
  const needsKey = variable !== "" || headers.some((header) => header.variable);
  // The Anthropic client puts /v1 into the path by itself.
  const address = module === "anthropic" ? base.replace(/\/v1$/, "") : base;
  const key = variable ? `os.environ[${inPython(variable)}]` : '"none"';
  const streamed = json.value(["stream"]) === true;
  const imports = [lines.some((line) => line.includes("json.loads(")) ? "import json" : "", needsKey ? "import os" : ""];
  const first = imports.filter((line) => line !== "").join("\n");
  return `${first}${first ? "\n\n" : ""}from ${module} import ${name}

client = ${name}(base_url=${inPython(address)}, api_key=${key})
${streamed ? "stream" : "answer"} = client.${method}(
${lines.join("\n")}
)
${streamed ? "for event in stream:\n    print(event.model_dump_json(exclude_unset=True), flush=True)" : "print(answer.model_dump_json(indent=2))"}
`;
}

/** Of members with one name the last, as every reader of JSON takes them. @param {JsonText} json */
function lastOfEach(json) {
  const members = json.root?.members ?? [];
  return members.filter(({ name }, index) => members.findLastIndex((other) => other.name === name) === index);
}

/**
 * @param {JsonText} json @param {import("./json-scan.js").JsonNode} node @param {string} indent @returns {string}
 */
function pythonValue(json, node, indent) {
  const source = json.text.slice(node.start, node.end);
  if (node.type === "word") return { true: "True", false: "False", null: "None" }[source] ?? source;
  if (node.type === "string") return inPython(JSON.parse(source));
  if (node.type === "number") return source;
  if (indent.length > DEEPEST) return `json.loads(${inPython(source)})`;
  const deeper = `${indent}    `;
  const parts =
    node.type === "array"
      ? node.items.map((item) => pythonValue(json, item, deeper))
      : node.members.map(({ name, node: value }) => `${inPython(name)}: ${pythonValue(json, value, deeper)}`);
  const [open, close] = node.type === "array" ? "[]" : "{}";
  const short = parts.join(", ");
  if (short.length + indent.length < 80 && !short.includes("\n")) return `${open}${short}${close}`;
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join("\n")}\n${indent}${close}`;
}
