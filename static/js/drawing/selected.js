/**
 * What of Said is selected, as spots. Used by lane-light.js.
 */

import { spotAt } from "./spots.js";

/**
 * @param {HTMLElement} root a lane
 * @returns {import("../model/links.js").Spot[]} none where nothing is selected, or only outside
 */
export function selectedSpots(root) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(root)) return [];
  /** @type {import("../model/links.js").Spot[]} */
  const spots = [];
  for (const element of root.querySelectorAll("[data-spot]")) {
    const shown = spotAt(element);
    if (!shown || shown.field === "" || !range.intersectsNode(element) || !element.checkVisibility()) continue;
    const { part, field, figure, text } = shown;
    const units = text?.unitsIn(range);
    if (!units) spots.push({ part, field, figure });
    else if (units.to > units.from) spots.push({ part, field, ...units });
  }
  return spots;
}
