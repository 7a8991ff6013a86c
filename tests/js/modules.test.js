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

/** The pages: what stands first, and what lists the rest. @type {[entry: string, assets: string][]} */
const PAGES = [["main.js", "play_assets.html"], ["gateway-page.js", "gateway_assets.html"], ["rules-page.js", "rules_assets.html"], ["library-page.js", "library_assets.html"], ["share-page.js", "share_assets.html"]];

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

test("a page preloads every module that it stands on and links its style sheets, each once; none is left over", () => {
  /** A template with those that it includes. @type {(name: string) => string} */
  const read = (name) => readFileSync(join(ROOT, "templates", name), "utf8").replace(/\{% include "(.+?)" %\}/g, (_, other) => read(other));
  const used = new Set([TYPES_ALONE, EXPORTED, LOADER, ...reachedFrom(EXPORTED), ...PAGES.map(([entry]) => entry)]);
  const styles = new Set();
  for (const [entry, assets] of PAGES) {
    const templates = read("base.html") + read(assets);
    const preloaded = allOf(templates, /rel="modulepreload" href="\{% static 'js\/(.+?)' %\}"/g);
    assert.deepEqual(preloaded.sort(), [...reachedFrom(entry)].sort(), assets);
    assert.ok(templates.includes(`<script type="module" src="{% static 'js/${entry}' %}">`), assets);
    for (const path of preloaded) used.add(path);
    const linked = allOf(templates, /rel="stylesheet" href="\{% static 'css\/(.+?)' %\}"/g);
    assert.equal(new Set(linked).size, linked.length, assets);
    for (const path of linked) styles.add(path);
    assert.match(templates, /<link rel="stylesheet" href="\{% static 'css\/tokens\.css'/);
  }
  assert.deepEqual([...used].sort(), [...modules.keys()]);
  assert.deepEqual([...styles].sort(), readdirSync(join(ROOT, "static/css")).sort());
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
