/**
 * The loader of an exported page: takes the page's own module out of its block and runs it. The policy of the page has
 * the hash of both, so nothing else would run. playground/recordings/exporting/page.py writes block and policy.
 */

/** @returns {Promise<string>} */
function unpackModule() {
  const packed = atob(document.querySelector("#module")?.textContent ?? "");
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/** @param {string} text */
function runModule(text) {
  // A policy of this name is made once: nobody else can make scripts.
  const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("unpack", {
    createScript: (/** @type {string} */ trusted) => trusted,
  });
  const script = document.createElement("script");
  script.type = "module";
  script.text = policy ? policy.createScript(text) : text;
  document.head.append(script);
}

unpackModule().then(runModule);
