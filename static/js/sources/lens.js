/** A lane as another format, from the server's door of the Lens. Called by main.js and share-page.js. */

/**
 * @param {string} address of the session, without a slash at its end
 * @param {{name: string, title: string}[]} formats that there are
 * @param {string} query what every address is asked with, "" for nothing
 * @returns {import("../model/lens.js").LensLinks}
 */
export function lensBelow(address, formats, query = "") {
  const asked = query === "" ? "" : `?${query}`;
  const door = (/** @type {number} */ lane, /** @type {string} */ format) => `${address}/lanes/${lane}/lens/${format}`;
  return {
    formats,
    file: (lane, format) => `${door(lane, format)}.sse${asked}`,
    read: async (lane, format, take, signal) => {
      const answer = await fetch(door(lane, format) + asked, { signal });
      if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const lines = (rest + piece.value).split("\n");
        rest = lines.pop() ?? "";
        take(lines.map((line) => JSON.parse(line)));
      }
    },
  };
}
