/**
 * <lane-head>: what is happening in a lane, in one line: its word, its figures, and how it ended, in a sentence.
 * Gets its lane from <stream-lane>.
 */

import { make, makeButton, reveal, write } from "../drawing/dom.js";
import { showsSpot } from "../drawing/spots.js";
import { chargeWords } from "../model/charge.js";
import { UNKNOWN, count, duration, growing, shortId, size } from "../model/figures.js";
import { endSentences } from "../model/ends.js";
import { SEVERITIES, countWords } from "../model/findings.js";
import { drawNext } from "../model/frames.js";
import { firstTokenTime, tokenPace } from "../model/latency.js";

/** @typedef {import("../model/lane.js").LaneModel} LaneModel */
/** @typedef {import("../model/shown.js").Shown} Shown */

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
    this.findings = makeButton("head-findings", "", () => this.#openFindings());
    this.findings.title = "What is wrong with this stream: open the findings";
    this.detail = make("p", "head-detail");
    this.notes = make("p", "head-notes");
  }

  connectedCallback() {
    if (!this.firstChild) {
      this.word.setAttribute("role", "status");
      const figures = [this.firstToken, this.elapsed, this.events, this.speed, this.finish, this.cost, this.charged, this.silence];
      this.append(
        make("div", "head-line",
          make("div", "head-names", this.format, this.word, this.status, this.model, this.answer),
          make("div", "head-figures", ...figures.map((figure) => figure.element)),
          this.findings),
        this.detail,
        this.notes,
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
    const { shown } = lane;
    const word = shown.past ? shown.word : lane.word;
    write(this.word, word);
    this.dataset.tone = TONES[word] ?? "bad";
    this.toggleAttribute("data-past", shown.past);
    write(this.format, lane.facts.format);
    this.#drawNames(lane, shown);
    this.#drawTimes(lane, shown);
    this.events.show(shown.step >= 0 ? count(shown.events) : "", `${size(shown.bytes)} of body`);
    reveal(this.reads, shown.step >= 0);
    write(this.reads, ` in ${count(shown.reads)} ${shown.reads === 1 ? "read" : "reads"}`);
    this.#drawSpeed(shown);
    const { finish } = shown;
    this.finish.show(finish.join(", "));
    reveal(this.finish.element, finish.length > 0 || !shown.open);
    this.#drawCharge(lane, shown);
    this.#drawFindings(lane, shown);
    this.#drawDetail(lane, shown);
  }

  /** @param {LaneModel} lane @param {Shown} shown */
  #drawFindings({ findings }, shown) {
    const counts = findings.counts(shown);
    const words = countWords(counts);
    write(this.findings, words && `▲ ${words}`);
    this.findings.dataset.severity = SEVERITIES.find((severity) => counts[severity] > 0) ?? "";
    reveal(this.findings, words !== "");
  }

  #openFindings() {
    this.dispatchEvent(new CustomEvent("pane", { detail: "findings", bubbles: true }));
  }

  /**
   * What the ledger charged, which was known once the lane was over.
   * @param {LaneModel} lane
   * @param {Shown} shown
   */
  #drawCharge(lane, shown) {
    const charge = shown.end || !shown.past ? lane.charge : null;
    reveal(this.cost.element, charge !== null);
    const words = charge ? chargeWords(charge, shown.end?.complete === true, Math.round(shown.said / TOKEN)) : null;
    reveal(this.charged.element, words !== null && words.charged !== "");
    if (!words) return;
    this.cost.show(words.cost, words.title);
    this.charged.show(words.charged, `Charged by the ledger; seen is a guess: ${TOKEN} characters a token`);
    write(this.unit, words.unit);
    write(this.seen, words.seen);
  }

  /** @param {LaneModel} lane @param {Shown} shown */
  #drawNames(lane, shown) {
    const model = String(shown.value("model") || lane.facts.model || "");
    write(this.model, model);
    this.model.title = model === lane.facts.model ? model : `asked for ${lane.facts.model}, answered by ${model}`;
    const id = String(shown.value("id") ?? "");
    write(this.answer, shortId(id));
    this.answer.title = id;
    const part = lane.transcript.laneAt(shown.position);
    showsSpot(this.model, { part, field: "model" });
    showsSpot(this.answer, { part, field: "id" });
    showsSpot(this.finish.element, { part, field: "finish" });
    const status = shown.head?.status ?? 200;
    write(this.status, status === 200 ? "" : `HTTP ${status} ${shown.head?.reason ?? ""}`.trim());
    this.status.classList.toggle("bad", status >= 400);
  }

  /** @param {LaneModel} lane @param {Shown} shown */
  #drawTimes(lane, shown) {
    const firstToken = firstTokenTime(shown);
    this.firstToken.show(Number.isNaN(firstToken) ? "" : duration(firstToken),
      "From the request to the first reasoning, text, refusal or argument that is not empty");
    const silence = shown.silence(lane.clock());
    const last = shown.step >= 0 ? shown.elapsed : 0;
    const grows = shown.open && (shown.past ? !Number.isNaN(shown.time) : !lane.catchingUp);
    if (grows) this.elapsed.show(growing((Number.isNaN(last) ? 0 : last) + silence));
    else this.elapsed.show(Number.isNaN(last) || shown.step < 0 ? "" : duration(last));
    const silent = shown.reads > 0 && silence > SILENCE && shown.word === "streaming";
    this.silence.show(silent ? `${growing(silence)} ago` : "");
    reveal(this.silence.element, silent);
  }

  /** @param {Shown} shown */
  #drawSpeed(shown) {
    const { tokens, rate, estimated, span } = tokenPace(shown);
    if (!(span >= SPAN) || !(rate > 0)) {
      this.speed.show("");
      return;
    }
    const told = rate < 9.95 ? rate.toFixed(1) : count(rate);
    const source = estimated ? `A guess: ${TOKEN} characters a token` : `${count(tokens)} output tokens by the usage on the wire`;
    const title = `${source}, in ${duration(span)} from the first token to the last read that completed an event`;
    this.speed.show(`${estimated ? "~" : ""}${told} tok/s`, title);
  }

  /** @param {LaneModel} lane @param {Shown} shown */
  #drawDetail(lane, shown) {
    let detail = shown.end ? endSentences(shown.end) : "";
    const missing = count(lane.lastStep - lane.have);
    if (lane.behind && !shown.past) detail = `This page does not keep up: it is ${missing} reads behind and catching up.`;
    write(this.detail, detail);
    reveal(this.detail, detail !== "");
    write(this.notes, (shown.end?.notes ?? []).join(" "));
    reveal(this.notes, this.notes.textContent !== "");
  }
}

customElements.define("lane-head", LaneHead);
