/**
 * <gateway-programs>: a request to the gateway as a program, in a format and a language to choose, to copy.
 * The page sets `requests`.
 */

import { make, makeCopyButton } from "../drawing/dom.js";
import { fillSegments } from "../drawing/segments.js";
import { SNIPPET_KINDS, snippetOf } from "../model/snippets.js";

export class GatewayPrograms extends HTMLElement {
  /** @type {import("../model/snippets.js").SnippetRequest[]} */
  #requests = [];
  #format = 0;
  #kind = 0;
  #code = make("pre", "gateway-code");

  connectedCallback() {
    if (this.firstChild) return;
    this.#code.tabIndex = 0;
    this.#code.setAttribute("role", "region");
    this.#code.setAttribute("aria-label", "Program");
    this.#build();
  }

  /** @param {import("../model/snippets.js").SnippetRequest[]} requests one a format */
  set requests(requests) {
    this.#requests = requests;
    if (this.isConnected) this.#build();
  }

  #build() {
    const formats = make("div", "segments small");
    const kinds = make("div", "segments small");
    fillSegments(formats, "Format", this.#requests.map(({ title }) => title), this.#format, (index) => {
      this.#format = index;
      this.#draw();
    });
    fillSegments(kinds, "Language", SNIPPET_KINDS.map(({ title }) => title), this.#kind, (index) => {
      this.#kind = index;
      this.#draw();
    });
    const copy = makeCopyButton("plain", () => this.#code.textContent ?? "");
    copy.setAttribute("aria-label", "copy the program");
    this.replaceChildren(make("div", "gateway-choice", formats, kinds, copy), this.#code);
    this.#draw();
  }

  #draw() {
    const request = this.#requests[this.#format];
    this.#code.textContent = request ? snippetOf(SNIPPET_KINDS[this.#kind].name, request) : "";
    this.#code.scrollTop = 0;
  }
}

customElements.define("gateway-programs", GatewayPrograms);
