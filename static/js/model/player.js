/**
 * One clock for all lanes of a session: plays, seeks, steps by row, or follows what comes. Tells every lane where it
 * stands, and the session's listeners that something has changed. Made by session.js; the player's bar, the timeline and
 * keys call it. Places are those of axis.js: microseconds of the session, or rows where times are unknown.
 */

import { Axis, NOTHING_YET } from "./axis.js";
import { foldNext } from "./frames.js";

/** How fast it may play; Infinity is all at once. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, Infinity];

/** Microseconds to which an idle gap is cut while gaps are capped. */
export const GAP_CAP = 2_000_000;

export class Player {
  /** Null at the end of what is here: there it follows what comes. @type {import("./axis.js").Point | null} */
  #point = null;
  /** When it was last moved on, by the session's clock. */
  #moved = 0;

  /** @param {import("./session.js").SessionModel} session */
  constructor(session) {
    this.session = session;
    this.axis = new Axis(session.lanes);
    this.playing = false;
    this.speed = 1;
    this.capped = true;
    this.tick = () => this.#tick();
  }

  /** It stands at the end of what is here, wherever that will be. */
  get following() {
    return this.#point === null;
  }

  /** Times are known: it can play. Without them it goes by rows. */
  get timed() {
    return this.axis.timed;
  }

  /** Where it stands on the axis. */
  get time() {
    return this.#point ? Math.max(0, this.#point.place) : this.axis.end;
  }

  /** Where it all ends on the axis. */
  get total() {
    return this.axis.end;
  }

  /** The row that came into view last, null before the first and at the end. @type {{lane: number, row: number} | null} */
  get row() {
    if (!this.#point || this.#point.lane === Infinity || this.#point.row === Infinity) return null;
    return { lane: this.#point.lane, row: this.#point.row };
  }

  /** Play on, or from the start when it stands at the end of a session that is over. */
  play() {
    if (!this.timed || (this.following && this.session.running)) return;
    this.#point ??= NOTHING_YET;
    this.playing = true;
    this.#moved = this.session.clock();
    this.#stand();
    foldNext(this.tick);
  }

  /** Hold still; while it follows a stream that still comes, hold still at what is here. */
  pause() {
    this.playing = false;
    this.#point ??= { place: this.axis.end, lane: Infinity, row: -1 };
    this.#stand();
  }

  toggle() {
    if (this.playing || (this.following && this.session.running)) this.pause();
    else this.play();
  }

  /** Go to a place on the axis; at the end or behind it, follow. @param {number} place */
  seek(place) {
    if (place >= this.axis.end) return this.toEnd();
    this.#point = { place: Math.max(0, place), lane: Infinity, row: -1 };
    this.#moved = this.session.clock();
    this.#stand();
  }

  /** Nothing has come. */
  toStart() {
    this.#point = NOTHING_YET;
    this.#moved = this.session.clock();
    this.#stand();
  }

  /** All that is here, and what will come. */
  toEnd() {
    this.playing = false;
    this.#point = null;
    this.#stand();
  }

  /**
   * Stand where a row has just come; whether there is such a row.
   * @param {number} lane
   * @param {number} row index
   */
  goTo(lane, row) {
    if (!(row >= 0 && row < (this.session.lanes[lane]?.rows.length ?? 0))) return false;
    this.playing = false;
    this.#point = { place: this.axis.placeOf(lane, row), lane, row };
    this.#stand();
    return true;
  }

  /** Let the next row come, or take the last one back. @param {1 | -1} by */
  step(by) {
    this.playing = false;
    const point = this.#point ?? { place: this.axis.end, lane: Infinity, row: -1 };
    if (by < 0) this.#point = this.axis.previous(point);
    else {
      const next = this.#point && this.axis.next(point);
      this.#point = next && this.axis.next(next) ? next : null;
    }
    this.#stand();
  }

  /** @param {number} speed one of SPEEDS */
  setSpeed(speed) {
    this.speed = speed;
    this.session.changed();
  }

  /** @param {boolean} capped whether idle gaps are cut to GAP_CAP */
  setCapped(capped) {
    this.capped = capped;
    this.session.changed();
  }

  #stand() {
    this.standAgain();
    this.session.changed();
  }

  /** Have every lane stand where the player does, with what has come since; a row may have moved on the axis. */
  standAgain() {
    if (this.#point && this.#point.row >= 0 && this.#point.row < Infinity) {
      this.#point = { ...this.#point, place: this.axis.placeOf(this.#point.lane, this.#point.row) };
    }
    for (const [index, lane] of this.session.lanes.entries()) {
      lane.stand(this.#point && this.axis.moment(index, this.#point));
    }
  }

  #tick() {
    if (!this.playing || !this.#point) return;
    const now = this.session.clock();
    const place = this.#onward(Math.max(0, this.#point.place), (now - this.#moved) * 1000 * this.speed);
    this.#moved = now;
    if (place >= this.axis.end) return this.toEnd();
    this.#point = { place, lane: Infinity, row: -1 };
    this.#stand();
    foldNext(this.tick);
  }

  /**
   * Where it stands after so many microseconds more. An idle gap ends early when gaps are capped.
   * @param {number} place
   * @param {number} more
   */
  #onward(place, more) {
    if (!this.capped || more === Infinity) return place + (more || 0);
    for (let left = more; left > 0; ) {
      const stretch = Math.min(left, GAP_CAP);
      left -= stretch;
      place += stretch;
      const before = this.axis.before(place) || 0;
      const after = this.axis.after(place);
      if (!(after - before > GAP_CAP) || place - before < GAP_CAP) continue;
      left += place - before - GAP_CAP;
      place = after;
    }
    return place;
  }
}
