/**
 * <said-pane>: what was said, part by part, as plain text, or as a preview. Gets its lane and the address builders
 * from <stream-lane>; draws once a frame, and only what operations have touched since.
 */

import { make, makeButton, makeCopyButton, reveal, write } from "../drawing/dom.js";
import { Follow } from "../drawing/follow.js";
import { GrownText } from "../drawing/grown-text.js";
import { drawPart } from "../drawing/said-parts.js";
import { UsageLine } from "../drawing/usage-line.js";
import { drawNext } from "../model/frames.js";
import { answerParts, answerText, wholeText } from "../model/plain.js";

/** @typedef {"parts" | "text" | "preview"} SaidMode */

export class SaidPane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    /** Builds the address of a part's bytes. */
    this.media = (/** @type {number} */ _part) => "";
    /** The address of the preview. */
    this.preview = "";
    /** @type {SaidMode} */
    this.mode = "parts";
    /** @type {Map<import("../model/transcript.js").Part, import("../drawing/part-frame.js").PartFrame>} */
    this.views = new Map();
    this.position = 0;
    this.era = 1;
    this.running = true;
    /** Parts that were drawn with a caret. @type {import("../model/transcript.js").Part[]} */
    this.grew = [];
    this.usage = new UsageLine();
    /** @type {GrownText[]} */
    this.plain = [];
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    this.redraw = () => this.draw();
    /** Its controls; <lane-tabs> has them beside the tabs. */
    this.tools = make("div", "pane-tools");
    this.parts = make("div", "said-parts");
    this.text = make("div", "said-plain");
    this.shown = make("div", "said-preview");
    this.empty = make("p", "pane-empty");
    this.content = make("div", "said-content", this.empty, this.parts, this.usage.element, this.text);
    this.scroller = make("div", "said-scroller", this.content);
    this.follow = new Follow(this.scroller, this.content);
    this.modes = /** @type {SaidMode[]} */ (["parts", "text", "preview"]).map((mode) => {
      const button = makeButton("mode", mode, () => this.setMode(mode));
      return { mode, button };
    });
  }

  connectedCallback() {
    if (!this.firstChild) this.#build();
    this.follow.connect();
    drawNext(this.redraw);
  }

  disconnectedCallback() {
    this.follow.disconnect();
  }

  /**
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {number} index
   * @param {import("./stream-lane.js").StageLinks} links
   */
  show(lane, index, links) {
    this.media = (/** @type {number} */ part) => links.media(index, part);
    this.preview = links.preview(index);
    this.lane = lane;
  }

  #build() {
    const modes = make("div", "modes", ...this.modes.map(({ button }) => button));
    modes.setAttribute("role", "group");
    modes.setAttribute("aria-label", "How to show what was said");
    const copy = makeCopyButton("quiet", () => this.#copied());
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "group");
    this.scroller.setAttribute("aria-label", "What was said");
    this.tools.append(modes, copy);
    this.append(this.scroller, this.shown);
    this.setMode(this.mode);
  }

  /** @param {SaidMode} mode */
  setMode(mode) {
    this.mode = mode;
    for (const entry of this.modes) entry.button.setAttribute("aria-pressed", String(entry.mode === mode));
    reveal(this.scroller, mode !== "preview");
    reveal(this.shown, mode === "preview");
    reveal(this.parts, mode === "parts");
    reveal(this.text, mode === "text");
    if (mode === "preview") this.#loadPreview();
    drawNext(this.redraw);
  }

  #copied() {
    if (!this.lane) return "";
    return this.mode === "parts" ? wholeText(this.lane.transcript) : answerText(this.lane.transcript);
  }

  draw() {
    const { lane } = this;
    if (!lane) return;
    const { transcript } = lane;
    const ended = this.running && !lane.open;
    this.running = lane.open;
    this.#drawParts(lane, ended);
    if (this.mode === "text") this.#drawText(lane);
    if (this.mode === "preview" && ended) this.#loadPreview();
    this.usage.update(transcript.lane.value("usage"), !lane.open || lane.finish.length > 0);
    if (this.mode !== "parts") this.usage.element.hidden = true;
    write(this.empty, this.#emptyWord(lane));
    reveal(this.empty, transcript.size === 0);
  }

  /**
   * Update the parts that operations have touched since the last frame, all of them once the stream is over.
   * @param {import("../model/lane.js").LaneModel} lane
   * @param {boolean} ended
   */
  #drawParts(lane, ended) {
    const { transcript } = lane;
    if (this.era !== transcript.era) {
      this.era = transcript.era;
      this.views.clear();
      this.grew = [];
      this.parts.replaceChildren();
      this.position = transcript.eras[transcript.eras.length - 1].began;
    }
    const touched = new Set();
    const numbers = transcript.partOf.values;
    for (let place = this.position; place < transcript.position; place++) touched.add(numbers[place]);
    this.position = transcript.position;
    if (this.views.size < transcript.size) this.#place(lane);
    for (const part of [...this.grew, ...lane.growing]) touched.add(part.number);
    this.grew = [...lane.growing];
    if (ended) for (const view of this.views.values()) view.update();
    else for (const number of touched) if (number > 0) this.views.get(transcript.part(number))?.update();
  }

  /**
   * Give every part a view and its place.
   * @param {import("../model/lane.js").LaneModel} lane
   */
  #place(lane) {
    let cursor = this.parts.firstChild;
    for (const part of lane.transcript.standing()) {
      let view = this.views.get(part);
      if (!view) {
        view = drawPart(part, { lane, media: this.media });
        this.views.set(part, view);
        view.update();
      }
      if (view.element === cursor) cursor = cursor.nextSibling;
      else this.parts.insertBefore(view.element, cursor);
    }
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawText(lane) {
    const parts = answerParts(lane.transcript);
    if (this.plain.length > parts.length) {
      this.plain = [];
      this.text.replaceChildren();
    }
    while (this.plain.length < parts.length) {
      const text = new GrownText("said-text");
      this.plain.push(text);
      this.text.append(text.element);
    }
    parts.forEach((part, index) => this.plain[index].update(part.growth("text"), lane.open && lane.growing.has(part)));
  }

  #loadPreview() {
    if (!this.preview) return;
    if (!this.frame) {
      this.frame = make("iframe", "preview-frame");
      this.frame.setAttribute("sandbox", "");
      this.frame.title = "Preview of the text as Markdown";
      const refresh = makeButton("quiet", "refresh", () => this.#loadPreview());
      const note = make("p", "preview-note", "The text so far, as Markdown. ", refresh);
      this.shown.append(note, this.frame);
    }
    this.shown.dataset.final = String(!this.running);
    this.frame.src = this.preview;
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #emptyWord(lane) {
    if (lane.catchingUp) return "Loading what was kept.";
    if (lane.word === "waiting") return "The request is on its way. What is said appears here.";
    if (lane.open) return "Nothing was said yet.";
    return lane.rows.length > 0 ? "Nothing was said. Wire shows what came." : "Nothing came.";
  }
}

customElements.define("said-pane", SaidPane);
