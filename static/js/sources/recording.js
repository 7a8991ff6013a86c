/**
 * Steps out of the page itself: an exported page carries its session, steps, bytes and media in blocks of its HTML.
 * Called by exported.js; playground/recordings/exporting/page.py writes the blocks.
 */

/** Blocks that wait to be folded at once. */
const BLOCKS_AHEAD = 4;

/** @typedef {{from: number, block: HTMLElement}} BytesBlock */

/**
 * Fill a session with what the page carries, block by block, as the session keeps up.
 * @param {import("../model/session.js").SessionModel} session
 */
export function readBlocks(session) {
  /** @type {HTMLElement[]} */
  const blocks = [...document.querySelectorAll("script.steps")].map((block) => /** @type {HTMLElement} */ (block));
  let given = 0;
  let folded = 0;
  const give = () => {
    const block = blocks[given];
    if (!block) return;
    given += 1;
    const steps = JSON.parse(block.textContent ?? "[]");
    session.push({ type: "steps", lane: Number(block.dataset.lane), frame: given, steps });
    block.remove();
  };
  session.onFolded = () => {
    folded += 1;
    give();
    if (folded === blocks.length) session.setTouch("closed");
  };
  session.push(JSON.parse(document.querySelector("#session")?.textContent ?? "{}"));
  session.markers.set(JSON.parse(document.querySelector("#markers")?.textContent ?? "[]"));
  session.setTouch("open");
  for (let ahead = 0; ahead < BLOCKS_AHEAD; ahead++) give();
}

/**
 * What the stage of an exported page can ask for: bytes and media that the page carries, and no preview.
 * @returns {import("../elements/stream-lane.js").StageLinks}
 */
export function linksInside() {
  /** By lane, in order. @type {Map<number, BytesBlock[]>} */
  const bodies = new Map();
  for (const found of document.querySelectorAll("script.bytes")) {
    const block = /** @type {HTMLElement} */ (found);
    const lane = Number(block.dataset.lane);
    if (!bodies.has(lane)) bodies.set(lane, []);
    bodies.get(lane)?.push({ from: Number(block.dataset.from), block });
  }
  /** Addresses that were made, by lane and part. @type {Map<string, string>} */
  const made = new Map();
  return {
    bytes: async (lane, from, to) => bytesOf(bodies.get(lane) ?? [], from, to),
    media: (lane, part) => {
      const name = `${lane}-${part}`;
      const block = /** @type {HTMLElement | null} */ (document.querySelector(`script.media[data-of="${name}"]`));
      if (!block) return "";
      if (!made.has(name)) {
        made.set(name, URL.createObjectURL(new Blob([decodeBlock(block)], { type: block.dataset.type })));
      }
      return made.get(name) ?? "";
    },
    preview: () => "",
  };
}

/**
 * @param {BytesBlock[]} blocks
 * @param {number} from
 * @param {number} to
 */
function bytesOf(blocks, from, to) {
  const bytes = new Uint8Array(to - from);
  blocks.forEach(({ from: start, block }, index) => {
    if (start >= to || (blocks[index + 1]?.from ?? Infinity) <= from) return;
    const decoded = decodeBlock(block);
    const part = decoded.subarray(Math.max(0, from - start), Math.max(0, to - start));
    bytes.set(part, Math.max(0, start - from));
  });
  return bytes;
}

/** @param {HTMLElement} block */
function decodeBlock(block) {
  const text = atob(block.textContent ?? "");
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}
