/**
 * What was said, folded from the operations of playground/transcript.py: the same parts after every step. Used by
 * lane.js; drawn by the Said pane.
 *
 * Nothing is forgotten. The number of operations applied so far is a *position*; parts, fields and text can be asked
 * what they were at any earlier one, so a scrubber needs no server.
 *
 * @typedef {[number, string, ...any[]]} Operation
 */

import { Column } from "./columns.js";
import { Growth } from "./growth.js";

/** Fields whose text grows; the same as GROWING in playground/formats/updates.py. */
export const GROWING = new Set(["text", "arguments", "input", "transcript", "data"]);

/** What a part's `status` says when it counts no more; the same as in playground/transcript.py. */
export const GIVEN_UP = new Set(["abandoned", "superseded"]);

/** A field's values and the positions from which they held. */
class FieldHistory {
  constructor() {
    /** @type {number[]} */
    this.positions = [];
    /** @type {unknown[]} */
    this.values = [];
  }

  /**
   * @param {number} position
   * @param {unknown} value
   */
  set(position, value) {
    this.positions.push(position);
    this.values.push(value);
  }

  /** How many values had been set at a position. @param {number} position */
  countAt(position) {
    let low = 0;
    let high = this.positions.length;
    if (high > 0 && this.positions[high - 1] <= position) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.positions[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} position */
  at(position) {
    return this.values[this.countAt(position) - 1];
  }
}

export class Part {
  /**
   * @param {number} number
   * @param {string} kind
   * @param {number} opened position
   */
  constructor(number, kind, opened) {
    this.number = number;
    this.kind = kind;
    this.opened = opened;
    /** Position of the close, Infinity while the part is open. */
    this.closedAt = Infinity;
    /** @type {Map<string, FieldHistory>} */
    this.fields = new Map();
    /** What grew: for each field its editions, the last one stands. @type {Map<string, Growth[]>} */
    this.grown = new Map();
    /** Positions of operations that repeated what stood already. @type {number[]} */
    this.repeats = [];
    /** @type {Part | null} */
    this.next = null;
  }

  get closed() {
    return this.closedAt !== Infinity;
  }

  /**
   * A field's value, or what grew, as the wire has it; undefined when neither came.
   * @param {string} field
   * @param {number} position
   * @returns {any}
   */
  value(field, position = Infinity) {
    const growth = this.growth(field, position);
    if (growth) return growth.textAt(position);
    return this.fields.get(field)?.at(position);
  }

  /**
   * The text of a growing field as a person sees it: a half of a character that stayed alone is U+FFFD.
   * @param {string} field
   * @param {number} position
   */
  shown(field, position = Infinity) {
    return (this.growth(field, position)?.textAt(position) ?? "").toWellFormed();
  }

  /**
   * The edition of a growing field that stands at a position.
   * @param {string} field
   * @param {number} position
   */
  growth(field, position = Infinity) {
    const editions = this.grown.get(field);
    if (!editions) return undefined;
    let index = editions.length - 1;
    if (position === Infinity || editions[index].began <= position) return editions[index];
    let low = 0;
    while (low < index) {
      const middle = (low + index) >>> 1;
      if (editions[middle].began <= position) low = middle + 1;
      else index = middle;
    }
    return editions[low - 1];
  }

  /**
   * @param {number} position
   * @param {string} field
   * @param {any} value
   */
  set(position, field, value) {
    if (!GROWING.has(field)) {
      let history = this.fields.get(field);
      if (!history) this.fields.set(field, (history = new FieldHistory()));
      history.set(position, value);
      return;
    }
    const growth = new Growth(position);
    growth.append(position, value);
    const editions = this.grown.get(field);
    if (editions) editions.push(growth);
    else this.grown.set(field, [growth]);
  }

  /**
   * @param {number} position
   * @param {string} field
   * @param {string} text
   */
  append(position, field, text) {
    const editions = this.grown.get(field);
    if (editions) editions[editions.length - 1].append(position, text);
    else this.set(position, field, text);
  }
}

/** The parts between two resets. Part numbers start again in each. */
class Era {
  /** @param {number} began position */
  constructor(began) {
    this.began = began;
    this.lane = new Part(0, "lane", began);
    /** By number; the lane's own stands at 0. @type {Part[]} */
    this.parts = [this.lane];
    this.last = this.lane;
  }
}

export class Transcript {
  constructor() {
    this.position = 0;
    this.eras = [new Era(0)];
    /** Where errors were said. */
    this.errorsAt = new Column(Uint32Array, 4);
    /** The row and the part of every operation, by position - 1: the links between Said and Wire. */
    this.rowOf = new Column(Uint32Array);
    this.partOf = new Column(Uint32Array);
  }

  get #era() {
    return this.eras[this.eras.length - 1];
  }

  /** Grows by one with every reset. */
  get era() {
    return this.eras.length;
  }

  /** The lane's own fields: id, model, finish, usage, complete and the like. */
  get lane() {
    return this.#era.lane;
  }

  /** How many parts there are, the lane's own left out. */
  get size() {
    return this.#era.parts.length - 1;
  }

  /** @param {number} number */
  part(number) {
    return this.#era.parts[number];
  }

  /**
   * The era of a position: what was drawn in another one is void.
   * @param {number} position
   */
  eraAt(position = Infinity) {
    return this.eras.findLast((era) => era.began <= position) ?? this.eras[0];
  }

  /**
   * The parts in the order in which they stand, as they were at a position; the lane's own left out.
   * @param {number} position
   * @returns {Generator<Part>}
   */
  *standing(position = Infinity) {
    for (let part = this.eraAt(position).lane.next; part; part = part.next) if (part.opened <= position) yield part;
  }

  /**
   * The lane's own part as of a position.
   * @param {number} position
   */
  laneAt(position) {
    return this.eraAt(position).lane;
  }

  /**
   * Whether an error had been said that a reset had not taken back.
   * @param {number} position
   */
  failedAt(position) {
    return this.errorsAt.rank(position) > this.errorsAt.rank(this.eraAt(position).began);
  }

  /**
   * The part that the operation at a position speaks of, undefined for a reset.
   * @param {number} position
   * @returns {Part | undefined}
   */
  partAt(position) {
    const era = this.eraAt(position);
    return era.began === position ? undefined : era.parts[this.partOf.at(position - 1)];
  }

  /**
   * Apply one operation; the part that it speaks of, null for a reset.
   * @param {Operation} operation
   * @returns {Part | null}
   */
  apply(operation) {
    const era = this.#era;
    const position = ++this.position;
    this.rowOf.push(operation[0]);
    this.partOf.push(operation[2] ?? 0);
    const part = era.parts[operation[2]];
    switch (operation[1]) {
      case "append":
        part.append(position, operation[3], operation[4]);
        return part;
      case "set":
        part.set(position, operation[3], operation[4]);
        return part;
      case "open":
        return this.#open(position, operation[2], operation[3], operation[4], operation[5]);
      case "close":
        if (!part.closed) part.closedAt = position;
        return part;
      case "link":
        part.repeats.push(position);
        return part;
      case "reset":
        this.eras.push(new Era(position));
        return null;
      default:
        throw new Error(`no such operation: ${operation[1]}`);
    }
  }

  /**
   * @param {number} position
   * @param {number} number
   * @param {string} kind
   * @param {Record<string, any>} fields
   * @param {number | null} after the part it stands right behind, 0 for the front, null for the end
   */
  #open(position, number, kind, fields, after) {
    const era = this.#era;
    const part = new Part(number, kind, position);
    era.parts[number] = part;
    for (const field in fields) part.set(position, field, fields[field]);
    const before = after === null ? era.last : era.parts[after];
    part.next = before.next;
    before.next = part;
    if (before === era.last) era.last = part;
    if (kind === "error") this.errorsAt.push(position);
    return part;
  }
}
