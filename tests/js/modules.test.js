import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPTS = join(ROOT, "static/js");
const IMPORT = /^import\s[^;]*?["'](.+?)["'];$|^import\s+["'](.+?)["'];$/gms;

/** The modules of the page, by their path below static/js. theme.js is a classic script. @type {Map<string, string>} */
const modules = new Map(
  readdirSync(SCRIPTS, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js") && path !== "theme.js")
    .sort()
    .map((path) => [path, readFileSync(join(SCRIPTS, path), "utf8")]),
);

/** @param {string} path */
function importsOf(path) {
  return [...(modules.get(path) ?? "").matchAll(IMPORT)].map((match) => normalize(join(dirname(path), match[1] ?? match[2])));
}

/** @param {string} source @param {RegExp} pattern */
function allOf(source, pattern) {
  return [...source.matchAll(pattern)].map((match) => match[1]);
}

test("the page preloads every module and links every style sheet, each once", () => {
  const templates = ["base.html", "play_assets.html"].map((name) => readFileSync(join(ROOT, "templates", name), "utf8")).join("");
  const preloaded = allOf(templates, /rel="modulepreload" href="\{% static 'js\/(.+?)' %\}"/g);
  assert.deepEqual(preloaded.sort(), [...modules.keys()].filter((path) => path !== "main.js"));
  const linked = allOf(templates, /rel="stylesheet" href="\{% static 'css\/(.+?)' %\}"/g);
  assert.deepEqual(linked.sort(), readdirSync(join(ROOT, "static/css")).sort());
  assert.match(templates, /<link rel="stylesheet" href="\{% static 'css\/tokens\.css'/);
});

test("no two modules have a top-level name in common: an export joins them into one", () => {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const [path, source] of modules) {
    const names = allOf(source, /^(?:export )?(?:async )?(?:const|let|var|function\*?|class) ([\w$]+)/gm);
    for (const name of names) {
      assert.equal(owners.get(name), undefined, `${name} is in ${path} and in ${owners.get(name)}`);
      owners.set(name, path);
    }
  }
});

test("imports and exports are named, under their own names", () => {
  for (const [path, source] of modules) {
    assert.ok(!/^export (?:default|\*|\{)|^import \*|^import \w+ from|^import \{[^}]*\bas\b/m.test(source), path);
  }
});

test("imports look one way, without a circle: main, elements and sources, drawing, model", () => {
  const rooms = ["model", "drawing", "elements", "sources", "."];
  const may = { model: ["model"], drawing: ["drawing", "model"], elements: ["drawing", "model"], sources: ["model", "sources"], ".": rooms };
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} path @param {string[]} above */
  const walk = (path, above) => {
    assert.ok(!above.includes(path), `a circle: ${[...above, path].join(" > ")}`);
    assert.ok(modules.has(path), `${above.at(-1)} imports ${path}`);
    if (done.has(path)) return;
    for (const imported of importsOf(path)) {
      const room = /** @type {keyof typeof may} */ (dirname(path));
      assert.ok(may[room].includes(dirname(imported)), `${path} imports ${imported}`);
      walk(imported, [...above, path]);
    }
    done.add(path);
  };
  for (const path of modules.keys()) walk(path, []);
});

test("nothing writes markup, and the model knows no page", () => {
  for (const [path, source] of modules) {
    assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|setAttribute\("style"|\beval\(/.test(source), path);
    if (path.startsWith("model/")) assert.ok(!/createElement|querySelector|getElementById/.test(source), path);
  }
});
