/**
 * Draws a Draft into the form of the composer: each field that says something else, what is shown for which target and
 * format, the body. Called by the composer whenever the draft changes.
 */

import { draftGist, formGists } from "../model/composing.js";
import { FORMAT_NAMES } from "../model/request.js";
import { reveal, write } from "./dom.js";

/** @typedef {import("../model/draft.js").Draft} Draft */
/** @typedef {import("../model/request.js").FormatName} FormatName */

/** @param {HTMLElement} root @param {Draft} draft @param {import("../model/draft.js").Model[]} models of another address */
export function drawRequestForm(root, draft, models) {
  const find = (/** @type {string} */ selector) => /** @type {any} */ (root.querySelector(selector));
  const form = draft.form();
  drawParts(root, draft);
  for (const [name, value] of Object.entries({
    target: draft.target,
    base_url: draft.baseUrl,
    key: draft.key,
    max_tokens: form.maxTokens,
    user: form.user,
    system: form.system,
    pace: draft.pace,
    mask: draft.mask,
  })) {
    fill(find(`[name="${name}"]`), value);
  }
  for (const [name, value] of Object.entries({ format: draft.format, shown: draft.shown, reasoning: form.reasoning })) {
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(`[name="${name}"]`))) {
      radio.checked = radio.value === value;
    }
  }
  const level = root.querySelector(`[name="reasoning"][value="${CSS.escape(form.reasoning)}"]`);
  write(find("#reasoning-note"), level ? "" : `The body asks for “${form.reasoning}”.`);
  find('[name="stream"]').checked = form.stream;
  find("scenario-chips").scenarios = draft.settings.gateway.scenarios;
  find("scenario-chips").chosen = form.scenario;
  find("tool-list").value = form.tools;
  find("tool-list").otherCount = form.otherTools;
  if (!find("header-rows").contains(document.activeElement)) find("header-rows").value = draft.headers;
  for (const [name, text] of Object.entries(formGists(draft))) write(find(`[data-gist="${name}"]`), text);
  write(find(".composer-fold-gist"), draftGist(draft));
  drawModels(root, draft, models);
  drawBody(root, draft);
}

/** The lane whose model a field holds: its own, or that of the body that is shown. @param {HTMLElement} field @param {Draft} draft */
export function formatOfField(field, draft) {
  return FORMAT_NAMES.find((name) => name === field.dataset.format) ?? draft.shown;
}

/** What there is for this target and this format. @param {HTMLElement} root @param {Draft} draft */
function drawParts(root, draft) {
  const all = draft.format === "all";
  const custom = draft.target === "custom";
  const facts = { custom, gateway: !custom, all, one: !all };
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-when]"))) {
    reveal(element, facts[/** @type {keyof typeof facts} */ (element.dataset.when)]);
  }
}

/** @param {HTMLElement} root @param {Draft} draft @param {import("../model/draft.js").Model[]} models */
function drawModels(root, draft, models) {
  const offered = draft.target === "gateway" ? draft.settings.gateway.models : models;
  const options = offered.map(({ id, format }) => ({ value: id, note: format ?? "" }));
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll('[name="model"]'))) {
    /** @type {any} */ (field.closest("combo-field")).options = options;
    fill(field, draft.form(formatOfField(field, draft)).model);
  }
  const note = /** @type {HTMLElement} */ (root.querySelector("#models-note"));
  reveal(note, draft.target === "custom" && note.textContent !== "");
}

/** @param {HTMLElement} root @param {Draft} draft */
function drawBody(root, draft) {
  const { text, problem } = draft.bodies[draft.shown];
  const editor = /** @type {any} */ (root.querySelector("#body"));
  const address = /** @type {HTMLElement} */ (root.querySelector(".composer-address"));
  editor.value = text;
  if (editor.problem !== problem) editor.problem = problem;
  reveal(/** @type {HTMLElement} */ (root.querySelector("#rebuild")), problem !== null);
  write(address, `POST ${draft.path()}`);
  address.title = draft.target === "custom" && draft.baseUrl === "" ? "" : draft.address();
}

/** Only a text that differs is set, so that the caret stays. @param {HTMLInputElement} field @param {string} value */
function fill(field, value) {
  if (field.value !== value && field.value.trim() !== value) field.value = value;
}

/** What is left of a field's text when all but digits is taken out. @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field */
export function digits(field) {
  const clean = field.value.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  if (field.value !== clean) field.value = clean;
  return clean;
}
