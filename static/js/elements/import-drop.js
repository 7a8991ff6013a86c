/**
 * <import-drop>: a dialog that brings streams from elsewhere: chosen, pasted, or dropped anywhere on the page; with
 * data-label a button that opens it. The page sets `send`; one import that succeeds sends `imported` with its address.
 */

import { droppedFiles, importsOf, megabytes } from "../drawing/dropped.js";
import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { IMPORT_KINDS } from "../model/import-kinds.js";

/** @typedef {{address: string} | {problem: {code: string, message: string}}} Outcome */
/** @typedef {(files: File[], progress: (sent: number) => void) => {answer: Promise<Outcome>, stop: () => void}} Send */

export class ImportDrop extends HTMLElement {
  constructor() {
    super();
    /** @type {Send | null} */
    this.send = null;
    this.stop = () => {};
    this.stopped = false;
    this.over = (/** @type {DragEvent} */ event) => this.#over(event);
    this.left = (/** @type {DragEvent} */ event) => event.relatedTarget === null && this.zone.classList.remove("over");
    this.drop = (/** @type {DragEvent} */ event) => this.#drop(event);
    this.file = make("input", "import-file");
    this.file.type = "file";
    this.file.multiple = true;
    this.file.hidden = true;
    this.file.addEventListener("change", () => this.take([...(this.file.files ?? [])]));
    this.choose = makeButton("chip", "Choose files…", () => this.file.click());
    this.zone = make("div", "import-zone", make("p", "", "Drop files anywhere on the page, or"), this.choose, this.file);
    this.text = make("textarea", "import-text");
    this.text.rows = 5;
    this.text.spellcheck = false;
    this.text.placeholder = "data: {…}";
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#paste(event);
    });
    this.pasted = makeButton("chip", "Import the text", () => this.#paste());
    this.bar = make("progress", "import-bar");
    this.bar.setAttribute("aria-label", "Import");
    this.figure = make("span", "import-figure");
    this.halt = makeButton("chip", "Stop", () => this.#halt());
    this.work = make("div", "import-work", this.bar, this.figure, this.halt);
    this.outcomes = make("div", "import-outcomes");
    this.outcomes.setAttribute("role", "status");
  }

  connectedCallback() {
    window.addEventListener("dragover", this.over);
    window.addEventListener("dragleave", this.left);
    window.addEventListener("drop", this.drop);
    if (this.dialog) return;
    const title = make("h2", "", "Import a stream");
    title.id = "import-title";
    const close = makeButton("plain icon", "×", () => this.dialog?.close());
    close.setAttribute("aria-label", "Close");
    const label = make("label", "label", "Or paste a body, what curl printed, or lines of JSON");
    label.htmlFor = this.text.id = "import-text";
    const kinds = make("dl", "import-kinds", ...IMPORT_KINDS.map(([name, sentence]) => make("div", "", make("dt", "", name), make("dd", "", sentence))));
    const paste = make("div", "import-paste", label, this.text, this.pasted);
    const inner = make("div", "import-body", this.zone, paste, this.work, this.outcomes, make("h3", "label", "What is understood"), kinds);
    this.dialog = make("dialog", "dialog import", make("header", "dialog-head", title, close), inner);
    this.dialog.setAttribute("aria-labelledby", title.id);
    if (this.dataset.label) this.append(makeButton("chip", this.dataset.label, () => this.open()));
    this.append(this.dialog);
    reveal(this.work, false);
  }

  disconnectedCallback() {
    window.removeEventListener("dragover", this.over);
    window.removeEventListener("dragleave", this.left);
    window.removeEventListener("drop", this.drop);
  }

  open() {
    if (!this.dialog?.open) this.dialog?.showModal();
  }

  /**
   * Import files, one after another.
   * @param {File[]} files
   */
  async take(files) {
    if (!this.send || files.length === 0 || !this.work.hidden) return;
    this.open();
    this.outcomes.replaceChildren();
    this.stopped = false;
    this.#busy(true);
    const imports = importsOf(files);
    /** @type {string[]} */
    const addresses = [];
    for (const [index, together] of imports.entries()) {
      if (this.stopped) break;
      const name = together.map((file) => file.name).join(", ");
      const before = imports.length > 1 ? `${index + 1} of ${imports.length}: ` : "";
      const answer = await this.#one(this.send, together, before);
      if ("address" in answer) addresses.push(answer.address);
      this.#tell(name, answer);
    }
    this.#busy(false);
    this.file.value = "";
    if (addresses.length === 1 && imports.length === 1) {
      this.dispatchEvent(new CustomEvent("imported", { bubbles: true, detail: { address: addresses[0] } }));
    }
  }

  /** @param {Send} send @param {File[]} files @param {string} before @returns {Promise<Outcome>} */
  #one(send, files, before) {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const { answer, stop } = send(files, (sent) => {
      const all = sent >= size;
      if (all) this.bar.removeAttribute("value");
      else this.bar.value = sent / size;
      write(this.figure, before + (all ? `${megabytes(size)} sent, the server reads it` : `${megabytes(sent)} of ${megabytes(size)}`));
    });
    this.bar.value = 0;
    write(this.figure, `${before}0 of ${megabytes(size)}`);
    this.stop = stop;
    return answer;
  }

  /** @param {string} name @param {Outcome} answer */
  #tell(name, answer) {
    const line = make("p", "");
    if ("address" in answer) {
      const link = make("a", "", name);
      link.href = answer.address;
      line.append("Imported: ", link);
    } else {
      line.className = "problem";
      line.append(name === "pasted text" ? answer.problem.message : `${name}: ${answer.problem.message}`);
    }
    this.outcomes.append(line);
  }

  /** @param {boolean} busy */
  #busy(busy) {
    reveal(this.work, busy);
    for (const button of [this.choose, this.pasted]) button.disabled = busy;
  }

  #halt() {
    this.stopped = true;
    this.stop();
  }

  /** @param {Event} [event] */
  #paste(event) {
    event?.preventDefault();
    event?.stopPropagation();
    if (this.text.value.trim() === "") this.text.focus();
    else this.take([new File([this.text.value], "pasted text")]);
  }

  /** @param {DragEvent} event */
  #over(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.open();
    this.zone.classList.add("over");
  }

  /** @param {DragEvent} event */
  async #drop(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.zone.classList.remove("over");
    this.take(await droppedFiles(event.dataTransfer));
  }
}

customElements.define("import-drop", ImportDrop);
