/**
 * Draws text that grows: a block of the page for each block of the model's text, and only what is new is added to the
 * last one; where less of it is to be shown, what is too much is taken away. Blocks out of sight cost no layout. Used by
 * the parts of Said.
 *
 * @typedef {{growth: import("../model/growth.js").Growth, length: number}} Grown a text, as long as it is to be shown
 */

import { wholePairs } from "../model/words.js";
import { make } from "./dom.js";

export class GrownText {
  /** @param {string} className */
  constructor(className) {
    this.element = make("div", `grown ${className}`);
    /** @type {import("../model/growth.js").Growth | undefined} */
    this.growth = undefined;
    /** Drawn blocks: how many, and the text node of the last. */
    this.drawn = 0;
    this.last = new Text();
  }

  /**
   * Draw what has changed since the last time.
   * @param {Grown | undefined} grown another growth than before replaces all
   * @param {boolean} growing more is expected: the caret shows
   */
  update(grown, growing) {
    if (grown?.growth !== this.growth) {
      this.element.replaceChildren();
      this.growth = grown?.growth;
      this.drawn = 0;
    }
    if (this.element.hasAttribute("data-growing") !== growing) this.element.toggleAttribute("data-growing", growing);
    if (!grown) return;
    const { blocks, starts } = grown.growth;
    const wanted = grown.growth.blockAt(grown.length - 1) + 1;
    this.#shorten(wanted);
    const rest = grown.length - starts[wanted - 1];
    const final = blocks[wanted - 1].length > rest ? blocks[wanted - 1].slice(0, rest) : blocks[wanted - 1];
    if (this.drawn > 0) this.#continue(this.drawn === wanted ? final : blocks[this.drawn - 1]);
    if (this.drawn < wanted) {
      const fresh = document.createDocumentFragment();
      while (this.drawn < wanted) fresh.append(this.#block(++this.drawn === wanted ? final : blocks[this.drawn - 1]));
      this.element.append(fresh);
    }
    if (!growing && !this.last.data.isWellFormed()) this.last.data = this.last.data.toWellFormed();
  }

  /** UTF-16 units that are drawn. */
  get length() {
    return this.growth && this.drawn > 0 ? this.growth.starts[this.drawn - 1] + this.last.length : 0;
  }

  /**
   * The unit that stands at a place of the page, -1 when none of its text is there.
   * @param {Node} node
   * @param {number} offset
   */
  placeOf(node, offset) {
    const block = node.parentElement;
    if (!(node instanceof Text) || block?.parentElement !== this.element || !this.growth) return -1;
    return this.growth.starts[[...this.element.children].indexOf(block)] + offset;
  }

  /**
   * The units that lie in a range of the page.
   * @param {Range} range
   */
  unitsIn(range) {
    const { startContainer, startOffset, endContainer, endOffset } = range;
    const from = this.element.contains(startContainer) ? this.#unitsBefore(startContainer, startOffset) : 0;
    const to = this.element.contains(endContainer) ? this.#unitsBefore(endContainer, endOffset) : this.length;
    return { from, to };
  }

  /** @param {Node} node @param {number} offset */
  #unitsBefore(node, offset) {
    const place = this.placeOf(node, offset);
    if (place >= 0) return place;
    const before = document.createRange();
    before.setStart(this.element, 0);
    before.setEnd(node, offset);
    return before.toString().length;
  }

  /**
   * The range of the page that shows some units, as far as they are drawn; null when none are. It tears no character.
   * @param {number} from
   * @param {number} to
   */
  rangeOf(from, to) {
    const { growth } = this;
    const end = Math.min(to, this.length);
    if (!growth || from >= end) return null;
    const units = wholePairs(growth, from, end);
    const range = document.createRange();
    range.setStart(...this.#point(units.from));
    range.setEnd(...this.#point(Math.min(units.to, this.length)));
    return range;
  }

  /** @param {number} unit @returns {[node: Text, offset: number]} */
  #point(unit) {
    const starts = this.growth?.starts ?? [0];
    const block = Math.min(this.growth?.blockAt(unit) ?? 0, this.drawn - 1);
    return [/** @type {Text} */ (this.element.children[block].firstChild), unit - starts[block]];
  }

  /** Take away blocks behind the last one that is wanted. @param {number} wanted */
  #shorten(wanted) {
    if (this.drawn <= wanted) return;
    while (this.drawn > wanted) {
      this.element.lastChild?.remove();
      this.drawn--;
    }
    this.last = /** @type {Text} */ (this.element.lastChild?.firstChild);
  }

  /** @param {string} text */
  #block(text) {
    this.last = new Text(text);
    return make("div", "", this.last);
  }

  /** The last drawn block has grown, was cut, or ended in a half of a character that has found its other. @param {string} text */
  #continue(text) {
    const { data } = this.last;
    if (data === text) return;
    if (text.length > data.length && text.startsWith(data)) this.last.appendData(text.slice(data.length));
    else this.last.data = text;
  }
}
