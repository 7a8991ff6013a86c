/** Usage in equal terms, the wire's own names on hover, the object as it was sent by a press. Used by the Said pane. */

import { exactOf } from "../model/exact-json.js";
import { count } from "../model/figures.js";
import { usageFigures } from "../model/usage.js";
import { make, makeButton, write } from "./dom.js";
import { jsonTree } from "./json-tree.js";
import { makeStop, showsSpot } from "./spots.js";

export class UsageLine {
  constructor() {
    this.figures = make("span", "usage-figures");
    this.note = make("span", "usage-note");
    this.toggle = makeButton("quiet", "as sent", () => this.#turn());
    this.toggle.setAttribute("aria-expanded", "false");
    this.sent = make("div", "usage-sent");
    const line = make("div", "usage-line", this.figures, this.note, this.toggle);
    this.label = make("div", "part-label", "usage");
    this.label.setAttribute("role", "button");
    makeStop(this.label);
    /** The drawn figures by their names in the usage object. @type {Map<string, {element: HTMLElement, number: HTMLElement}>} */
    this.drawn = new Map();
    this.element = make("section", "part", this.label, make("div", "part-main", line, this.sent));
    this.element.dataset.kind = "usage";
    this.element.dataset.colour = "usage";
    this.element.hidden = true;
    /** @type {Record<string, any> | undefined} */
    this.usage = undefined;
  }

  /**
   * @param {import("../model/transcript.js").Part} part the lane's own
   * @param {Record<string, any> | null | undefined} usage its field
   * @param {boolean} final no more is expected
   */
  update(part, usage, final) {
    this.element.hidden = !usage;
    if (!usage) return;
    write(this.note, final ? "" : "so far");
    if (usage === this.usage) return;
    this.usage = usage;
    showsSpot(this.label, { part, field: "usage" });
    this.#drawFigures(part, usageFigures(usage));
    if (this.sent.firstChild) this.#drawSent();
  }

  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {import("../model/usage.js").UsageFigure[]} figures
   */
  #drawFigures(part, figures) {
    const before = [...this.drawn.keys()].join();
    for (const { word, field, value, wire } of figures) {
      let figure = this.drawn.get(field);
      if (!figure) {
        const number = make("b");
        figure = { element: make("span", "usage-figure", `${word} `, number), number };
        figure.element.setAttribute("role", "button");
        makeStop(figure.element);
        this.drawn.set(field, figure);
      }
      showsSpot(figure.element, { part, field: "usage", figure: field });
      figure.element.title = wire;
      write(figure.number, count(value));
    }
    for (const field of this.drawn.keys()) if (!figures.some((figure) => figure.field === field)) this.drawn.delete(field);
    if (before === [...this.drawn.keys()].join() && this.figures.firstChild) return;
    const elements = figures.flatMap(({ field }, index) => {
      const element = this.drawn.get(field)?.element ?? "";
      return index > 0 ? [make("span", "", "·"), element] : [element];
    });
    this.figures.replaceChildren(...(elements.length > 0 ? elements : ["no counts"]));
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
