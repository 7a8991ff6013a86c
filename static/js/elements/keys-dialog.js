/**
 * <keys-dialog>: the table of keys, and the switch for those of a single character. `open()` shows it; `single` says
 * whether they are on.
 */

import { make, makeButton } from "../drawing/dom.js";
import { KEY_TABLE } from "../model/keys.js";

const SINGLE_KEYS_OFF = "keys.single";

export class KeysDialog extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    const title = make("h2", "", "Keys");
    title.id = "keys-title";
    this.dialog = make("dialog", "dialog keys", this.#head(title), ...KEY_TABLE.map(keyGroup), this.#switch());
    this.dialog.setAttribute("aria-labelledby", title.id);
    this.append(this.dialog);
  }

  get single() {
    return localStorage.getItem(SINGLE_KEYS_OFF) !== "off";
  }

  open() {
    this.dialog?.showModal();
  }

  /** @param {HTMLElement} title */
  #head(title) {
    const close = makeButton("plain icon", "×", () => this.dialog?.close());
    close.setAttribute("aria-label", "Close");
    return make("header", "dialog-head", title, close);
  }

  #switch() {
    const box = make("input");
    box.type = "checkbox";
    box.checked = this.single;
    box.addEventListener("change", () => {
      if (box.checked) localStorage.removeItem(SINGLE_KEYS_OFF);
      else localStorage.setItem(SINGLE_KEYS_OFF, "off");
    });
    return make("label", "check keys-switch", box, " Keys of a single character");
  }
}

/** @param {(typeof KEY_TABLE)[number]} group */
function keyGroup({ title, lines }) {
  const list = make("dl", "keys-list");
  for (const { keys, does } of lines) {
    const caps = keys.map((key) => make("kbd", "", key));
    list.append(make("div", "", make("dt", "", ...caps.flatMap((cap) => [cap, " "])), make("dd", "", does)));
  }
  return make("section", "keys-group", make("h3", "", title), list);
}

customElements.define("keys-dialog", KeysDialog);
