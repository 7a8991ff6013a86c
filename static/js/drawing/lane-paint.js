/**
 * Paints what is lit in Said and in the head of a lane: pieces of text by the CSS Custom Highlight API, so that nothing
 * of the page changes, all else by a class. Used by lane-light.js.
 */

import { elementsShowing, spotAt } from "./spots.js";

/** @typedef {import("../model/links.js").Spot} Spot */

const LIT = "lit";

/** One highlight for the whole page, undefined where the browser knows none. */
function litHighlight() {
  if (!("highlights" in CSS)) return undefined;
  let highlight = CSS.highlights.get(LIT);
  if (!highlight) CSS.highlights.set(LIT, (highlight = new Highlight()));
  return highlight;
}

export class LanePaint {
  constructor() {
    /** @type {Range[]} */
    this.ranges = [];
    /** @type {HTMLElement[]} */
    this.elements = [];
  }

  clear() {
    const highlight = litHighlight();
    for (const range of this.ranges) highlight?.delete(range);
    for (const element of this.elements) element.classList.remove(LIT);
    this.ranges = [];
    this.elements = [];
  }

  /**
   * Light a spot; its part's word where nothing on the page shows it.
   * @param {Spot} spot
   * @param {import("../model/growth.js").Growth | null} growth the text it is of, null for the one that stands
   */
  light(spot, growth) {
    let found = false;
    for (const element of elementsShowing(spot)) {
      if (!element.checkVisibility()) continue;
      const text = spotAt(element)?.text;
      if (text && growth && text.growth !== growth) continue;
      const range = text && litHighlight() ? text.rangeOf(spot.from ?? 0, spot.to ?? Infinity) : null;
      if (range) this.#lightRange(range);
      else if (text && spot.to === spot.from && spot.to !== undefined) continue;
      else this.#lightElement(element);
      found = true;
    }
    if (!found && spot.field !== "") this.light({ part: spot.part, field: "" }, null);
  }

  /** Light a part with all of its text. @param {import("../model/transcript.js").Part} part */
  lightWhole(part) {
    this.light({ part, field: "" }, null);
    for (const field of part.grown.keys()) this.light({ part, field }, null);
  }

  /** @param {Range} range */
  #lightRange(range) {
    litHighlight()?.add(range);
    this.ranges.push(range);
  }

  /** @param {HTMLElement} element */
  #lightElement(element) {
    element.classList.add(LIT);
    this.elements.push(element);
  }

  /** What is lit first in a box. @param {HTMLElement} box @returns {Range | HTMLElement | null} */
  firstIn(box) {
    const range = this.ranges.find((each) => box.contains(each.startContainer));
    return range ?? this.elements.find((element) => box.contains(element)) ?? null;
  }
}
