/**
 * Walking a JSON tree by keyboard: one stop of the Tab key, arrows from line to line. Says which line is pointed at or
 * has the focus. Used by the open row.
 *
 * @typedef {{path: string, value: string}} TreeField the path of a line, and the value of a `type`, else ""
 */

export class TreeWalk {
  /**
   * @param {HTMLElement} box what the tree is put into; its lines have a `data-path`
   * @param {(field: TreeField | null) => void} tell
   */
  constructor(box, tell) {
    this.box = box;
    this.tell = tell;
    /** The id of the element that says what a line is for. */
    this.describedBy = "";
    box.addEventListener("pointerover", (event) => this.#pointed(event.target));
    box.addEventListener("pointerleave", () => this.#pointed(document.activeElement));
    box.addEventListener("focusin", (event) => this.#focused(event.target));
    box.addEventListener("focusout", () => tell(null));
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The lines in sight. @returns {HTMLElement[]} */
  get lines() {
    return [...this.box.querySelectorAll("[data-path]")].map((line) => /** @type {HTMLElement} */ (line));
  }

  /** Another tree is in the box: its first line is the stop. */
  begin() {
    for (const [place, line] of this.lines.entries()) line.tabIndex = place === 0 ? 0 : -1;
  }

  /** @param {EventTarget | null} target */
  #lineOf(target) {
    const line = target instanceof Element && this.box.contains(target) ? target.closest("[data-path]") : null;
    return /** @type {HTMLElement | null} */ (line);
  }

  /** @param {EventTarget | null} target */
  #pointed(target) {
    const line = this.#lineOf(target);
    this.tell(line && { path: line.dataset.path ?? "", value: line.dataset.value ?? "" });
  }

  /** @param {EventTarget | null} target */
  #focused(target) {
    const line = this.#lineOf(target);
    if (!line) return;
    for (const other of this.lines) other.tabIndex = other === line ? 0 : -1;
    line.setAttribute("aria-describedby", this.describedBy);
    this.#pointed(line);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const line = this.#lineOf(event.target);
    if (!line || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { lines } = this;
    const place = lines.indexOf(line);
    const open = line.getAttribute("aria-expanded");
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => lines[place + 1]?.focus(),
      ArrowUp: () => lines[place - 1]?.focus(),
      Home: () => lines[0].focus(),
      End: () => lines[lines.length - 1].focus(),
      ArrowRight: () => (open === "false" ? line.click() : lines[place + 1]?.focus()),
      ArrowLeft: () => (open === "true" ? line.click() : this.#above(line)?.focus()),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  /** The line of the collection that a line is in. @param {HTMLElement} line */
  #above(line) {
    const own = line.closest(".tree-entries")?.closest(".tree-branch");
    return /** @type {HTMLElement | null} */ (own?.querySelector("[data-path]") ?? null);
  }
}
