/**
 * Keeps a scroller at its end while the reader is there, and never moves it otherwise. Used by the Said pane.
 */

/** Pixels from the end that still count as the end. */
const NEAR = 6;

export class Follow {
  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} content its only child
   */
  constructor(scroller, content) {
    this.scroller = scroller;
    this.content = content;
    this.following = true;
    this.before = 0;
    this.resized = new ResizeObserver(() => this.pin());
    this.onScroll = () => this.#scrolled();
  }

  connect() {
    this.resized.observe(this.content);
    this.resized.observe(this.scroller);
    this.scroller.addEventListener("scroll", this.onScroll, { passive: true });
  }

  disconnect() {
    this.resized.disconnect();
    this.scroller.removeEventListener("scroll", this.onScroll);
  }

  /** Go to the end, if the reader is there. Runs between layout and paint, so nothing flickers. */
  pin() {
    if (this.following) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    if (scrollHeight - scrollTop - clientHeight <= NEAR) this.following = true;
    else if (scrollTop < this.before) this.following = false;
    this.before = scrollTop;
  }
}
