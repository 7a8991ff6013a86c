/** Usage in equal terms, the wire's own names on hover, the object as it was sent by a press. Used by the Said pane. */

import { exactOf } from "../model/exact-json.js";
import { count } from "../model/figures.js";
import { usageFigures } from "../model/usage.js";
import { make, makeButton, write } from "./dom.js";
import { jsonTree } from "./json-tree.js";

export class UsageLine {
  constructor() {
    this.figures = make("span", "usage-figures");
    this.note = make("span", "usage-note");
    this.toggle = makeButton("quiet", "as sent", () => this.#turn());
    this.toggle.setAttribute("aria-expanded", "false");
    this.sent = make("div", "usage-sent");
    const line = make("div", "usage-line", this.figures, this.note, this.toggle);
    const label = make("div", "part-label", "usage");
    this.element = make("section", "part", label, make("div", "part-main", line, this.sent));
    this.element.dataset.kind = "usage";
    this.element.dataset.colour = "usage";
    this.element.hidden = true;
    /** @type {Record<string, any> | undefined} */
    this.usage = undefined;
  }

  /**
   * @param {Record<string, any> | null | undefined} usage the lane's field
   * @param {boolean} final no more is expected
   */
  update(usage, final) {
    this.element.hidden = !usage;
    if (!usage) return;
    write(this.note, final ? "" : "so far");
    if (usage === this.usage) return;
    this.usage = usage;
    const figures = usageFigures(usage).map(({ word, value, wire }) => {
      const figure = make("span", "usage-figure", `${word} `, make("b", "", count(value)));
      figure.title = wire;
      return figure;
    });
    this.figures.replaceChildren(...(figures.length > 0 ? figures : ["no counts"]));
    if (this.sent.firstChild) this.#drawSent();
  }

  #turn() {
    const open = !this.sent.firstChild;
    if (open) this.#drawSent();
    else this.sent.replaceChildren();
    this.toggle.setAttribute("aria-expanded", String(open));
  }

  #drawSent() {
    this.sent.replaceChildren(jsonTree(exactOf(this.usage?.raw ?? this.usage)));
  }
}
