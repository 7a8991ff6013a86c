/** Any text as a literal of a shell, of Python, of JavaScript. Used by the snippets. */

/** @param {string} text without NUL */
export function inShell(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A string of JSON is a string of Python too. @param {string} text */
export function inPython(text) {
  return JSON.stringify(text);
}

/** @param {string} text */
export function inJavaScript(text) {
  return JSON.stringify(text);
}
