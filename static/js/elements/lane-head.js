/**
 * <lane-head>: what is happening in a lane, in one line: its word, its figures, and how it ended, in a sentence.
 * Gets its lane from <stream-lane>.
 */

import { make, reveal, write } from "../drawing/dom.js";
import { chargeWords } from "../model/charge.js";
import { UNKNOWN, count, duration, growing, shortId, size } from "../model/figures.js";
import { endSentences } from "../model/ends.js";
import { drawNext } from "../model/frames.js";

/** Milliseconds between two looks at the clock while a lane runs; silence is told after a second. */
const TICK = 100;
const SILENCE = 1_000_000;
/** Characters that make up about one token, for a guess before the wire has counted. */
const TOKEN = 4;
/** Tokens a second are told once they came over at least so many microseconds. */
const SPAN = 50_000;

/** @type {Record<string, string>} */
const TONES = { waiting: "wait", streaming: "run", ended: "good", stopped: "calm", limit: "warn", interrupted: "warn" };

/** A labelled figure of the head. */
class Figure {
  /** @param {string} label */
  constructor(label) {
    this.value = make("b");
    this.element = make("span", "head-figure", `${label} `, this.value);
  }

  /**
   * @param {string} text a dash stands where it is empty, so that nothing moves when it comes
   * @param {string} title
   */
  show(text, title = "") {
    write(this.value, text || UNKNOWN);
    if (this.element.title !== title) this.element.title = title;
  }
}

export class LaneHead extends HTMLElement {
  constructor() {
    super();
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    this.timer = 0;
    this.redraw = () => this.draw();
    this.word = make("span", "head-word");
    this.format = make("span", "head-format");
    this.answer = make("span", "head-id");
    this.model = make("span", "head-model");
    this.status = make("span", "head-status");
    this.firstToken = new Figure("first token");
    this.elapsed = new Figure("elapsed");
    this.events = new Figure("events");
    this.reads = make("span", "head-reads");
    this.events.element.append(this.reads);
    this.speed = new Figure("speed");
    this.finish = new Figure("finish");
    this.cost = new Figure("cost");
    this.cost.element.classList.add("head-cost");
    this.charged = new Figure("charged");
    this.seen = make("b");
    this.unit = make("span");
    this.charged.element.append(" ", this.unit, ", ", this.seen, " seen");
    this.charged.element.classList.add("head-charged");
    this.silence = new Figure("last byte");
    this.silence.element.classList.add("head-silence");
    this.detail = make("p", "head-detail");
  }

  connectedCallback() {
    if (!this.firstChild) {
      this.word.setAttribute("role", "status");
      const figures = [this.firstToken, this.elapsed, this.events, this.speed, this.finish, this.cost, this.charged, this.silence];
      this.append(
        make("div", "head-line",
          make("div", "head-names", this.format, this.word, this.status, this.model, this.answer),
          make("div", "head-figures", ...figures.map((figure) => figure.element))),
        this.detail,
      );
    }
    this.timer = window.setInterval(() => this.lane?.open && drawNext(this.redraw), TICK);
    drawNext(this.redraw);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  draw() {
    const { lane } = this;
    if (!lane) return;
    const { word } = lane;
    write(this.word, word);
    this.dataset.tone = TONES[word] ?? "bad";
    write(this.format, lane.facts.format);
    this.#drawNames(lane);
    this.#drawTimes(lane);
    const { events } = lane.rows;
    this.events.show(lane.have >= 0 ? count(events) : "", `${size(lane.bytes)} of body`);
    reveal(this.reads, lane.have >= 0);
    write(this.reads, ` in ${count(lane.reads)} ${lane.reads === 1 ? "read" : "reads"}`);
    this.#drawSpeed(lane);
    const { finish } = lane;
    this.finish.show(finish.join(", "));
    reveal(this.finish.element, finish.length > 0 || !lane.open);
    this.#drawCharge(lane);
    this.#drawDetail(lane);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawCharge(lane) {
    const { charge } = lane;
    reveal(this.cost.element, charge !== null);
    const words = charge ? chargeWords(charge, lane.end?.complete === true, Math.round(lane.said / TOKEN)) : null;
    reveal(this.charged.element, words !== null && words.charged !== "");
    if (!words) return;
    this.cost.show(words.cost, words.title);
    this.charged.show(words.charged, `Charged by the ledger; seen is a guess: ${TOKEN} characters a token`);
    write(this.unit, words.unit);
    write(this.seen, words.seen);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawNames(lane) {
    const said = lane.transcript.lane;
    const model = String(said.value("model") || lane.facts.model || "");
    write(this.model, model);
    this.model.title = model === lane.facts.model ? model : `asked for ${lane.facts.model}, answered by ${model}`;
    const id = String(said.value("id") ?? "");
    write(this.answer, shortId(id));
    this.answer.title = id;
    const status = lane.head?.status ?? 200;
    write(this.status, status === 200 ? "" : `HTTP ${status} ${lane.head?.reason ?? ""}`.trim());
    this.status.classList.toggle("bad", status >= 400);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawTimes(lane) {
    this.firstToken.show(Number.isNaN(lane.firstToken) ? "" : duration(lane.firstToken),
      "From the request to the first reasoning, text, refusal or argument that is not empty");
    const silence = lane.open ? lane.silence(lane.clock()) : 0;
    const last = lane.have >= 0 ? lane.elapsed : 0;
    if (lane.open && !lane.catchingUp) this.elapsed.show(growing((Number.isNaN(last) ? 0 : last) + silence));
    else this.elapsed.show(Number.isNaN(last) || lane.have < 0 ? "" : duration(last));
    const silent = lane.open && lane.reads > 0 && silence > SILENCE && lane.word === "streaming";
    this.silence.show(silent ? `${growing(silence)} ago` : "");
    reveal(this.silence.element, silent);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawSpeed(lane) {
    const span = lane.lastToken - lane.firstToken;
    if (!(span >= SPAN)) {
      this.speed.show("");
      return;
    }
    const output = lane.finish.length > 0 ? lane.transcript.lane.value("usage")?.output : null;
    const counted = typeof output === "number" && output > 0;
    const tokens = counted ? output : lane.said / TOKEN;
    const rate = tokens / (span / 1e6);
    const shown = rate < 9.95 ? rate.toFixed(1) : count(rate);
    const source = counted ? `${count(tokens)} output tokens by the usage on the wire` : `A guess: ${TOKEN} characters a token`;
    const title = `${source}, in ${duration(span)} from the first token to the last`;
    this.speed.show(`${counted ? "" : "~"}${shown} tok/s`, title);
  }

  /** @param {import("../model/lane.js").LaneModel} lane */
  #drawDetail(lane) {
    let detail = lane.end ? endSentences(lane.end) : "";
    const missing = count(lane.lastStep - lane.have);
    if (lane.behind) detail = `This page does not keep up: it is ${missing} reads behind and catching up.`;
    write(this.detail, detail);
    reveal(this.detail, detail !== "");
  }
}

customElements.define("lane-head", LaneHead);
