/**
 * Keeps a scroller at its end while the reader is there, and never moves it otherwise. Used by the Said pane.
 */

import { RecentEnd } from "../model/recent-end.js";

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
    /** The next scroll is not the reader's. */
    this.brought = false;
    this.end = new RecentEnd();
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

  /**
   * Have something of the content in sight, whoever follows the end or not.
   * @param {Range | HTMLElement} what
   */
  bring(what) {
    const { scroller } = this;
    const block = what instanceof Range ? what.startContainer.parentElement : what;
    for (const each of [block, what]) {
      const box = each instanceof Range ? (each.getClientRects()[0] ?? null) : (each?.getBoundingClientRect() ?? null);
      const view = scroller.getBoundingClientRect();
      if (!box || (box.top >= view.top && Math.min(box.bottom, box.top + view.height) <= view.bottom)) continue;
      this.following = false;
      scroller.scrollTop += box.top - view.top - view.height / 3;
    }
    if (scroller.scrollTop !== this.before) this.brought = true;
    this.before = scroller.scrollTop;
  }

  /** Go to the end, if the reader is there. Runs between layout and paint, so nothing flickers. */
  pin() {
    const { scroller } = this;
    this.end.note(performance.now(), scroller.scrollHeight - scroller.clientHeight);
    if (!this.following) return;
    scroller.scrollTop = scroller.scrollHeight;
    this.before = scroller.scrollTop;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    if (this.brought) {
      this.brought = false;
      this.before = scrollTop;
      return;
    }
    const clamped = scrollHeight - clientHeight - scrollTop < 1;
    if (scrollTop < this.before && !clamped) this.following = false;
    else if (this.end.reached(scrollTop)) this.following = true;
    this.before = scrollTop;
    this.pin();
  }
}
