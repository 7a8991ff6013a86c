/**
 * Draws text that grows: a block of the page for each block of the model's text, and only what is new is added to the
 * last one; where less of it is to be shown, what is too much is taken away. Blocks out of sight cost no layout. Used by
 * the parts of Said.
 *
 * @typedef {{growth: import("../model/growth.js").Growth, length: number}} Grown a text, as long as it is to be shown
 */

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
