/**
 * The library as the page has it: what is looked for, the sessions found so far, which are chosen or deleted. Answers
 * of the server come in by library-page.js; elements subscribe. Knows no DOM.
 *
 * @typedef {{format: string, host: string, model: string, word: string}} EntryLane `word` "" while it streams
 * @typedef {{
 *   id: string, title: string, created: number, origin: string, deleted: number | null, tags: string[], line: string,
 *   lanes: EntryLane[], duration: number, events: number, tokens: number, findings: number, errors: number,
 * }} Entry `duration` in microseconds, 0 when unknown
 * @typedef {{sessions: Entry[], next: string | null}} EntryPage
 * @typedef {Record<string, number>} Tally
 * @typedef {{
 *   matching: number, total: number, deleted: number,
 *   formats: Tally, targets: Tally, words: Tally, origins: Tally, tags: Tally,
 * }} Counts
 * @typedef {Record<string, string>} WantedFields by name, what is not looked for is left out
 */

/** What an address of the library may name. */
const WANTED_NAMES = ["q", "format", "target", "word", "tag", "origin", "findings", "sort", "deleted"];

/** @param {string} search of the address @returns {WantedFields} */
export function wantedOf(search) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(WANTED_NAMES.map((name) => [name, query.get(name)?.trim() ?? ""]).filter(([, value]) => value !== ""));
}

/** @param {WantedFields} wanted @returns {string} the query of an address, "" when nothing is looked for */
export function queryOf(wanted) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([name, value]) => value !== "" && !(name === "sort" && value === "newest")));
  return query.size === 0 ? "" : `?${query}`;
}

/** Whether anything but the order is asked for. @param {WantedFields} wanted */
export function isNarrowed(wanted) {
  return Object.keys(wanted).some((name) => name !== "sort" && name !== "deleted");
}

/** @param {Entry} entry */
export function isStreaming({ lanes }) {
  return lanes.some(({ word }) => word === "");
}

export class LibraryModel {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {WantedFields} */
  wanted = {};
  /** @type {Entry[]} */
  entries = [];
  /** Where the next page begins, null behind the last. @type {string | null} */
  next = null;
  /** @type {Counts | null} */
  counts = null;
  /** @type {"asking" | "here" | "failed"} */
  phase = "asking";
  /** What the server had to say to the person. */
  problem = "";
  /** Ids that were chosen for something. @type {Set<string>} */
  chosen = new Set();
  /** Ids of entries that were deleted, brought back or removed for good on this page, and which of it. @type {Map<string, string>} */
  gone = new Map();
  /** The place that keys point at, -1 for none. */
  current = -1;
  /** How many entries came in front of the list since it was begun. */
  before = 0;

  /** @param {() => void} listener @returns {() => void} undoes it */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed() {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Look for something else: what was found goes. @param {WantedFields} wanted */
  begin(wanted) {
    Object.assign(this, { wanted, entries: [], next: null, phase: "asking", problem: "", chosen: new Set(), gone: new Map(), current: -1, before: 0 });
    this.changed();
  }

  /** @param {EntryPage} page the first one, or the one behind what is here */
  add({ sessions, next }) {
    const known = new Set(this.entries.map(({ id }) => id));
    this.entries.push(...sessions.filter(({ id }) => !known.has(id)));
    Object.assign(this, { next, phase: "here", problem: "" });
    this.changed();
  }

  /** @param {string} message */
  fail(message) {
    Object.assign(this, { phase: this.entries.length > 0 ? "here" : "failed", problem: message });
    this.changed();
  }

  /** Entries as they are now: known ones are brought up to date. @param {Entry[]} entries */
  refresh(entries) {
    const now = new Map(entries.map((entry) => [entry.id, entry]));
    this.entries = this.entries.map((entry) => now.get(entry.id) ?? entry);
    this.changed();
  }

  /** The first page as it is now, of a list whose newest stand first: new ones come in front. @param {Entry[]} entries */
  refreshTop(entries) {
    const known = new Set(this.entries.map(({ id }) => id));
    const oldest = this.entries[0]?.created ?? -Infinity;
    const fresh = entries.filter(({ id, created }) => !known.has(id) && created >= oldest);
    this.entries.unshift(...fresh);
    this.before += fresh.length;
    if (this.current >= 0) this.current += fresh.length;
    this.refresh(entries);
  }

  /** @param {string} id @param {Partial<Entry>} change */
  change(id, change) {
    this.entries = this.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
    this.changed();
  }

  /** Say what became of entries; "" takes it back. They keep their places. @param {string[]} ids @param {string} what */
  mark(ids, what) {
    for (const id of ids) {
      if (what === "") this.gone.delete(id);
      else this.gone.set(id, what);
      this.chosen.delete(id);
    }
    this.changed();
  }

  /** @param {string} id @param {boolean} [on] */
  choose(id, on = !this.chosen.has(id)) {
    if (on && !this.gone.has(id)) this.chosen.add(id);
    else this.chosen.delete(id);
    this.changed();
  }

  /** @param {number} place */
  point(place) {
    this.current = this.entries.length === 0 ? -1 : Math.max(0, Math.min(place, this.entries.length - 1));
    this.changed();
  }

  /** The entry that keys point at. */
  get pointed() {
    return this.entries[this.current] ?? null;
  }

  /** Ids of the entries that still stream. */
  get streaming() {
    return this.entries.filter((entry) => isStreaming(entry) && !this.gone.has(entry.id)).map(({ id }) => id);
  }
}
