/**
 * <said-pane>: what was said, part by part, as plain text, or as a preview. Gets its lane and the address builders
 * from <stream-lane>; draws once a frame, and only what operations have touched since.
 */

import { make, makeButton, makeCopyButton, reveal, write } from "../drawing/dom.js";
import { Follow } from "../drawing/follow.js";
import { GrownText } from "../drawing/grown-text.js";
import { drawPart } from "../drawing/said-parts.js";
import { showsSpot } from "../drawing/spots.js";
import { UsageLine } from "../drawing/usage-line.js";
import { drawNext } from "../model/frames.js";
import { answerParts, answerText, wholeText } from "../model/plain.js";

/** @typedef {"parts" | "text" | "preview"} SaidMode */
/** @typedef {import("../model/transcript.js").Transcript} Transcript */
/** @typedef {import("../model/shown.js").Shown} Shown */

export class SaidPane extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    /** Builds the address of a part's bytes. */
    this.media = (/** @type {number} */ _part) => "";
    /** What parts are drawn with: where the player stands. @type {import("../drawing/part-frame.js").SaidContext | null} */
    this.context = null;
    /** The address of the preview. */
    this.preview = "";
    /** @type {SaidMode} */
    this.mode = "parts";
    /** @type {Map<import("../model/transcript.js").Part, import("../drawing/part-frame.js").PartFrame>} */
    this.views = new Map();
    this.position = 0;
    /** @type {object | null} */
    this.era = null;
    this.running = true;
    /** Parts that were drawn with a caret. @type {Iterable<import("../model/transcript.js").Part>} */
    this.grew = [];
    this.usage = new UsageLine();
    /** @type {GrownText[]} */
    this.plain = [];
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    this.redraw = () => this.draw();
    /** Called when it has drawn. */
    this.drawn = () => {};
    /** Its controls; <lane-tabs> has them beside the tabs. */
    this.tools = make("div", "pane-tools");
    this.parts = make("div", "said-parts");
    this.text = make("div", "said-plain");
    this.whole = make("p", "preview-whole", "The preview shows all that was said, not what was said until this moment.");
    this.shown = make("div", "said-preview", this.whole);
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
    const { transcript, shown } = this.lane;
    return this.mode === "parts" ? wholeText(transcript, shown.position) : answerText(transcript, shown.position);
  }

  draw() {
    const { lane } = this;
    if (!lane) return;
    const { shown } = lane;
    reveal(this.modes[2].button, this.preview !== "");
    const turned = this.running !== shown.open;
    this.running = shown.open;
    this.context ??= { shown, media: this.media };
    this.context.shown = shown;
    this.#drawParts(lane.transcript, shown, turned);
    if (this.mode === "text") this.#drawText(lane.transcript, shown);
    if (this.mode === "preview" && turned && !lane.open) this.#loadPreview();
    reveal(this.whole, shown.past && shown.open);
    this.usage.update(lane.transcript.laneAt(shown.position), shown.value("usage"), !shown.open || shown.finish.length > 0);
    if (this.mode !== "parts") this.usage.element.hidden = true;
    write(this.empty, this.#emptyWord(lane, shown));
    reveal(this.empty, this.parts.firstChild === null);
    this.drawn();
  }

  /**
   * Update the parts that operations have touched between what was drawn and what is shown now, whichever is later; all
   * of them where the end came into view or went out of it.
   * @param {Transcript} transcript
   * @param {Shown} shown
   * @param {boolean} all
   */
  #drawParts(transcript, shown, all) {
    const era = transcript.eraAt(shown.position);
    if (this.era !== era) {
      this.era = era;
      this.views.clear();
      this.grew = [];
      this.parts.replaceChildren();
      this.position = era.began;
    }
    const touched = new Set([...this.grew, ...shown.growing]);
    const numbers = transcript.partOf.values;
    const last = Math.max(this.position, shown.position);
    let before = 0;
    for (let place = Math.min(this.position, shown.position); place < last; place++) {
      if (numbers[place] !== before) touched.add(era.parts[(before = numbers[place])]);
    }
    touched.delete(era.lane);
    this.position = shown.position;
    this.grew = shown.growing;
    let missing = false;
    for (const part of touched) {
      const element = this.views.get(part)?.element;
      if (part.opened > shown.position) element?.remove();
      else if (!element?.parentNode) missing = true;
    }
    if (missing) this.#place(transcript, shown);
    for (const part of all ? transcript.standing(shown.position) : touched) {
      if (part.opened <= shown.position) this.views.get(part)?.update();
    }
  }

  /**
   * Give every part a view and its place.
   * @param {Transcript} transcript
   * @param {Shown} shown
   */
  #place(transcript, shown) {
    let cursor = this.parts.firstChild;
    for (const part of transcript.standing(shown.position)) {
      let view = this.views.get(part);
      if (!view && this.context) {
        view = drawPart(part, this.context);
        this.views.set(part, view);
        view.update();
      }
      if (view?.element === cursor) cursor = cursor?.nextSibling ?? null;
      else if (view) this.parts.insertBefore(view.element, cursor);
    }
  }

  /** @param {Transcript} transcript @param {Shown} shown */
  #drawText(transcript, shown) {
    const parts = answerParts(transcript, shown.position);
    while (this.plain.length > parts.length) this.plain.pop()?.element.remove();
    while (this.plain.length < parts.length) {
      const text = new GrownText("said-text");
      this.plain.push(text);
      this.text.append(text.element);
    }
    parts.forEach((part, index) => {
      const growth = part.growth("text", shown.position);
      const grown = growth && { growth, length: growth.lengthAt(shown.position) };
      showsSpot(this.plain[index].element, { part, field: "text", text: this.plain[index] });
      this.plain[index].update(grown, shown.open && shown.growing.has(part));
    });
  }

  /** Have something that is lit in sight. @param {Range | HTMLElement} what */
  bring(what) {
    if (this.scroller.contains(what instanceof Range ? what.startContainer : what)) this.follow.bring(what);
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

  /** @param {import("../model/lane.js").LaneModel} lane @param {Shown} shown */
  #emptyWord(lane, shown) {
    if (lane.catchingUp && !shown.past) return "Loading what was kept.";
    if (shown.word === "waiting") return "The request is on its way. What is said appears here.";
    if (shown.open) return "Nothing was said yet.";
    return lane.rows.length > 0 ? "Nothing was said. Wire shows what came." : "Nothing came.";
  }
}

customElements.define("said-pane", SaidPane);
