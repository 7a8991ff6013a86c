/**
 * The request that is being written: target, format, three bodies, headers, key. Knows no DOM. The composer changes it
 * and draws what it says; Run sends `toRequest()`. The bodies are the truth: the form is read from them.
 */

import { baseOfAddress, originOf, requestAddress } from "./address.js";
import { addressProblem } from "./composing.js";
import { JsonText } from "./json-text.js";
import { PACE_HEADER, personHeaders } from "./kept-request.js";
import { FORMAT_NAMES, blankForm, newBody, readForm, usualModel, writeForm } from "./request.js";

/** @typedef {import("./request.js").FormatName} FormatName */
/** @typedef {import("./request.js").Form & {scenario: string}} DraftForm `model` is without the scenario */
/** @typedef {{code: string, message: string, field?: string}} Problem */
/** @typedef {{id: string, format?: string}} Model */
/** @typedef {{name: string, look_for: string, max_tokens?: number}} Scenario `max_tokens`: fewer would cut it short */
/** @typedef {{name: FormatName, title: string, path: string}} FormatSetting */
/** @typedef {{gateway: {base_url: string, models: Model[], scenarios: Scenario[]}, formats: FormatSetting[]}} Settings */

/** Characters: SHORTEST_TEXT of playground/recordings/veil.py. */
const SHORTEST_MASK = 3;

/** Fields that all three bodies share; a model belongs to one. */
const SHARED = /** @type {const} */ (["maxTokens", "stream", "system", "user", "reasoning", "tools"]);

export class Draft {
  /** @param {Settings} settings */
  constructor(settings) {
    this.settings = settings;
    /** @type {"gateway"|"custom"} */
    this.target = "gateway";
    this.baseUrl = "";
    this.key = "";
    /** Whose key it is: the origin of the address that it was typed for. */
    this.keyOrigin = "";
    /** @type {FormatName|"all"} */
    this.format = "messages";
    /** The format whose body is shown. @type {FormatName} */
    this.shown = "messages";
    /** Of the person: [name, value]. @type {[string, string][]} */
    this.headers = [];
    /** Tokens a second of the gateway, "" for its own. */
    this.pace = "";
    /** Texts that are masked as keys are, one a line. */
    this.mask = "";
    /** @type {Record<FormatName, JsonText>} */
    this.bodies = { chat: new JsonText(""), messages: new JsonText(""), responses: new JsonText("") };
    /** What the form last said of a body, kept while the body is broken. @type {Record<FormatName, DraftForm>} */
    this.forms = { chat: blankForm("chat"), messages: blankForm("messages"), responses: blankForm("responses") };
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    for (const format of FORMAT_NAMES) this.#renew(format);
  }

  /** @param {() => void} listener @returns {() => void} undoes it */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The formats that Run sends. @returns {FormatName[]} */
  get lanes() {
    return this.format === "all" ? FORMAT_NAMES : [this.format];
  }

  /** @param {FormatName} [format] @returns {DraftForm} */
  form(format = this.shown) {
    return this.forms[format];
  }

  /** The address that a lane calls. @param {FormatName} [format] */
  address(format = this.shown) {
    const base = this.target === "gateway" ? this.settings.gateway.base_url : this.baseUrl;
    return requestAddress(base, this.#path(format));
  }

  /** The address without its host, for as long as there is one. @param {FormatName} [format] */
  path(format = this.shown) {
    const address = this.address(format);
    return URL.canParse(address) ? new URL(address).pathname : this.#path(format);
  }

  /** The person's own headers, and the pace. @returns {[string, string][]} */
  get sentHeaders() {
    const own = /** @type {[string, string][]} */ (this.headers.filter(([name]) => name.trim() !== ""));
    return this.target === "gateway" && this.pace !== "" ? [[PACE_HEADER, `tps=${this.pace}`], ...own] : own;
  }

  /** The texts that are to be masked. */
  get masked() {
    return this.mask.split("\n").map((text) => text.trim()).filter(Boolean);
  }

  /** What the gateway offers, once it is known. @param {{models: Model[], scenarios: Scenario[]}} offer */
  meetGateway({ models, scenarios }) {
    Object.assign(this.settings.gateway, { models, scenarios });
    for (const format of FORMAT_NAMES) this.#take(format, this.bodies[format]);
    this.#changed();
  }

  /** @param {"gateway"|"custom"} target */
  setTarget(target) {
    if (target === this.target) return;
    const forms = FORMAT_NAMES.map((format) => this.forms[format]);
    this.target = target;
    FORMAT_NAMES.forEach((format, index) => this.#write(format, { model: forms[index].model, scenario: forms[index].scenario }));
    this.#changed();
  }

  /** @param {Partial<Pick<Draft, "baseUrl"|"key"|"headers"|"pace"|"mask">>} values */
  set(values) {
    Object.assign(this, values);
    if (values.key !== undefined) this.keyOrigin = originOf(this.baseUrl);
    this.#changed();
  }

  /** A key goes to no other address than its own, the first one given with it: it is forgotten, and whether it was. */
  forgetForeignKey() {
    this.keyOrigin ||= originOf(this.baseUrl);
    const foreign = this.key !== "" && originOf(this.baseUrl) !== this.keyOrigin;
    if (foreign) this.set({ key: "" });
    return foreign;
  }

  /** Change the format; what the form says goes along. @param {FormatName|"all"} format */
  choose(format) {
    const from = this.shown;
    this.format = format;
    if (format !== "all") this.shown = format;
    for (const lane of this.lanes) if (lane !== from) this.#carry(from, lane);
    this.#changed();
  }

  /** Show the body of another lane. @param {FormatName} format */
  show(format) {
    this.shown = format;
    this.#changed();
  }

  /**
   * A change of the form: to all lanes, but for a model, which is its lane's own.
   * @param {Partial<DraftForm>} changes @param {FormatName} [format] the lane, when it is one alone
   */
  change(changes, format) {
    for (const lane of format ? [format] : this.lanes) this.#write(lane, changes);
    this.#changed();
  }

  /** A change of the body that is shown. @param {string} text */
  edit(text) {
    this.#take(this.shown, new JsonText(text));
    this.#changed();
  }

  /** Make the body anew from what the form says. */
  rebuild() {
    this.#renew(this.shown);
    this.#changed();
  }

  /** Why it cannot be sent, null when it can. @returns {Problem|null} */
  get problem() {
    const address = this.target === "custom" ? addressProblem(this.baseUrl) : "";
    if (address) return { code: "address", message: address, field: "lanes.0.base_url" };
    const name = this.headers.find(([header]) => header.trim() !== "" && !/^[\w!#$%&'*+.^`|~-]+$/.test(header.trim()))?.[0];
    if (name) return { code: "header", message: `“${name}” cannot be the name of a header.`, field: "lanes.0.headers" };
    const value = this.headers.find(([header, text]) => header.trim() !== "" && /[^\t\x20-\x7e\x80-\xff]/.test(text))?.[0];
    if (value) {
      return { code: "header", message: `The value of ${value} has characters that no header may have.`, field: "lanes.0.headers" };
    }
    const short = this.masked.find((text) => text.length < SHORTEST_MASK);
    if (short) {
      const message = `“${short}” is too short to be masked: write ${SHORTEST_MASK} characters at least.`;
      return { code: "mask", message, field: "lanes.0.mask" };
    }
    for (const [index, lane] of this.lanes.entries()) {
      const { problem } = this.bodies[lane];
      if (problem) return { code: "body", message: unsentMessage(problem), field: `lanes.${index}.body` };
    }
    return null;
  }

  /** The body of POST /sessions/. */
  toRequest() {
    const custom = this.target === "custom";
    const lanes = this.lanes.map((format) => ({
      format,
      target: this.target,
      base_url: custom ? this.baseUrl.trim() : "",
      body: this.bodies[format].text,
      headers: this.sentHeaders.map(([name, value]) => [name.trim(), value.trim()]),
      key: custom ? this.key : "",
    }));
    return { lanes, mask: this.masked };
  }

  /**
   * Become the request of a session, so that it can be changed and sent again.
   * @param {import("./messages.js").LaneMessage[]} lanes
   */
  fromSession(lanes) {
    const known = lanes.filter((lane) => this.settings.formats.some(({ name }) => name === lane.format));
    const first = known[0];
    if (!first) return;
    const format = /** @type {FormatName} */ (first.format);
    this.target = first.target === "gateway" ? "gateway" : "custom";
    this.format = known.length > 1 ? "all" : format;
    if (!this.lanes.includes(this.shown) || known.length === 1) this.shown = format;
    if (this.target === "custom") this.baseUrl = baseOfAddress(first.url);
    this.forgetForeignKey();
    const pace = first.request_headers.find(([name]) => name.toLowerCase() === PACE_HEADER)?.[1] ?? "";
    this.pace = /(?:^|[,\s])tps=(\d+)/.exec(pace)?.[1] ?? "";
    this.headers = personHeaders(first.request_headers);
    for (const lane of known) this.#take(/** @type {FormatName} */ (lane.format), new JsonText(lane.request_body));
    this.#changed();
  }

  /** @param {FormatName} format */
  #path(format) {
    return this.settings.formats.find(({ name }) => name === format)?.path ?? "";
  }

  /** @param {FormatName} format @param {JsonText} json */
  #take(format, json) {
    this.bodies[format] = json;
    if (json.problem) return;
    const form = readForm(format, json);
    this.forms[format] = { ...form, ...this.#parted(form.model) };
  }

  /** A broken body cannot be changed by the form: it keeps what was typed until the body is whole again.
   * @param {FormatName} format @param {Partial<DraftForm>} changes */
  #write(format, changes) {
    changes = this.#withRoom(changes, this.forms[format].maxTokens);
    const form = { ...this.forms[format], ...changes };
    if (changes.model !== undefined && changes.scenario === undefined) {
      const parted = this.#parted(changes.model);
      form.model = parted.model;
      form.scenario = parted.scenario || form.scenario;
    }
    this.forms[format] = form;
    if (this.bodies[format].problem) return;
    const written = changes.model === undefined && changes.scenario === undefined ? {} : { model: this.#joined(form) };
    this.#take(format, writeForm(format, this.bodies[format], { ...changes, ...written }));
    if (this.target === "custom") this.forms[format].scenario = form.scenario;
  }

  /** @param {FormatName} from @param {FormatName} to */
  #carry(from, to) {
    const source = this.forms[from];
    const changes = Object.fromEntries(SHARED.map((field) => [field, source[field]]));
    const usual = this.forms[to].model === usualModel(to) && source.model !== usualModel(from);
    const model = this.target === "custom" && usual ? { model: source.model } : {};
    this.#write(to, { ...changes, ...model, scenario: source.scenario });
  }

  /** @param {FormatName} format */
  #renew(format) {
    const form = this.forms[format];
    this.#take(format, newBody(format, { ...form, model: this.#joined(form) }));
  }

  /**
   * A scenario that is chosen gets the tokens that it needs to be seen whole.
   * @param {Partial<DraftForm>} changes @param {string} limit @returns {Partial<DraftForm>}
   */
  #withRoom(changes, limit) {
    const needed = this.settings.gateway.scenarios.find(({ name }) => name === changes.scenario)?.max_tokens ?? 0;
    return limit !== "" && Number(limit) < needed ? { ...changes, maxTokens: String(needed) } : changes;
  }

  /** @param {{model: string, scenario: string}} form */
  #joined({ model, scenario }) {
    return this.target === "gateway" && scenario ? `${model}:${scenario}` : model;
  }

  /** A model's name and the gateway's scenario behind its last colon. @param {string} model */
  #parted(model) {
    const colon = model.lastIndexOf(":");
    const name = model.slice(colon + 1);
    const known = this.target === "gateway" && this.settings.gateway.scenarios.some((scenario) => scenario.name === name);
    return colon > 0 && known ? { model: model.slice(0, colon), scenario: name } : { model, scenario: "" };
  }

  #changed() {
    for (const listener of [...this.listeners]) listener();
  }
}

/** @param {{line: number, column: number, message: string}} problem */
function unsentMessage({ line, column, message }) {
  return `Not sent, the body is no JSON: line ${line}, column ${column}, ${message}.`;
}
