/**
 * What is lit in a lane: the rows that brought a piece of what was said, or what a row changed. Panes ask what to light
 * and tell what is pointed at or chosen; what is chosen stays lit until it is let go, what is pointed at goes before it.
 * Made by lane.js.
 *
 * @typedef {import("./links.js").Spot} Spot
 * @typedef {import("./links.js").Change} Change
 *
 * @typedef {object} Beam
 * @property {"said" | "row"} from where it comes from
 * @property {number} row index of the row that was pointed at, -1 when it comes from Said
 * @property {Spot[]} spots what was pointed at in Said
 * @property {number} position how many operations were in view when the links were asked for, -1 before
 * @property {Uint32Array} rows numbers of the rows that are lit, rising
 * @property {Uint32Array} repeats numbers of rows that say it again, or close it
 * @property {Change[]} changes what is lit in Said because of a row
 */

import { changesOf, includes, rowsOf } from "./links.js";

const NO_ROWS = new Uint32Array(0);

/** @param {"said" | "row"} from @param {number} row @param {Spot[]} spots @returns {Beam} */
function beamOf(from, row, spots) {
  return { from, row, spots, position: -1, rows: NO_ROWS, repeats: NO_ROWS, changes: [] };
}

/** @param {Spot} a @param {Spot} b */
function sameSpot(a, b) {
  return a.part === b.part && a.field === b.field && a.from === b.from && a.to === b.to && a.figure === b.figure;
}

/** @param {Beam | null} a @param {Beam | null} b */
function sameBeam(a, b) {
  if (a === null || b === null) return a === b;
  if (a.from !== b.from || a.row !== b.row || a.spots.length !== b.spots.length) return false;
  return a.spots.every((spot, index) => sameSpot(spot, b.spots[index]));
}

/** Two rising lists as one, each number once. @param {Uint32Array} one @param {Uint32Array} other */
function mergedRows(one, other) {
  const all = new Uint32Array(one.length + other.length);
  let length = 0;
  for (let place = 0, beside = 0; place < one.length || beside < other.length; length++) {
    const number = Math.min(one[place] ?? Infinity, other[beside] ?? Infinity);
    all[length] = number;
    if (one[place] === number) place++;
    if (other[beside] === number) beside++;
  }
  return all.slice(0, length);
}

/**
 * All rows of several rising lists, each once, rising.
 * @param {Uint32Array[]} lists
 * @returns {Uint32Array}
 */
export function union(lists) {
  if (lists.length < 2) return lists[0] ?? NO_ROWS;
  const half = lists.length >> 1;
  return mergedRows(union(lists.slice(0, half)), union(lists.slice(half)));
}

export class Light {
  /**
   * @param {import("./transcript.js").Transcript} transcript
   * @param {() => number} position how many operations are in view
   */
  constructor(transcript, position) {
    this.transcript = transcript;
    this.position = position;
    /** @type {Beam | null} */
    this.pointed = null;
    /** @type {Beam | null} */
    this.held = null;
    /** Grows whenever something else is lit. */
    this.version = 0;
  }

  /**
   * Point at a piece of what was said; whether that changes what is lit.
   * @param {import("./transcript.js").Part} part
   * @param {string} field
   * @param {number} [from] UTF-16 units of a field that grows
   * @param {number} [to]
   */
  said(part, field, from, to) {
    return this.point([{ part, field, from, to }]);
  }

  /** Point at pieces of what was said. @param {Spot[]} spots */
  point(spots) {
    return this.#shine(spots.length > 0 ? beamOf("said", -1, spots) : null);
  }

  /** Point at a row. @param {number} index */
  row(index) {
    return this.#shine(index < 0 ? null : beamOf("row", index, []));
  }

  /** Point at nothing: what was chosen is lit again. */
  leave() {
    return this.#shine(null);
  }

  /** Choose pieces of what was said. @param {Spot[]} spots */
  hold(spots) {
    return this.#choose(spots.length > 0 ? beamOf("said", -1, spots) : null);
  }

  /** Choose a row. @param {number} index */
  holdRow(index) {
    return this.#choose(index < 0 ? null : beamOf("row", index, []));
  }

  /** Let go of what was chosen, and of what is pointed at. Whether anything was lit. */
  release() {
    return this.#choose(null);
  }

  /** @param {Beam | null} wanted */
  #shine(wanted) {
    const beam = sameBeam(wanted, this.held) ? null : wanted;
    if (sameBeam(this.pointed, beam)) return false;
    this.pointed = beam;
    this.version++;
    return true;
  }

  /** @param {Beam | null} beam */
  #choose(beam) {
    const pointed = this.#shine(null);
    if (sameBeam(this.held, beam)) return pointed;
    this.held = beam;
    this.version++;
    return true;
  }

  /** What is lit in Said now, null when nothing is. Its links are those of the moment in view. */
  get beam() {
    return this.#asked(this.pointed ?? this.held);
  }

  /** What lights rows now: something of Said, also while a row is pointed at. */
  get lit() {
    return this.#asked([this.pointed, this.held].find((beam) => beam?.from === "said") ?? null);
  }

  /** @param {Beam | null} beam */
  #asked(beam) {
    if (beam) this.#ask(beam);
    return beam;
  }

  /** @param {Beam} beam */
  #ask(beam) {
    const position = this.position();
    if (beam.position === position) return;
    const lit = beam.rows.length + beam.repeats.length;
    const asked = beam.position >= 0;
    beam.position = position;
    if (beam.from === "row") {
      beam.rows = Uint32Array.of(beam.row + 1);
      beam.changes = changesOf(this.transcript, beam.row + 1);
      return;
    }
    const found = beam.spots.map((spot) => rowsOf(this.transcript, spot, position));
    beam.rows = union(found.map(({ brought }) => brought));
    beam.repeats = union(found.map(({ repeated }) => repeated)).filter((row) => !includes(beam.rows, row));
    if (asked && lit !== beam.rows.length + beam.repeats.length) this.version++;
  }

  /** Grows whenever something else is lit, also because the moment in view is another one. */
  get edition() {
    this.#asked(this.pointed ?? this.held);
    return this.version;
  }

  /**
   * How a row is lit: it brought what is pointed at, it says it again, or not at all.
   * @param {number} index
   * @param {Beam | null} beam
   * @returns {"lit" | "again" | ""}
   */
  ofRow(index, beam = this.lit) {
    if (!beam) return "";
    if (includes(beam.rows, index + 1)) return "lit";
    return includes(beam.repeats, index + 1) ? "again" : "";
  }
}
