/**
 * Draws text that grows: a block of the page for each block of the model's text, and only what is new is added to the
 * last one. Blocks out of sight cost no layout. Used by the parts of Said.
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
   * Draw what came since the last time.
   * @param {import("../model/growth.js").Growth | undefined} growth another one than before replaces all
   * @param {boolean} growing more is expected: the caret shows
   */
  update(growth, growing) {
    if (growth !== this.growth) {
      this.element.replaceChildren();
      this.growth = growth;
      this.drawn = 0;
    }
    if (this.element.hasAttribute("data-growing") !== growing) this.element.toggleAttribute("data-growing", growing);
    if (!growth) return;
    const { blocks } = growth;
    if (this.drawn > 0) this.#continue(blocks[this.drawn - 1]);
    if (this.drawn < blocks.length) {
      const fresh = document.createDocumentFragment();
      while (this.drawn < blocks.length) fresh.append(this.#block(blocks[this.drawn++]));
      this.element.append(fresh);
    }
    if (!growing && !this.last.data.isWellFormed()) this.last.data = this.last.data.toWellFormed();
  }

  /** @param {string} text */
  #block(text) {
    this.last = new Text(text);
    return make("div", "", this.last);
  }

  /** The last drawn block has grown, or was cut and goes on in the next. @param {string} text */
  #continue(text) {
    const drawn = this.last.length;
    if (text.length > drawn) this.last.appendData(text.slice(drawn));
    else if (text.length < drawn) this.last.data = text;
  }
}
