/**
 * <stream-composer>: the form and the body of a request, both drawn from a Draft. Takes `draft`, `running`, `busy`,
 * `problem` and `models`; fires `run` (the body of POST /sessions/), `stop`, `models` (an address to ask) and `snippet`.
 */

import { reveal, write } from "../drawing/dom.js";
import { BASE_URLS, draftGist, formGists, snippetRequests } from "../model/composing.js";
import { addressProblem } from "../model/address.js";
import { FORMAT_NAMES } from "../model/request.js";

/** Bodies longer than this are read when the typing pauses. */
const LARGE_BODY = 60_000;
const PAUSE = 200;
const NARROW = "(max-width: 900px)";

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
  #pause = 0;
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

  /** What the target offers, and a sentence about it. @param {{models: Model[], note: string}} offer */
  set models({ models, note }) {
    this.#models = models;
    write(this.#find("#models-note"), note);
    this.#drawModels();
  }

  /** Ask for a run, or say why that is not possible. */
  run() {
    this.#flush();
    if (!this.#draft || this.#running || this.#busy) return;
    this.problem = this.#draft.problem;
    if (this.#problem) return this.#pointAtProblem();
    if (matchMedia(NARROW).matches) this.#fold(true);
    this.dispatchEvent(new CustomEvent("run", { detail: this.#draft.toRequest() }));
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
    const draft = this.#draft;
    if (!draft) return;
    const form = draft.form();
    const facts = { custom: draft.target === "custom", gateway: draft.target === "gateway", all: draft.format === "all", one: draft.format !== "all" };
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-when]"))) {
      reveal(element, facts[/** @type {keyof typeof facts} */ (element.dataset.when)]);
    }
    this.#fill("target", draft.target);
    this.#fill("base_url", draft.baseUrl);
    this.#fill("key", draft.key);
    this.#fill("max_tokens", form.maxTokens);
    this.#fill("user", form.user);
    this.#fill("system", form.system);
    this.#fill("pace", draft.pace);
    this.#check("format", draft.format);
    this.#check("shown", draft.shown);
    this.#check("reasoning", form.reasoning);
    this.#find('[name="stream"]').checked = form.stream;
    for (const field of this.#modelFields()) fillField(field, draft.form(this.#formatOf(field)).model);
    this.#find("scenario-chips").scenarios = draft.settings.gateway.scenarios;
    this.#find("scenario-chips").chosen = form.scenario;
    this.#find("tool-list").value = form.tools;
    this.#find("tool-list").otherCount = form.otherTools;
    if (!this.#find("header-rows").contains(document.activeElement)) this.#find("header-rows").value = draft.headers;
    for (const [name, text] of Object.entries(formGists(draft))) write(this.#find(`[data-gist="${name}"]`), text);
    write(this.#find(".composer-fold-gist"), draftGist(draft));
    write(this.#find(".composer-address"), `POST ${draft.path()}`);
    this.#find(".composer-address").title = draft.target === "custom" && draft.baseUrl === "" ? "" : draft.address();
    this.#drawBody();
    this.#drawModels();
    this.#drawProblem();
  }

  #drawBody() {
    const { bodies, shown } = /** @type {Draft} */ (this.#draft);
    const editor = this.#find("#body");
    const { text, problem } = bodies[shown];
    editor.value = text;
    if (editor.problem !== problem) editor.problem = problem;
    reveal(this.#find("#rebuild"), problem !== null);
  }

  #drawModels() {
    const draft = this.#draft;
    if (!draft) return;
    const models = draft.target === "gateway" ? draft.settings.gateway.models : this.#models;
    const options = models.map(({ id, format }) => ({ value: id, note: format ?? "" }));
    for (const field of this.#modelFields()) /** @type {any} */ (field.closest("combo-field")).options = options;
    reveal(this.#find("#models-note"), draft.target === "custom" && this.#find("#models-note").textContent !== "");
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

  #pointAtProblem() {
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
    } else this.#find(`[name="${CSS.escape(field)}"]`)?.focus();
  }

  /** @param {Event} event */
  #typed = ({ target }) => {
    const draft = this.#draft;
    if (!draft || !(target instanceof HTMLElement)) return;
    this.#problem = null;
    if (target.closest("#body")) return this.#bodyTyped();
    if (target.closest("tool-list, header-rows")) return;
    const { name, value } = /** @type {Field} */ (target);
    if (name === "base_url") draft.set({ baseUrl: value });
    else if (name === "key") draft.set({ key: value });
    else if (name === "pace") draft.set({ pace: digits(target) });
    else if (name === "max_tokens") draft.change({ maxTokens: digits(target) });
    else if (name === "user") draft.change({ user: value });
    else if (name === "system") draft.change({ system: value });
    else if (name === "model") draft.change({ model: value.trim() }, this.#formatOf(/** @type {HTMLInputElement} */ (target)));
  };

  /** @param {Event} event */
  #chosen = ({ target }) => {
    const draft = this.#draft;
    if (!draft || !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const { name, value } = target;
    if (["format", "shown", "target", "reasoning", "stream"].includes(name)) {
      this.#flush();
      this.#problem = null;
    }
    if (name === "format") draft.choose(/** @type {FormatName|"all"} */ (value));
    else if (name === "shown") draft.show(/** @type {FormatName} */ (value));
    else if (name === "target") draft.setTarget(value === "custom" ? "custom" : "gateway");
    else if (name === "reasoning") draft.change({ reasoning: value });
    else if (name === "stream") draft.change({ stream: /** @type {HTMLInputElement} */ (target).checked });
    if (["target", "base_url", "key"].includes(name)) this.#askModels();
  };

  #edited = () => {
    this.#problem = null;
    this.#draft?.change({ tools: this.#find("tool-list").value });
    this.#draft?.set({ headers: this.#find("header-rows").value });
  };

  /** @param {Event} event */
  #picked = (event) => {
    this.#draft?.change({ scenario: /** @type {CustomEvent<string>} */ (event).detail });
  };

  /** @param {Event} event */
  #clicked = ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const draft = this.#draft;
    if (!button || !draft) return;
    if (button.matches(".stop")) this.dispatchEvent(new CustomEvent("stop"));
    else if (button.matches(".composer-fold")) this.#fold(!this.hasAttribute("data-folded"));
    else if (button.id === "rebuild") draft.rebuild();
    else if (button.matches(".snippet")) {
      this.#flush();
      this.problem = draft.problem;
      if (this.#problem) this.#pointAtProblem();
      else this.dispatchEvent(new CustomEvent("snippet", { detail: snippetRequests(draft) }));
    }
  };

  /** @param {Event} event */
  #submitted = (event) => {
    event.preventDefault();
    this.run();
  };

  #bodyTyped() {
    clearTimeout(this.#pause);
    if (this.#find("#body").value.length < LARGE_BODY) this.#flush();
    else this.#pause = window.setTimeout(() => this.#flush(), PAUSE);
  }

  /** Take over what was typed into the body. */
  #flush() {
    clearTimeout(this.#pause);
    const draft = this.#draft;
    const text = this.#find("#body").value;
    if (draft && draft.bodies[draft.shown].text !== text) draft.edit(text);
  }

  #askModels() {
    const { target, baseUrl, key } = /** @type {Draft} */ (this.#draft);
    if (target !== "custom" || addressProblem(baseUrl)) return;
    this.dispatchEvent(new CustomEvent("models", { detail: { target, base_url: baseUrl.trim(), key } }));
  }

  /** Where the stage stands below, the composer makes room for it. @param {boolean} folded */
  #fold(folded) {
    this.toggleAttribute("data-folded", folded);
    this.#find(".composer-fold").setAttribute("aria-expanded", String(!folded));
  }

  /** @returns {NodeListOf<HTMLInputElement>} */
  #modelFields() {
    return this.querySelectorAll('[name="model"]');
  }

  /** The lane of a field for a model. @param {HTMLInputElement} field */
  #formatOf(field) {
    const format = FORMAT_NAMES.find((name) => name === field.dataset.format);
    return format ?? /** @type {Draft} */ (this.#draft).shown;
  }

  /** @param {string} name @param {string} value */
  #fill(name, value) {
    fillField(this.#find(`[name="${name}"]`), value);
  }

  /** @param {string} name @param {string} value */
  #check(name, value) {
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (this.querySelectorAll(`[name="${name}"]`))) {
      radio.checked = radio.value === value;
    }
  }
}

/** @param {Field} field @param {string} value */
function fillField(field, value) {
  if (field.value !== value && field.value.trim() !== value) field.value = value;
}

/** What is left of a field's text when all but digits is taken out. @param {HTMLElement} field */
function digits(field) {
  const input = /** @type {HTMLInputElement} */ (field);
  const clean = input.value.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  if (input.value !== clean) input.value = clean;
  return clean;
}

customElements.define("stream-composer", StreamComposer);
