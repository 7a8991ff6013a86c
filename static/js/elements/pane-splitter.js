/**
 * <pane-splitter>: the line between two panes, moved by pointer or arrow keys. Dispatches "split" with the share of
 * the first pane, 0.15 to 0.85. Lies along whichever way its parent's flex box runs.
 */

const LEAST = 0.15;
const MOST = 0.85;
const NUDGE = 0.02;

export class PaneSplitter extends HTMLElement {
  constructor() {
    super();
    this.share = 0.5;
    this.resized = new ResizeObserver(() => this.#orient());
    this.onMove = (/** @type {PointerEvent} */ event) => this.#follow(event);
  }

  connectedCallback() {
    this.tabIndex = 0;
    this.setAttribute("role", "separator");
    this.setAttribute("aria-label", "Share of Said and Wire");
    this.setAttribute("aria-valuemin", String(LEAST * 100));
    this.setAttribute("aria-valuemax", String(MOST * 100));
    this.show(this.share);
    this.addEventListener("pointerdown", this);
    this.addEventListener("lostpointercapture", this);
    this.addEventListener("keydown", this);
    this.addEventListener("dblclick", this);
    this.resized.observe(this);
  }

  disconnectedCallback() {
    this.resized.disconnect();
    this.removeEventListener("pointerdown", this);
    this.removeEventListener("lostpointercapture", this);
    this.removeEventListener("keydown", this);
    this.removeEventListener("dblclick", this);
  }

  /** Say where the line stands. @param {number} share */
  show(share) {
    this.share = share;
    this.setAttribute("aria-valuenow", String(Math.round(share * 100)));
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === "pointerdown") {
      this.setPointerCapture(/** @type {PointerEvent} */ (event).pointerId);
      this.addEventListener("pointermove", this.onMove);
      event.preventDefault();
      this.focus({ preventScroll: true });
    } else if (event.type === "lostpointercapture") {
      this.removeEventListener("pointermove", this.onMove);
    } else if (event.type === "dblclick") {
      this.#split(0.5);
    } else {
      this.#key(/** @type {KeyboardEvent} */ (event));
    }
  }

  get #sideBySide() {
    return this.parentElement !== null && getComputedStyle(this.parentElement).flexDirection === "row";
  }

  #orient() {
    this.setAttribute("aria-orientation", this.#sideBySide ? "vertical" : "horizontal");
  }

  /** @param {PointerEvent} event */
  #follow(event) {
    const box = this.parentElement?.getBoundingClientRect();
    if (!box) return;
    const sideBySide = this.#sideBySide;
    this.#split(sideBySide ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [less, more] = this.#sideBySide ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    /** @type {Record<string, number>} */
    const shares = { [less]: this.share - NUDGE, [more]: this.share + NUDGE, Home: LEAST, End: MOST };
    if (!(event.key in shares)) return;
    event.preventDefault();
    this.#split(shares[event.key]);
  }

  /** @param {number} share */
  #split(share) {
    this.show(Math.min(MOST, Math.max(LEAST, share)));
    this.dispatchEvent(new CustomEvent("split", { detail: this.share, bubbles: true }));
  }
}

customElements.define("pane-splitter", PaneSplitter);
