import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPTS = join(ROOT, "static/js");
const STYLES = join(ROOT, "static/css");
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

/** The modules of the pages, with all that they stand on. */
const PAGES = ["main.js", "gateway-page.js", "rules-page.js", "library-page.js", "share-page.js"];

/** What other modules take types from, and tests its lists: no page runs it. */
const TYPES_ALONE = "model/messages.js";

/** What an exported page begins with; playground/recordings/exporting joins it with all that it stands on. */
const EXPORTED = "exported.js";

/** What an exported page runs first: it takes the joined module out of its block. */
const LOADER = "unpack.js";

/** All modules that one stands on. @param {string} path @param {Set<string>} found */
function reachedFrom(path, found = new Set()) {
  for (const imported of importsOf(path)) if (!found.has(imported)) reachedFrom(imported, found.add(imported));
  return found;
}

test("every page names its module and its sheet; no module and no sheet is left over", () => {
  const templates = readdirSync(join(ROOT, "templates")).map((name) => readFileSync(join(ROOT, "templates", name), "utf8")).join("");
  assert.deepEqual(allOf(templates, /\{% module "(.+?)" %\}/g).map((name) => `${name}.js`).sort(), [...PAGES].sort());
  const used = new Set([TYPES_ALONE, LOADER]);
  for (const entry of [EXPORTED, ...PAGES]) for (const path of [entry, ...reachedFrom(entry)]) used.add(path);
  assert.deepEqual([...used].sort(), [...modules.keys()]);
  const sheets = readdirSync(STYLES, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
  const reached = new Set(allOf(templates, /\{% sheet "(.+?)" %\}/g).map((name) => join("pages", `${name}.css`)));
  for (const path of reached) {
    const imported = allOf(readFileSync(join(STYLES, path), "utf8"), /^@import "(.+?)";$/gm);
    assert.equal(new Set(imported).size, imported.length, path);
    for (const other of imported) reached.add(normalize(join(dirname(path), other)));
  }
  assert.deepEqual([...reached].sort(), sheets.sort());
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
