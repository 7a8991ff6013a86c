/**
 * A request -> the same request as a program: curl, httpx, the official clients, fetch. The key is never in it: the
 * name of an environment variable stands in its place. Used by the dialog of snippets.
 */

import { clientSnippet } from "./snippet-client.js";
import { inJavaScript, inPython, inShell } from "./quoting.js";

/** @typedef {import("./request.js").FormatName} FormatName */
/**
 * @typedef {object} SnippetRequest
 * @property {FormatName} format
 * @property {string} title of the format
 * @property {string} base the base URL with its version, without query
 * @property {string} url
 * @property {[string, string][]} headers of the person
 * @property {string} body
 * @property {string} variable the environment variable with the key, "" when none is needed
 * @property {string} key the key itself, so that it can be taken out wherever it stands
 */
/** @typedef {{name: string, prefix: string, variable: string, value: string}} SnippetHeader a value, or a variable behind a prefix */

/** Headers that hold a secret, whoever wrote them. */
const SECRET_HEADER = /^(?:authorization|proxy-authorization|cookie|.*(?:api|access|auth|secret).?(?:key|token)|.*-token)$/i;
/** The longest single argument of a program on Linux is 128 KiB. */
const LONGEST_ARGUMENT = 100_000;

/** @type {{name: string, title: string, write: (request: SnippetRequest, headers: SnippetHeader[]) => string}[]} */
const SNIPPETS = [
  { name: "curl", title: "curl", write: curlSnippet },
  { name: "httpx", title: "Python · httpx", write: httpxSnippet },
  { name: "client", title: "Python · client", write: clientSnippet },
  { name: "fetch", title: "Node · fetch", write: fetchSnippet },
];

/** Names and titles, in order. */
export const SNIPPET_KINDS = SNIPPETS.map(({ name, title }) => ({ name, title }));

/** The file name to check or run a snippet under. @type {Record<string, string>} */
export const SNIPPET_FILES = { curl: "request.sh", httpx: "request.py", client: "request.py", fetch: "request.mjs" };

/** @param {string} name of SNIPPET_KINDS @param {SnippetRequest} request */
export function snippetOf(name, request) {
  const kind = SNIPPETS.find((each) => each.name === name) ?? SNIPPETS[0];
  const whole = { ...request, body: request.body.toWellFormed(), url: new URL(request.url).href };
  const code = kind.write(whole, headersOf(whole, kind.name === "client"));
  // A key that someone wrote into the body or the address must not leave the page either.
  return request.key.length >= 6 ? code.replaceAll(request.key, "YOUR_KEY") : code;
}

/** @param {SnippetRequest} request @param {boolean} byClient what the official client adds by itself is left out */
function headersOf({ format, headers, variable, key }, byClient) {
  /** @type {SnippetHeader[]} */
  const all = [];
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const add = (/** @type {string} */ name, value = "", prefix = "", from = "") => {
    if (!own.has(name)) all.push({ name, value, prefix, variable: from });
  };
  if (!byClient) {
    add("content-type", "application/json");
    if (format === "messages") add("anthropic-version", "2023-06-01");
    if (variable && format === "messages") add("x-api-key", "", "", variable);
    else if (variable) add("authorization", "", "Bearer ", variable);
  }
  for (const [name, value] of headers) {
    const secret = SECRET_HEADER.test(name) || (key !== "" && value.includes(key));
    const [prefix] = /^(?:Bearer|Basic|Token) /i.exec(value) ?? [""];
    if (secret) all.push({ name, value: "", prefix, variable: variable || "API_KEY" });
    else all.push({ name, value: value.toWellFormed(), prefix: "", variable: "" });
  }
  return all;
}

/** @param {SnippetRequest} request @param {SnippetHeader[]} headers */
function curlSnippet({ url, body }, headers) {
  const lines = [`curl --no-buffer --globoff ${inShell(url)}`];
  for (const { name, prefix, variable, value } of headers) {
    if (variable && /^[\w-]+$/.test(name)) lines.push(`  -H "${name}: ${prefix}$${variable}"`);
    else if (variable) lines.push(`  -H ${inShell(`${name}: ${prefix}`)}"$${variable}"`);
    else lines.push(`  -H ${inShell(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (new TextEncoder().encode(body).length <= LONGEST_ARGUMENT) {
    return `${[...lines, `  --data-raw ${inShell(body)}`].join(" \\\n")}\n`;
  }
  const bodyLines = new Set(body.split("\n"));
  let end = "BODY";
  while (bodyLines.has(end)) end += "_";
  return `${[...lines, "  --data-binary @-"].join(" \\\n")} <<'${end}'\n${body}\n${end}\n`;
}

/** @param {SnippetRequest} request @param {SnippetHeader[]} headers */
function httpxSnippet({ url, body }, headers) {
  const rows = headers.map(({ name, prefix, variable, value }) => {
    if (!variable) return `    ${inPython(name)}: ${inPython(value)},`;
    const secret = `os.environ[${inPython(variable)}]`;
    return `    ${inPython(name)}: ${prefix ? `${inPython(prefix)} + ${secret}` : secret},`;
  });
  const imports = headers.some(({ variable }) => variable) ? ["import os", "import sys"] : ["import sys"];
  return `${imports.join("\n")}

import httpx

headers = {
${rows.join("\n")}
}
body = ${pythonText(body)}

with httpx.stream("POST", ${inPython(url)}, headers=headers, content=body.encode(), timeout=None) as response:
    for read in response.iter_bytes():
        sys.stdout.buffer.write(read)
        sys.stdout.buffer.flush()
`;
}

/** @param {SnippetRequest} request @param {SnippetHeader[]} headers */
function fetchSnippet({ url, body }, headers) {
  const rows = headers.map(({ name, prefix, variable, value }) => {
    const written = variable ? `\`${prefix}\${process.env.${variable}}\`` : inJavaScript(value);
    return `    ${inJavaScript(name)}: ${written},`;
  });
  return `const response = await fetch(${inJavaScript(url)}, {
  method: "POST",
  headers: {
${rows.join("\n")}
  },
  body: ${scriptText(body)},
});

for await (const read of response.body) process.stdout.write(read);
`;
}

/** A text over several lines where Python can read it back as it is. @param {string} text */
function pythonText(text) {
  const plain = !text.includes("'''") && !text.includes("\r") && !/\\$|'$/.test(text);
  return plain ? `r'''${text}'''` : inPython(text);
}

/** @param {string} text */
function scriptText(text) {
  const plain = !/[`\r]|\$\{|\\$/.test(text);
  return plain ? `String.raw\`${text}\`` : inJavaScript(text);
}
