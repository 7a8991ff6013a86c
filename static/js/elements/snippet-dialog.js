/**
 * <snippet-dialog>: the request as a program, to copy. `open(requests)` shows it: one request a lane.
 */

import { make, makeButton, makeCopyButton, reveal } from "../drawing/dom.js";
import { fillSegments } from "../drawing/segments.js";
import { SNIPPET_KINDS, snippetOf } from "../model/snippets.js";

/** @typedef {import("../model/snippets.js").SnippetRequest} SnippetRequest */

export class SnippetDialog extends HTMLElement {
  /** @type {SnippetRequest[]} */
  requests = [];
  kind = SNIPPET_KINDS[0].name;
  lane = 0;

  connectedCallback() {
    if (this.firstChild) return;
    const title = make("h2", "", "This request as a program");
    title.id = "snippet-title";
    const close = makeButton("plain icon", "×", () => this.dialog?.close());
    close.setAttribute("aria-label", "Close");
    this.kinds = make("div", "segments small");
    this.lanes = make("div", "segments small");
    this.code = make("pre", "snippet-code");
    this.code.tabIndex = 0;
    this.code.setAttribute("aria-label", "Program");
    this.code.setAttribute("role", "region");
    this.note = make("p", "note");
    const copy = makeCopyButton("plain", () => this.code?.textContent ?? "");
    this.dialog = make(
      "dialog",
      "dialog snippets",
      make("header", "dialog-head", title, close),
      make("div", "snippet-choice", this.kinds, this.lanes, copy),
      this.code,
      this.note,
    );
    this.dialog.setAttribute("aria-labelledby", title.id);
    this.append(this.dialog);
  }

  /** @param {SnippetRequest[]} requests */
  open(requests) {
    this.requests = requests;
    this.lane = Math.min(this.lane, requests.length - 1);
    const { kinds, lanes } = this;
    if (!kinds || !lanes) return;
    fillSegments(kinds, "Language", SNIPPET_KINDS.map(({ title }) => title), SNIPPET_KINDS.findIndex(({ name }) => name === this.kind), (index) => {
      this.kind = SNIPPET_KINDS[index].name;
      this.#draw();
    });
    fillSegments(lanes, "Lane", requests.map(({ title }) => title), this.lane, (index) => {
      this.lane = index;
      this.#draw();
    });
    reveal(lanes, requests.length > 1);
    this.#draw();
    this.dialog?.showModal();
  }

  #draw() {
    const request = this.requests[this.lane];
    if (!this.code || !this.note || !request) return;
    this.code.textContent = snippetOf(this.kind, request);
    this.code.scrollTop = 0;
    this.note.textContent = request.variable
      ? `The key is read from the environment: set ${request.variable} first.`
      : "The built-in gateway needs no key.";
  }
}

customElements.define("snippet-dialog", SnippetDialog);
