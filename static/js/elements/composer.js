/**
 * <stream-composer>: the form and the body of a request, both drawn from a Draft. Takes `draft`, `running`, `busy`,
 * `problem` and `models`; fires `run` (the body of POST /sessions/), `stop`, `models` (an address to ask) and `snippet`.
 */

import { write } from "../drawing/dom.js";
import { digits, drawRequestForm, formatOfField } from "../drawing/request-form.js";
import { BASE_URLS, addressProblem, snippetRequests } from "../model/composing.js";

/** Bodies longer than this are read when the typing pauses. */
const LARGE_BODY = 60_000;
const PAUSE = 200;
const NARROW = "(max-width: 900px)";

/** @type {import("../model/draft.js").Problem} */
const FOREIGN_KEY = {
  code: "foreign-key",
  message: "The key was for the address before: it is forgotten. Give the one for this address, if it needs one.",
  field: "lanes.0.key",
};

/** @typedef {import("../model/draft.js").Draft} Draft */
/** @typedef {import("../model/draft.js").Problem} Problem */
/** @typedef {import("../model/draft.js").Model} Model */
/** @typedef {import("../model/request.js").FormatName} FormatName */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

export class StreamComposer extends HTMLElement {
  /** @type {Draft | null} */
  #draft = null;
  #running = false;
  #busy = false;
  /** @type {Problem | null} */
  #problem = null;
  /** @type {Model[]} */
  #models = [];
  /** What was typed and waits for the typing to pause: the body, changes of the form by lane ("" for all). */
  #pause = 0;
  #bodyWaits = false;
  /** @type {Map<FormatName | "", Partial<import("../model/draft.js").DraftForm>>} */
  #changesWait = new Map();
  #forget = () => {};

  connectedCallback() {
    this.addEventListener("input", this.#typed);
    this.addEventListener("change", this.#chosen);
    this.addEventListener("edit", this.#edited);
    this.addEventListener("choose", this.#picked);
    this.addEventListener("click", this.#clicked);
    this.addEventListener("submit", this.#submitted);
    this.#find("#base-url").closest("combo-field").options = BASE_URLS;
    this.#watch();
  }

  disconnectedCallback() {
    this.#forget();
  }

  get draft() {
    return this.#draft;
  }

  set draft(draft) {
    this.#draft = draft;
    if (this.isConnected) this.#watch();
  }

  /** A stream runs: Stop can be pressed, Run cannot. @param {boolean} running */
  set running(running) {
    this.#running = running;
    this.#drawPress();
  }

  /** A run is being asked for. @param {boolean} busy */
  set busy(busy) {
    this.#busy = busy;
    this.#drawPress();
  }

  /** What is wrong, said at its field; null when nothing is. @param {Problem | null} problem */
  set problem(problem) {
    this.#problem = problem;
    this.#drawProblem();
  }

  get problem() {
    return this.#problem;
  }

  /** Say a problem and go where it can be mended. @param {Problem} problem */
  point(problem) {
    this.problem = problem;
    this.#goToProblem();
  }

  /** What the target offers, and a sentence about it. @param {{models: Model[], note: string}} offer */
  set models({ models, note }) {
    this.#models = models;
    write(this.#find("#models-note"), note);
    this.#draw();
  }

  /** Ask for a run, or say why that is not possible. */
  run() {
    this.#flush();
    if (!this.#draft || this.#running || this.#busy) return;
    const problem = this.#draft.forgetForeignKey() ? FOREIGN_KEY : this.#draft.problem;
    this.problem = problem;
    if (problem) return this.#goToProblem();
    this.makeRoom();
    this.dispatchEvent(new CustomEvent("run", { detail: this.#draft.toRequest() }));
  }

  /** Where the stage stands below, let it have the page. */
  makeRoom() {
    if (matchMedia(NARROW).matches) this.#fold(true);
  }

  #watch() {
    this.#forget();
    if (!this.#draft) return;
    this.#forget = this.#draft.subscribe(() => this.#draw());
    this.#draw();
  }

  /** @param {string} selector @returns {any} */
  #find(selector) {
    return this.querySelector(selector);
  }

  #draw() {
    if (!this.#draft) return;
    drawRequestForm(this, this.#draft, this.#models);
    this.#drawProblem();
  }

  #drawPress() {
    const run = this.#find(".run");
    run.setAttribute("aria-disabled", String(this.#running || this.#busy));
    write(run, this.#busy ? "Starting" : "Run");
    this.#find(".stop").disabled = !this.#running;
    this.toggleAttribute("data-running", this.#running);
  }

  #drawProblem() {
    const wanted = this.#problem?.field?.split(".").at(-1) ?? "run";
    const place = this.querySelector(`[data-problem="${CSS.escape(wanted)}"]`) ?? this.#find('[data-problem="run"]');
    for (const line of this.querySelectorAll("[data-problem]")) {
      write(line, line === place ? (this.#problem?.message ?? "") : "");
    }
    for (const name of ["base_url", "key"]) {
      const invalid = this.#problem !== null && wanted === name;
      this.#find(`[name="${name}"]`).setAttribute("aria-invalid", String(invalid));
    }
  }

  #goToProblem() {
    const [, lane, field] = this.#problem?.field?.split(".") ?? [];
    const draft = this.#draft;
    if (!draft || field === undefined) return;
    this.#fold(false);
    if (field === "body") {
      draft.show(draft.lanes[Number(lane)] ?? draft.shown);
      this.#find("#body").showMistake();
    } else if (field === "headers") {
      this.#find("header-rows").closest("details").open = true;
      this.#find("header-rows input")?.focus();
    } else {
      const place = this.#find(`[name="${CSS.escape(field)}"]`);
      place?.closest("details")?.setAttribute("open", "");
      place?.focus();
    }
  }

  /** @param {Event} event */
  #typed = ({ target }) => {
    const draft = this.#draft;
    if (!draft || !(target instanceof HTMLElement)) return;
    this.#problem = null;
    if (target.closest("#body")) {
      this.#bodyWaits = true;
      return this.#flushSoon();
    }
    if (target.closest("tool-list, header-rows")) return;
    const field = /** @type {Field} */ (target);
    const { name, value } = field;
    if (name === "max_tokens") this.#changeSoon({ maxTokens: digits(field) });
    else if (name === "user") this.#changeSoon({ user: value });
    else if (name === "system") this.#changeSoon({ system: value });
    else if (name === "model") this.#changeSoon({ model: value.trim() }, formatOfField(field, draft));
    else this.#flush();
    if (name === "base_url") {
      draft.set({ baseUrl: value });
      this.models = { models: [], note: "" };
    }
    if (name === "key") draft.set({ key: value });
    if (name === "pace") draft.set({ pace: digits(field) });
    if (name === "mask") draft.set({ mask: value });
  };

  /** @param {Event} event */
  #chosen = ({ target }) => {
    const draft = this.#draft;
    if (!draft || !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const { name, value } = target;
    this.#flush();
    if (["format", "shown", "target", "reasoning", "stream"].includes(name)) {
      this.#problem = null;
    }
    if (name === "format") draft.choose(/** @type {FormatName|"all"} */ (value));
    else if (name === "shown") draft.show(/** @type {FormatName} */ (value));
    else if (name === "target") draft.setTarget(value === "custom" ? "custom" : "gateway");
    else if (name === "reasoning") draft.change({ reasoning: value });
    else if (name === "stream") draft.change({ stream: /** @type {HTMLInputElement} */ (target).checked });
    if (name === "base_url" && draft.forgetForeignKey()) this.problem = FOREIGN_KEY;
    if (["target", "base_url", "key"].includes(name)) this.#askModels();
  };

  #edited = () => {
    this.#flush();
    this.#problem = null;
    this.#draft?.change({ tools: this.#find("tool-list").value });
    this.#draft?.set({ headers: this.#find("header-rows").value });
  };

  /** @param {Event} event */
  #picked = (event) => {
    this.#flush();
    this.#draft?.change({ scenario: /** @type {CustomEvent<string>} */ (event).detail });
  };

  /** @param {Event} event */
  #clicked = ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const draft = this.#draft;
    if (!button || !draft) return;
    if (button.matches(".stop")) this.dispatchEvent(new CustomEvent("stop"));
    else if (button.matches(".composer-fold")) this.#fold(!this.hasAttribute("data-folded"));
    else if (button.id === "rebuild") {
      this.#flush();
      draft.rebuild();
    } else if (button.matches(".snippet")) {
      this.#flush();
      const { problem } = draft;
      this.problem = problem;
      if (problem) this.#goToProblem();
      else this.dispatchEvent(new CustomEvent("snippet", { detail: snippetRequests(draft) }));
    }
  };

  /** @param {Event} event */
  #submitted = (event) => {
    event.preventDefault();
    this.run();
  };

  /** @param {Partial<import("../model/draft.js").DraftForm>} changes @param {FormatName | ""} [lane] */
  #changeSoon(changes, lane = "") {
    this.#changesWait.set(lane, { ...this.#changesWait.get(lane), ...changes });
    this.#flushSoon();
  }

  /** At once, unless a body is so long that reading and drawing it would hold up the typing. */
  #flushSoon() {
    clearTimeout(this.#pause);
    const lengths = /** @type {Draft} */ (this.#draft).lanes.map((lane) => this.#draft?.bodies[lane].text.length ?? 0);
    if (Math.max(this.#find("#body").value.length, ...lengths) < LARGE_BODY) this.#flush();
    else this.#pause = window.setTimeout(() => this.#flush(), PAUSE);
  }

  /** Take over what was typed. */
  #flush() {
    clearTimeout(this.#pause);
    const draft = this.#draft;
    if (!draft) return;
    if (this.#bodyWaits) draft.edit(this.#find("#body").value);
    this.#bodyWaits = false;
    const changes = [...this.#changesWait];
    this.#changesWait.clear();
    for (const [lane, change] of changes) draft.change(change, lane || undefined);
  }

  #askModels() {
    const { target, baseUrl, key } = /** @type {Draft} */ (this.#draft);
    if (target !== "custom" || addressProblem(baseUrl)) return;
    this.dispatchEvent(new CustomEvent("models", { detail: { target, base_url: baseUrl.trim(), key } }));
  }

  /** @param {boolean} folded */
  #fold(folded) {
    this.toggleAttribute("data-folded", folded);
    this.#find(".composer-fold").setAttribute("aria-expanded", String(!folded));
  }
}

customElements.define("stream-composer", StreamComposer);
