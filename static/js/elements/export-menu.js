/**
 * <export-menu>: a button in the session's bar, and the list of files that the session can be taken away as. The page
 * sets `kinds`, which the server tells, and for each session `session` and `address`, below which the files are.
 */

import { make, makeButton, reveal } from "../drawing/dom.js";

/**
 * @typedef {{name: string, title: string, purpose: string, suffix: string, one_lane: boolean}} ExportKind `one_lane`:
 *   of several lanes it is a .zip, a file a lane
 */

/** Pixels between the list and the edge of the window. */
const MENU_EDGE = 8;
/** Where an arrow or another key leads from a place in a list of so many. @type {Record<string, (place: number, count: number) => number>} */
const MENU_MOVES = {
  ArrowDown: (place, count) => (place + 1) % count,
  ArrowUp: (place, count) => (place + count - 1) % count,
  Home: () => 0,
  End: (_place, count) => count - 1,
};

export class ExportMenu extends HTMLElement {
  /** @type {ExportKind[]} */
  kinds = [];
  /** @type {import("../model/session.js").SessionModel | null} */
  session = null;
  address = "";
  #button = makeButton("plain", "export", () => {});
  #note = make("p", "export-note", "It still streams: a file has what came so far.");
  #files = make("ul", "export-files");
  #list = make("div", "export-list", this.#note, this.#files);

  connectedCallback() {
    if (this.firstChild) return;
    this.#list.popover = "auto";
    this.#list.id = "export-list";
    this.#button.setAttribute("aria-expanded", "false");
    this.#button.setAttribute("aria-controls", this.#list.id);
    this.#button.popoverTargetElement = this.#list;
    this.#list.setAttribute("role", "group");
    this.#list.setAttribute("aria-label", "Export this session as");
    this.#list.addEventListener("beforetoggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#draw();
    });
    this.#list.addEventListener("toggle", (event) => this.#toggled(/** @type {ToggleEvent} */ (event).newState === "open"));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#files.addEventListener("click", (event) => event.target instanceof Element && event.target.closest("a") && this.#list.hidePopover());
    this.append(this.#button, this.#list);
  }

  #draw() {
    const several = (this.session?.lanes.length ?? 0) > 1;
    reveal(this.#note, this.session?.running ?? false);
    this.#files.replaceChildren(...this.kinds.map((kind) => {
      const zipped = kind.one_lane && several;
      const file = make("a", "export-file",
        make("span", "export-title", kind.title),
        make("span", "export-suffix", zipped ? `${kind.suffix}.zip` : kind.suffix),
        make("span", "export-purpose", zipped ? `${kind.purpose} A file a lane.` : kind.purpose));
      file.href = `${this.address}/export/${kind.name}`;
      file.download = "";
      // A popover that opens gives the focus to what asks for it.
      file.autofocus = kind === this.kinds[0];
      return make("li", "", file);
    }));
    const { bottom, right } = this.#button.getBoundingClientRect();
    const style = this.#list.style;
    style.setProperty("top", `${bottom + 4}px`);
    style.setProperty("right", `${Math.max(MENU_EDGE, document.documentElement.clientWidth - right)}px`);
    style.setProperty("max-height", `${Math.max(160, innerHeight - bottom - 4 - MENU_EDGE)}px`);
  }

  /** @param {boolean} open */
  #toggled(open) {
    this.#button.setAttribute("aria-expanded", String(open));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const files = [...this.#files.querySelectorAll("a")];
    const place = files.findIndex((file) => file === document.activeElement);
    const move = MENU_MOVES[event.key];
    if (!move || files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    files[move(place, files.length)].focus();
  }
}

customElements.define("export-menu", ExportMenu);
