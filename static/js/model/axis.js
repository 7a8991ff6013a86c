/**
 * The axis on which all lanes of a session stand: microseconds since the first request was written, or row numbers where
 * times are unknown. Places on it, what of each lane is in view at one, and the stops to which a step leads. Used by
 * player.js. Whatever is asked is found by halving.
 *
 * @typedef {import("./lane.js").LaneModel} LaneModel
 * @typedef {import("./lane.js").Moment} Moment
 *
 * @typedef {object} Point
 * What stands before it is in view: of `lane` the rows up to `row`, of all others what comes earlier, and of those with a
 * lower number what comes at the same time.
 * @property {number} place on the axis
 * @property {number} lane Infinity where all that stands at the place is in view
 * @property {number} row index; Infinity for the lane's end
 */

/** Nothing is in view. @type {Point} */
export const NOTHING_YET = { place: -1, lane: Infinity, row: -1 };

export class Axis {
  /** @param {LaneModel[]} lanes */
  constructor(lanes) {
    this.lanes = lanes;
  }

  /** Every read that brought a row has a time, in every lane. */
  get timed() {
    return this.lanes.every(({ steps }) => steps.timed);
  }

  /** Microseconds by which a lane began later than the first. @param {number} index */
  shift(index) {
    const started = this.lanes.map(({ head }) => head?.started ?? NaN);
    const first = Math.min(...started.filter((time) => !Number.isNaN(time)));
    return Math.round((started[index] - first) * 1e6) || 0;
  }

  /** Where it all ends. */
  get end() {
    return Math.max(0, ...this.lanes.map((_, index) => this.#endOf(index)));
  }

  /** @param {number} index */
  #endOf(index) {
    const { steps, rows } = this.lanes[index];
    if (!this.timed) return rows.length;
    return steps.length > 0 ? steps.clock.at(-1) + this.shift(index) : 0;
  }

  /**
   * The place of a row, of the lane's end for Infinity.
   * @param {number} index of the lane
   * @param {number} row index
   */
  placeOf(index, row) {
    const { steps, rows } = this.lanes[index];
    if (row === Infinity) return this.#endOf(index);
    return this.timed ? steps.clock.at(rows.steps.at(row)) + this.shift(index) : row + 1;
  }

  /**
   * What is in view of a lane.
   * @param {number} index of the lane
   * @param {Point} point
   * @returns {Moment}
   */
  moment(index, point) {
    const { rows, steps } = this.lanes[index];
    const time = this.timed ? point.place - this.shift(index) : NaN;
    if (index === point.lane && point.row < Infinity) return { step: rows.steps.at(point.row), rows: point.row + 1, time };
    const limit = index <= point.lane ? point.place : point.place - 0.5;
    if (this.timed) {
      const step = steps.clock.rank(limit - this.shift(index)) - 1;
      return { step, rows: step < 0 ? 0 : steps.rows.at(step), time };
    }
    if (limit >= rows.length) return { step: steps.length - 1, rows: rows.length, time };
    const count = Math.max(0, Math.floor(limit));
    return { step: count > 0 ? rows.steps.at(count - 1) : -1, rows: count, time };
  }

  /** The first place behind another at which a step stands, NaN for none. @param {number} place */
  after(place) {
    return this.#nearest((index) => this.lanes[index].steps.clock.rank(place - this.shift(index)), Math.min);
  }

  /** The last place at which a step stands, another one or before it; NaN for none. @param {number} place */
  before(place) {
    return this.#nearest((index) => this.lanes[index].steps.clock.rank(place - this.shift(index)) - 1, Math.max);
  }

  /**
   * @param {(index: number) => number} stepOf
   * @param {(...places: number[]) => number} pick
   */
  #nearest(stepOf, pick) {
    const places = this.lanes.flatMap(({ steps }, index) => {
      const step = stepOf(index);
      return step >= 0 && step < steps.length ? [steps.clock.at(step) + this.shift(index)] : [];
    });
    return places.length > 0 ? pick(...places) : NaN;
  }

  /**
   * The next stop: a row that comes into view, or the end of a lane. Null when all is in view.
   * @param {Point} point
   * @returns {Point | null}
   */
  next(point) {
    /** @type {Point | null} */
    let first = null;
    for (const [lane, { rows, have }] of this.lanes.entries()) {
      const moment = this.moment(lane, point);
      if (moment.rows === rows.length && moment.step >= have) continue;
      const row = moment.rows < rows.length ? moment.rows : Infinity;
      const stop = { place: this.placeOf(lane, row), lane, row };
      if (!first || stop.place < first.place) first = stop;
    }
    return first;
  }

  /**
   * The stop at which the last row in view is not in view any more.
   * @param {Point} point
   * @returns {Point}
   */
  previous(point) {
    const moments = this.lanes.map((_, lane) => this.moment(lane, point));
    const last = this.#last(moments);
    if (!last) return NOTHING_YET;
    const { rows } = this.lanes[last.lane];
    if (last.row === Infinity) moments[last.lane] = { step: rows.length > 0 ? rows.steps.at(-1) : -1, rows: rows.length, time: NaN };
    else moments[last.lane] = { step: last.row > 0 ? rows.steps.at(last.row - 1) : -1, rows: last.row, time: NaN };
    return this.#last(moments) ?? NOTHING_YET;
  }

  /**
   * The last stop that is in view.
   * @param {Moment[]} moments
   */
  #last(moments) {
    /** @type {Point | null} */
    let found = null;
    for (const [lane, { rows, have }] of this.lanes.entries()) {
      const { step, rows: count } = moments[lane];
      const whole = count === rows.length && step === have && have >= 0;
      const ended = whole && (count === 0 || rows.steps.at(-1) < have);
      if (count === 0 && !ended) continue;
      const row = ended ? Infinity : count - 1;
      const place = this.placeOf(lane, row);
      if (!found || place >= found.place) found = { place, lane, row };
    }
    return found;
  }
}
