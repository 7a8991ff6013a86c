/** Text, reasoning and refusals: what the model said in words. */

import { GrownText } from "./grown-text.js";
import { PartFrame } from "./part-frame.js";
import { showsSpot } from "./spots.js";

export class SpokenPart extends PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {import("./part-frame.js").SaidContext} context
   */
  constructor(part, context) {
    super(part, context, []);
    this.text = new GrownText(`said-${part.kind}`);
    showsSpot(this.text.element, { part, field: "text", text: this.text });
    this.body.append(this.text.element);
  }

  /** @override */
  update() {
    super.update();
    const grown = this.grown("text");
    this.text.update(grown, this.growing);
    this.element.toggleAttribute("data-empty", !grown || grown.length === 0);
  }
}
