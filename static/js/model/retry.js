/** When to ask again what a server did not answer: each pause is twice the one before. Used by library-page.js. */

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

export class Retry {
  /** @param {() => number} clock milliseconds that never fall */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
    this.pause = 0;
    this.until = -Infinity;
  }

  /** Whether it may be asked now. */
  get ready() {
    return this.clock() >= this.until;
  }

  /** It was not answered. @returns {number} milliseconds until it may be asked again */
  failed() {
    this.pause = Math.min(2 * this.pause || FIRST_PAUSE, LONGEST_PAUSE);
    this.until = this.clock() + this.pause;
    return this.pause;
  }

  /** It was answered, or something else is asked from now on. */
  worked() {
    this.pause = 0;
    this.until = -Infinity;
  }
}
