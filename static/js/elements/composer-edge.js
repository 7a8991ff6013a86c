/**
 * <composer-edge>: the line between composer and stage, moved by pointer or arrow keys; a double click puts it back.
 * Sets --composer, the width of the composer in pixels, on its parent and keeps it.
 */

const NARROWEST = 280;
const USUAL_WIDTH = 336;
const WIDEST = 760;
const EDGE_STEP = 16;
const EDGE_KEPT = "composer.width";

export class ComposerEdge extends HTMLElement {
  width = USUAL_WIDTH;

  connectedCallback() {
    this.tabIndex = 0;
    this.setAttribute("role", "separator");
    this.setAttribute("aria-orientation", "vertical");
    this.setAttribute("aria-label", "Width of the request");
    this.setAttribute("aria-valuemin", String(NARROWEST));
    this.setAttribute("aria-valuemax", String(WIDEST));
    this.addEventListener("pointerdown", this.#grasped);
    this.addEventListener("pointermove", this.#moved);
    this.addEventListener("keydown", this.#pressed);
    this.addEventListener("dblclick", this.#restored);
    this.#show(Number(localStorage.getItem(EDGE_KEPT)) || USUAL_WIDTH);
  }

  #restored = () => this.#show(USUAL_WIDTH);

  /** @param {PointerEvent} event */
  #grasped = (event) => {
    event.preventDefault();
    this.setPointerCapture(event.pointerId);
    this.focus({ preventScroll: true });
  };

  /** @param {PointerEvent} event */
  #moved = ({ pointerId, clientX }) => {
    if (this.hasPointerCapture(pointerId)) this.#show(clientX - (this.parentElement?.getBoundingClientRect().left ?? 0));
  };

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    const { width } = this;
    /** @type {Record<string, number>} */
    const widths = { ArrowLeft: width - EDGE_STEP, ArrowRight: width + EDGE_STEP, Home: NARROWEST, End: WIDEST };
    if (!(event.key in widths)) return;
    event.preventDefault();
    this.#show(widths[event.key]);
  };

  /** @param {number} width */
  #show(width) {
    this.width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
    this.setAttribute("aria-valuenow", String(this.width));
    this.parentElement?.style.setProperty("--composer", `${this.width}px`);
    if (this.width === USUAL_WIDTH) localStorage.removeItem(EDGE_KEPT);
    else localStorage.setItem(EDGE_KEPT, String(this.width));
  }
}

customElements.define("composer-edge", ComposerEdge);
