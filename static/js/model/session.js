/**
 * What one press of Run started: its lanes, and whether this page is in touch with the server. Messages come in by
 * sources/; elements subscribe. Messages wait in a queue and are folded a few milliseconds at a time, before a frame is
 * drawn, so that no task grows long however fast they come.
 */

import { foldNext } from "./frames.js";
import { LaneModel } from "./lane.js";
import { Markers } from "./markers.js";
import { Player } from "./player.js";

/** Milliseconds of folding before the page gets a frame: while it keeps up, and while much is waiting. */
const FOLD_BUDGET = 8;
const CATCH_UP_BUDGET = 14;
/** Messages that wait make it much. */
const MUCH = 4;
/** Milliseconds between two drawings while much is waiting, or while what the server has kept is still coming. */
const DRAW_EVERY = 200;
/** The same while a lane that is over comes out of the recording: nobody waits for what is in the middle. */
const DRAW_REPLAYED_EVERY = 500;
/** Milliseconds of folding in a frame that draws what came before. */
const DRAWN_BUDGET = 3;

/** @typedef {"connecting" | "open" | "reconnecting" | "closed"} Touch */

export class SessionModel {
  /** @param {() => number} clock milliseconds that never fall */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
    this.id = "";
    this.title = "";
    /** Seconds since 1970. */
    this.created = 0;
    /** @type {string[]} */
    this.tags = [];
    /** What this viewer does not see of it: parts of the request, "texts". @type {string[]} */
    this.leftOut = [];
    /** @type {LaneModel[]} */
    this.lanes = [];
    this.player = new Player(this);
    this.markers = new Markers(this);
    /** @type {Touch} */
    this.touch = "connecting";
    /** What the server or the connection has to say to the person. @type {{code: string, message: string} | null} */
    this.problem = null;
    /** Called with the frame number of each message when it is folded, and with a lane in which a step is missing. */
    this.onFolded = (/** @type {number} */ _frame) => {};
    this.onGap = (/** @type {LaneModel} */ _lane) => {};
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {import("./messages.js").ServerMessage[]} */
    this.queue = [];
    this.drawn = -Infinity;
    /** Milliseconds until the next drawing of a page that catches up. */
    this.pause = DRAW_EVERY;
    /** Listeners were told since the last fold: the frame draws. */
    this.told = false;
    /** A timer is set for listeners that were not told. */
    this.owed = false;
    this.payDebt = () => {
      if (this.owed) this.#tellMidway();
    };
    this.foldQueue = () => {
      const draws = this.told || this.clock() - this.drawn >= this.pause;
      this.told = false;
      this.fold(this.queue.length <= MUCH ? FOLD_BUDGET : draws ? DRAWN_BUDGET : CATCH_UP_BUDGET);
    };
  }

  /** Whether any lane may still bring bytes. */
  get running() {
    return this.touch !== "closed" && (this.lanes.length === 0 || this.lanes.some((lane) => lane.open));
  }

  /**
   * @param {() => void} listener called after messages were folded, once for many
   * @returns {() => void} undoes it
   */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Take a message: it is folded before the next frame.
   * @param {import("./messages.js").ServerMessage} message
   */
  push(message) {
    this.queue.push(message);
    foldNext(this.foldQueue);
  }

  /**
   * A lane's row of the target's ledger, as far as it is known.
   * @param {number} index
   * @param {import("./charge.js").Charge} charge
   */
  tellCharge(index, charge) {
    this.lanes[index].charge = charge;
    this.#notify();
  }

  /** The session is called otherwise from now on. @param {string} title */
  rename(title) {
    this.title = title;
    this.#notify();
  }

  /** It has these tags from now on. @param {string[]} tags */
  tag(tags) {
    this.tags = tags;
    this.#notify();
  }

  /** Forget messages that were not folded: a new connection will bring them again. */
  drop() {
    this.queue.length = 0;
  }

  /**
   * Say that the connection changed.
   * @param {Touch} touch
   * @param {{code: string, message: string} | null} problem
   */
  setTouch(touch, problem = null) {
    this.touch = touch;
    this.problem = problem;
    this.#notify();
  }

  /**
   * Fold what waits, for about `budget` milliseconds; the rest goes on before the next frame. While there is a rest,
   * listeners hear of it now and then only: a page that catches up need not draw what is past.
   * @param {number} budget
   */
  fold(budget) {
    const until = this.clock() + budget;
    let taken = 0;
    while (taken < this.queue.length) {
      const message = this.queue[taken++];
      this.#take(message);
      if (this.clock() > until) break;
    }
    this.queue.splice(0, taken);
    if (this.queue.length > 0) foldNext(this.foldQueue);
    if (taken === 0) return;
    this.player.standAgain();
    this.#folded();
  }

  /** Tell listeners now, or in a while. */
  #folded() {
    const behind = this.queue.length > 0 || this.lanes.some((lane) => lane.catchingUp);
    if (!behind) {
      this.pause = DRAW_EVERY;
      this.#notify();
    } else if (this.clock() - this.drawn >= this.pause) this.#tellMidway();
    else if (!this.owed) {
      this.owed = true;
      setTimeout(this.payDebt, this.pause);
    }
  }

  /** Tell listeners of what is here while more is coming. */
  #tellMidway() {
    this.pause = this.lanes.some((lane) => lane.replayed) ? DRAW_REPLAYED_EVERY : DRAW_EVERY;
    this.#notify();
  }

  /** @param {import("./messages.js").ServerMessage} message */
  #take(message) {
    if (message.type === "steps") {
      const lane = this.lanes[message.lane];
      if (!message.steps.every((step) => lane.take(step))) this.onGap(lane);
      lane.heard = this.clock();
      this.onFolded(message.frame);
    } else if (message.type === "session") {
      this.id = message.id;
      this.title = message.title;
      this.created = message.created;
      this.tags = message.tags ?? [];
      this.leftOut = message.left_out ?? [];
      message.lanes.forEach((facts, index) => this.#meet(facts, index));
    } else if (message.type === "behind") {
      const lane = this.lanes[message.lane];
      lane.lastStep = Math.max(lane.lastStep, message.last_step);
      lane.behind = lane.catchingUp;
    } else if (message.type === "error") {
      this.problem = { code: message.code, message: message.message };
    }
  }

  /**
   * A lane is made once; a reconnected socket tells what is new about it.
   * @param {import("./messages.js").LaneMessage} facts
   * @param {number} index
   */
  #meet(facts, index) {
    const lane = this.lanes[index];
    if (!lane) {
      this.lanes[index] = new LaneModel(facts, this.clock);
      return;
    }
    lane.facts = facts;
    lane.lastStep = Math.max(lane.lastStep, facts.last_step ?? -1);
  }

  /** Tell listeners that something else is to be shown. */
  changed() {
    this.#notify();
  }

  #notify() {
    this.owed = false;
    this.told = true;
    this.drawn = this.clock();
    for (const listener of [...this.listeners]) listener();
  }
}
