/**
 * The Play page: brings composer, stage and server together. Run starts a session and gives it the page's address;
 * going back and forward, or opening /sessions/<id>/, watches the session that the address names.
 */

import "./elements/json-editor.js";
import "./elements/combo-field.js";
import "./elements/scenario-chips.js";
import "./elements/header-rows.js";
import "./elements/tool-list.js";
import "./elements/lens-pane.js";
import "./elements/snippet-dialog.js";
import "./elements/composer.js";
import "./elements/composer-edge.js";
import "./elements/import-drop.js";
import "./elements/tag-editor.js";
import "./elements/session-bar.js";
import "./elements/share-dialog.js";
import "./elements/export-menu.js";
import { makeCopyButton } from "./drawing/dom.js";
import { Draft } from "./model/draft.js";
import { EXAMPLE_TOOLS, FIRST_PROMPT } from "./model/examples.js";
import { SessionModel } from "./model/session.js";
import { followCharges } from "./sources/charges.js";
import { askCharge, askModels, renameSession, startSession, stopSession } from "./sources/doors.js";
import { sendImport } from "./sources/import-door.js";
import { lensBelow } from "./sources/lens.js";
import { askCounts, deleteSessions, restoreSessions, tagSessions } from "./sources/library.js";
import { connectLive } from "./sources/live.js";
import { markerDoors } from "./sources/marker-doors.js";
import { shareDoors } from "./sources/share-doors.js";
import { Viewing, linksBelow } from "./viewing.js";

/** @typedef {import("./elements/composer.js").StreamComposer} StreamComposer */
/** @typedef {Parameters<typeof askCharge>[0]} SentLane */

const composer = /** @type {StreamComposer} */ (document.querySelector("stream-composer"));
const viewing = new Viewing();
const bar = /** @type {import("./elements/session-bar.js").SessionBar} */ (document.querySelector("session-bar"));
const sharing = /** @type {import("./elements/share-dialog.js").ShareDialog} */ (document.querySelector("share-dialog"));
const exporting = /** @type {import("./elements/export-menu.js").ExportMenu} */ (document.querySelector("export-menu"));
const importing = /** @type {import("./elements/import-drop.js").ImportDrop} */ (document.querySelector("import-drop"));
const snippets = /** @type {import("./elements/snippet-dialog.js").SnippetDialog} */ (document.querySelector("snippet-dialog"));
const settings = JSON.parse(document.querySelector("#play-settings")?.textContent ?? "{}");
const draft = new Draft(settings);
/** Chat Completions is Chat where there is little room. */
const LENS_FORMATS = draft.settings.formats.map(({ name, title }) => ({ name, title: title.split(" ")[0] }));

/** The session that is watched. @type {{id: string, session: SessionModel, live: ReturnType<typeof connectLive>, forget: () => void} | null} */
let watched = null;
/** Counts questions for models, so that a late answer to an earlier one is passed over. */
let asked = 0;
/** Base URLs of targets that have no ledger: they are not asked again. @type {Set<string>} */
const without = new Set();

/**
 * Asks for the cost of a lane. A session that this page did not start has no key here: then only the gateway is asked.
 * @param {SessionModel} session
 * @param {SentLane[]} sent
 */
function askingCharges(session, sent) {
  return (/** @type {number} */ index, /** @type {string} */ requestId) => {
    const { format, target } = session.lanes[index].facts;
    const lane = sent[index] ?? { format, target, base_url: "", key: "", headers: [] };
    if ((!sent[index] && target !== "gateway") || without.has(lane.base_url)) return null;
    return askCharge(lane, requestId).then((answer) => {
      if (lane.target !== "gateway" && "ledger" in answer && !answer.ledger) without.add(lane.base_url);
      return answer;
    });
  };
}

/** What the bar above the stage may do with a session. @param {string} id @returns {import("./elements/session-bar.js").SessionDoors} */
function doorsOf(id) {
  return {
    rename: (title) => renameSession(id, title),
    tag: async (change) => {
      const answer = await tagSessions([id], change);
      return "tags" in answer ? answer.tags[id] ?? [] : answer;
    },
    known: async () => {
      const counts = await askCounts({});
      return "tags" in counts ? Object.keys(counts.tags) : [];
    },
    remove: () => deleteSessions([id]),
    restore: () => restoreSessions([id]),
  };
}

/**
 * Watch a session; with `fill` the composer becomes its request.
 * @param {string} id
 * @param {boolean} fill
 * @param {SentLane[]} sent its lanes as they were sent, when this page started it
 */
function watch(id, fill, sent = []) {
  leave();
  const session = new SessionModel();
  let filled = !fill;
  if (fill) composer.makeRoom();
  const forgetState = session.subscribe(() => {
    if (!filled && session.lanes.length > 0) {
      filled = true;
      // An import may have no request: the composer stays as it is.
      const requests = session.lanes.map((lane) => lane.facts).filter((facts) => facts.request_body !== "");
      if (requests.length > 0) draft.fromSession(requests);
    }
  });
  const forgetCharges = followCharges(session, askingCharges(session, sent), (pause) => new Promise((go) => setTimeout(go, pause)));
  const forget = () => {
    forgetState();
    forgetCharges();
  };
  watched = { id, session, live: connectLive(id, session), forget };
  bar.doors = doorsOf(id);
  bar.session = session;
  sharing.doors = shareDoors(id);
  session.markers.doors = markerDoors(id);
  session.markers.load();
  exporting.session = session;
  exporting.address = `/sessions/${encodeURIComponent(id)}`;
  viewing.show(session, { ...linksBelow(exporting.address), lens: lensBelow(exporting.address, LENS_FORMATS), snippets: true });
}

function leave() {
  watched?.forget();
  watched?.live.close();
  watched = null;
  bar.session = null;
  sharing.doors = null;
  viewing.leave();
}

/** @param {Event} event */
async function run(event) {
  composer.busy = true;
  composer.problem = null;
  const request = /** @type {CustomEvent<{lanes: SentLane[]}>} */ (event).detail;
  const answer = await startSession(request);
  composer.busy = false;
  if ("problem" in answer) {
    composer.point(answer.problem);
    return;
  }
  history.pushState(null, "", answer.address);
  watch(answer.id, false, request.lanes);
}

function stop() {
  if (!watched?.session.running) return;
  if (watched.session.touch === "open") watched.live.stop();
  else stopSession(watched.id);
}

/** @param {Event} event */
async function offerModels(event) {
  const mine = (asked += 1);
  composer.models = { models: [], note: "Asking for its models." };
  const answer = await askModels(/** @type {CustomEvent} */ (event).detail);
  if (mine !== asked) return;
  if ("problem" in answer) composer.models = { models: [], note: answer.problem.message };
  else composer.models = { models: answer.models, note: `${answer.models.length} models offered.` };
}

/** The gateway tells what it can play. */
async function meetGateway() {
  const answer = await askModels({ target: "gateway", base_url: "", key: "" });
  if ("problem" in answer) composer.problem = answer.problem;
  else draft.meetGateway({ models: answer.models, scenarios: answer.scenarios ?? [] });
}

/** The session that the address names is what the page shows. */
function follow() {
  const id = /^\/sessions\/([^/]+)\/$/.exec(location.pathname)?.[1];
  if (!id) leave();
  else if (decodeURIComponent(id) !== watched?.id) watch(decodeURIComponent(id), true);
}

/** @param {import("./model/keys.js").KeyAction} action */
function act(action) {
  if (action === "run") composer.run();
  else if (action === "stop" && watched?.session.running) stop();
  else return false;
  return true;
}

/** A chip of the empty stage: the request it stands for, sent. @param {Event} event */
function tryOut(event) {
  const chip = event.target instanceof Element ? event.target.closest("button[data-scenario]") : null;
  if (!(chip instanceof HTMLElement)) return;
  draft.setTarget("gateway");
  draft.change({ scenario: chip.dataset.scenario ?? "", user: FIRST_PROMPT, tools: EXAMPLE_TOOLS });
  composer.run();
}

function putCopyButtons() {
  const address = document.querySelector("#gateway-address");
  document.querySelector("#copy-address")?.replaceWith(makeCopyButton("plain", () => address?.textContent ?? ""));
  document.querySelector("#copy-body")?.replaceWith(makeCopyButton("plain", () => draft.bodies[draft.shown].text));
}

composer.draft = draft;
exporting.kinds = JSON.parse(document.querySelector("#export-kinds")?.textContent ?? "[]");
importing.send = sendImport;
importing.addEventListener("imported", (event) => location.assign(/** @type {CustomEvent} */ (event).detail.address));
viewing.stage.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-import]")) importing.open();
});
composer.addEventListener("run", run);
composer.addEventListener("stop", stop);
composer.addEventListener("models", offerModels);
for (const element of [composer, viewing.stage]) element.addEventListener("snippet", (event) => snippets.open(/** @type {CustomEvent} */ (event).detail));
viewing.stage.addEventListener("click", tryOut);
viewing.onAction = act;
viewing.onChange = () => (composer.running = viewing.session?.running ?? false);
viewing.begin();
window.addEventListener("popstate", follow);
putCopyButtons();
meetGateway();
if (document.body.dataset.session) watch(document.body.dataset.session, true);
