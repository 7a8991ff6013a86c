/**
 * One beat for the whole page: what came is folded, then drawn, then scrolled, all in the same animation frame. Used by
 * session.js (fold) and by elements (draw, settle). A page that nobody sees is drawn four times a second.
 */

const HIDDEN_BEAT = 250;

/** @typedef {() => void} Chore */

/** Chores of the three phases, each once. @type {Set<Chore>[]} */
const phases = [new Set(), new Set(), new Set()];
let requested = false;
let waiting = 0;

function beat() {
  requested = false;
  clearTimeout(waiting);
  for (const phase of phases) {
    const chores = [...phase];
    phase.clear();
    for (const chore of chores) chore();
  }
  if (phases.some((phase) => phase.size > 0)) request();
}

function request() {
  if (requested) return;
  requested = true;
  const page = globalThis.document;
  if (page && !page.hidden) requestAnimationFrame(beat);
  else waiting = Number(setTimeout(beat, page ? HIDDEN_BEAT : 0));
}

/** A frame that was asked for comes no more once the page is hidden. */
globalThis.document?.addEventListener("visibilitychange", () => {
  if (requested && document.hidden) waiting = Number(setTimeout(beat, HIDDEN_BEAT));
});

/** Fold something before the next frame is drawn. @param {Chore} chore */
export function foldNext(chore) {
  phases[0].add(chore);
  request();
}

/** Draw something in the next frame; in this one when it is asked for while folding. @param {Chore} chore */
export function drawNext(chore) {
  phases[1].add(chore);
  request();
}

/** Read or set scroll positions once all is drawn. @param {Chore} chore */
export function settleNext(chore) {
  phases[2].add(chore);
  request();
}
