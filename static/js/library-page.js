/**
 * The library's page: what the address looks for is asked of the server, page by page, and brought up to date while
 * something streams. What a person does with sessions goes to the server from here.
 */

import "./elements/import-drop.js";
import "./elements/keys-dialog.js";
import "./elements/library-filters.js";
import "./elements/session-list.js";
import "./elements/tag-editor.js";
import "./elements/theme-switch.js";
import { makeButton, reveal, write } from "./drawing/dom.js";
import { counted } from "./model/figures.js";
import { keyAction } from "./model/keys.js";
import { isNarrowed, LibraryModel, queryOf, wantedOf } from "./model/library.js";
import { Retry } from "./model/retry.js";
import { renameSession } from "./sources/doors.js";
import { sendImport } from "./sources/import-door.js";
import { askCounts, askEntries, askPage, deleteSessions, eraseSessions, restoreSessions, tagSessions } from "./sources/library.js";

const STREAMING_BEAT = 1500;
const QUIET_BEAT = 10_000;

/** @typedef {import("./elements/session-list.js").SessionList} SessionList */
/** @typedef {import("./elements/library-filters.js").LibraryFilters} LibraryFilters */
/** @typedef {import("./elements/keys-dialog.js").KeysDialog} KeysDialog */
/** @typedef {import("./elements/tag-editor.js").TagEditor} TagEditor */

const library = new LibraryModel();
const sessionList = /** @type {SessionList} */ (document.querySelector("session-list"));
const libraryFilters = /** @type {LibraryFilters} */ (document.querySelector("library-filters"));
const keysHelp = /** @type {KeysDialog} */ (document.querySelector("keys-dialog"));
const importDrop = /** @type {import("./elements/import-drop.js").ImportDrop} */ (document.querySelector("import-drop"));
const chosenTags = /** @type {TagEditor} */ (document.querySelector("#chosen tag-editor"));

/** @param {string} selector @returns {HTMLElement} */
function placeOf(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** Counts questions: a late answer to an earlier one is passed over. */
let question = 0;
let askingMore = false;
let beatTimer = 0;
let moreTimer = 0;
const moreRetry = new Retry();

async function lookAgain() {
  const mine = (question += 1);
  clearTimeout(moreTimer);
  moreRetry.worked();
  library.begin(wantedOf(location.search));
  const [page] = await Promise.all([askPage(library.wanted), recount()]);
  if (mine !== question) return;
  if ("problem" in page) library.fail(page.problem.message);
  else library.add(page);
  beatSoon();
}

async function recount() {
  const { wanted } = library;
  const counts = await askCounts(wanted);
  if (wanted !== library.wanted || "problem" in counts) return;
  library.counts = counts;
  library.changed();
}

async function moreEntries() {
  const { next, wanted } = library;
  if (next === null || askingMore || !moreRetry.ready) return;
  askingMore = true;
  const page = await askPage(wanted, next);
  askingMore = false;
  if (wanted !== library.wanted) return;
  if ("problem" in page) {
    moreTimer = window.setTimeout(moreEntries, moreRetry.failed());
    library.fail(page.problem.message);
  } else {
    moreRetry.worked();
    library.add(page);
  }
}

/** The first page once more, without taking away what is said of it until there is an answer. */
async function firstAgain() {
  const { wanted } = library;
  const page = await askPage(wanted);
  if (wanted !== library.wanted || library.phase !== "failed") return;
  if ("problem" in page) return library.fail(page.problem.message);
  library.add(page);
  recount();
}

/** A person need not wait for the pause. */
function askAgain() {
  clearTimeout(moreTimer);
  moreRetry.worked();
  if (library.phase === "failed") firstAgain();
  else moreEntries();
}

function beatSoon() {
  clearTimeout(beatTimer);
  beatTimer = window.setTimeout(updateShown, library.streaming.length > 0 ? STREAMING_BEAT : QUIET_BEAT);
}

/** What streams is asked for again, and what is new comes in front. */
async function updateShown() {
  const { wanted, streaming } = library;
  if (library.phase === "failed") await firstAgain();
  else if (!document.hidden) {
    const newestFirst = !wanted.sort || wanted.sort === "newest";
    const [now, top] = await Promise.all([
      streaming.length > 0 ? askEntries(streaming.slice(0, 100)) : { sessions: [] },
      newestFirst && !wanted.deleted ? askPage(wanted) : { sessions: [] },
    ]);
    if (wanted === library.wanted) {
      const before = library.entries.length;
      if ("sessions" in top) library.refreshTop(top.sessions);
      if ("sessions" in now) library.refresh(now.sessions);
      if (library.entries.length !== before || streaming.length !== library.streaming.length) recount();
    }
  }
  beatSoon();
}

/** @param {import("./model/library.js").WantedFields} wanted */
function goToWanted(wanted) {
  history.pushState(null, "", `/sessions/${queryOf(wanted)}`);
  lookAgain();
}

/** Whether it was done; what went wrong is told. @param {object} answer */
function wasDone(answer) {
  const problem = "problem" in answer ? /** @type {{message: string}} */ (answer.problem).message : "";
  library.problem = problem;
  library.changed();
  if (problem === "") recount();
  return problem === "";
}

/** @param {string} id @param {string} title */
async function renameEntry(id, title) {
  const answer = await renameSession(id, title);
  if (wasDone(answer) && "title" in answer) library.change(id, { title: answer.title });
}

/** @param {string[]} ids @param {{add?: string[], remove?: string[]}} change */
async function tagEntries(ids, change) {
  const answer = await tagSessions(ids, change);
  if (wasDone(answer) && "tags" in answer) for (const [id, tags] of Object.entries(answer.tags)) library.change(id, { tags });
}

/** In the library: delete; among what was deleted: for good. @param {string[]} ids */
async function deleteEntries(ids) {
  const wanted = ids.filter((id) => !library.gone.has(id));
  if (wanted.length === 0) return;
  const erasing = Boolean(library.wanted.deleted);
  if (wasDone(await (erasing ? eraseSessions(wanted) : deleteSessions(wanted)))) library.mark(wanted, erasing ? "erased" : "deleted");
}

/** Take back what was done to them: what was deleted returns, what was brought back goes again. @param {string[]} ids */
async function undoEntries(ids) {
  const restored = ids.filter((id) => library.gone.get(id) === "restored");
  const deleted = ids.filter((id) => library.gone.get(id) === "deleted");
  if (restored.length > 0 && wasDone(await deleteSessions(restored))) library.mark(restored, "");
  if (deleted.length > 0 && wasDone(await restoreSessions(deleted))) library.mark(deleted, "");
}

/** @param {string[]} ids */
async function restoreEntries(ids) {
  if (wasDone(await restoreSessions(ids))) library.mark(ids, "restored");
}

/** All of them, at the second press: it cannot be undone. */
async function eraseAll() {
  const sure = placeOf("#erase-all").hasAttribute("data-sure");
  placeOf("#erase-all").toggleAttribute("data-sure", !sure);
  if (sure && wasDone(await eraseSessions())) lookAgain();
  else drawLibrary();
}

/** What a row asks for. @param {Event} event */
function actFromRow(event) {
  const { act: name, id, title, add, remove: away } = /** @type {CustomEvent} */ (event).detail;
  if (name === "title") renameEntry(id, title);
  else if (name === "tag") tagEntries([id], { add, remove: away });
  else if (name === "delete") deleteEntries([id]);
  else if (name === "undo") undoEntries([id]);
  else if (name === "restore") restoreEntries([id]);
}

/** @param {KeyboardEvent} event */
function pressedInLibrary(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  const typing = target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])");
  const dialog = document.querySelector("dialog[open]") !== null;
  const inList = target === document.body || target.closest("session-list") !== null;
  const control = target.matches("a, button, summary, input, select");
  const action = keyAction(event, { typing, control, moving: true, dialog, single: keysHelp.single });
  if (event.defaultPrevented || dialog) return;
  if (!actOn(action, event, typing, inList)) return;
  event.preventDefault();
}

/** @param {string | null} action @param {KeyboardEvent} event @param {boolean} typing @param {boolean} inList */
function actOn(action, event, typing, inList) {
  const pointed = library.pointed;
  const plain = !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
  const single = plain && keysHelp.single;
  if (action === "keys") keysHelp.open();
  else if (action === "filter") libraryFilters.focusSearch();
  else if (action === "next" || (plain && inList && event.key === "ArrowDown")) pointAt(library.current + 1);
  else if (action === "previous" || (plain && inList && event.key === "ArrowUp")) pointAt(library.current - 1);
  else if (plain && inList && event.key === "Home") pointAt(0);
  else if (plain && inList && event.key === "End") pointAt(library.entries.length - 1);
  else if (!pointed) return false;
  else if (action === "open" && !pointed.deleted) location.assign(`/sessions/${encodeURIComponent(pointed.id)}/`);
  else if (single && event.key === "x") library.choose(pointed.id);
  else if (single && event.key === "e") sessionList.edit(pointed.id, "rename");
  else if (single && event.key === "t") sessionList.edit(pointed.id, "tags");
  else if (single && event.key === "u") undoEntries([pointed.id]);
  else if (plain && inList && event.key === "Delete") deleteEntries(library.chosen.size > 0 ? [...library.chosen] : [pointed.id]);
  else return false;
  return true;
}

/** @param {number} where */
function pointAt(where) {
  library.point(where);
  sessionList.revealCurrent();
}

function drawLibrary() {
  const { wanted, counts, entries, phase, chosen, gone } = library;
  const shown = counts && (isNarrowed(wanted) ? `${counted(counts.matching, "session")} of ${counts.total.toLocaleString("en-US")}` : counted(wanted.deleted ? counts.deleted : counts.total, "session"));
  write(placeOf("#library-count"), shown ?? "");
  write(placeOf("#library-title"), wanted.deleted ? "Deleted" : "Library");
  write(placeOf("#library-problem"), library.problem);
  reveal(placeOf("#ask-again"), library.problem !== "" && (phase === "failed" || library.next !== null));
  const nothing = phase === "here" && entries.length === 0;
  reveal(placeOf("#library-none"), nothing && isNarrowed(wanted));
  reveal(placeOf("#library-empty"), nothing && !isNarrowed(wanted) && !wanted.deleted);
  reveal(placeOf("#deleted-empty"), nothing && !isNarrowed(wanted) && Boolean(wanted.deleted));
  reveal(placeOf("#deleted-note"), Boolean(wanted.deleted) && entries.length > 0);
  const all = `all ${(counts?.deleted ?? 0).toLocaleString("en-US")} for good`;
  write(placeOf("#erase-all"), placeOf("#erase-all").hasAttribute("data-sure") ? `This cannot be undone: delete ${all}` : `Delete ${all}`);
  reveal(placeOf("#to-deleted"), !wanted.deleted && (counts?.deleted ?? 0) > 0);
  write(placeOf("#to-deleted"), `${counts?.deleted ?? 0} deleted`);
  reveal(placeOf("#to-library"), Boolean(wanted.deleted));
  reveal(libraryFilters, nothing ? isNarrowed(wanted) : phase !== "failed" || isNarrowed(wanted));
  reveal(placeOf("#chosen"), chosen.size > 0);
  write(placeOf("#chosen-count"), `${chosen.size} chosen`);
  reveal(chosenTags, !wanted.deleted);
  reveal(placeOf("#chosen-restore"), Boolean(wanted.deleted));
  write(placeOf("#chosen-delete"), wanted.deleted ? "Delete for good" : "Delete");
  const many = [...gone].filter(([, what]) => what === "deleted").length;
  reveal(placeOf("#undo-all"), many > 1);
  write(placeOf("#undo-all"), `${many} deleted: undo all`);
  chosenTags.known = Object.keys(counts?.tags ?? {});
}

function wireButtons() {
  /** @type {[string, string, () => void][]} */
  const buttons = [
    ["#chosen-restore", "Bring back", () => restoreEntries([...library.chosen])],
    ["#chosen-delete", "Delete", () => deleteEntries([...library.chosen])],
    ["#chosen-none", "Choose none", () => [...library.chosen].forEach((id) => library.choose(id, false))],
    ["#undo-all", "Undo all", () => undoEntries([...library.gone.keys()])],
    ["#clear-wanted", "Clear the search and the filters", () => libraryFilters.clear()],
    ["#erase-all", "", eraseAll],
    ["#ask-again", "Try again", askAgain],
    ["#import-first", "import a stream", () => importDrop.open()],
  ];
  for (const [selector, label, press] of buttons) {
    const button = makeButton("chip", label, press);
    button.id = selector.slice(1);
    placeOf(selector).replaceWith(button);
  }
}

wireButtons();
importDrop.send = sendImport;
importDrop.addEventListener("imported", (event) => location.assign(/** @type {CustomEvent} */ (event).detail.address));
chosenTags.addEventListener("tag", (event) => tagEntries([...library.chosen], /** @type {CustomEvent} */ (event).detail));
sessionList.addEventListener("more", moreEntries);
sessionList.addEventListener("act", actFromRow);
libraryFilters.addEventListener("wanted", (event) => goToWanted(/** @type {CustomEvent} */ (event).detail));
libraryFilters.addEventListener("leave", () => pointAt(Math.max(0, library.current)));
document.addEventListener("keydown", pressedInLibrary);
document.addEventListener("visibilitychange", () => !document.hidden && updateShown());
document.querySelector("#show-keys")?.addEventListener("click", () => keysHelp.open());
window.addEventListener("popstate", lookAgain);
library.subscribe(drawLibrary);
sessionList.library = library;
lookAgain();
libraryFilters.library = library;
