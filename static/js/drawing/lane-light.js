/**
 * The two-way links of a lane: what is pointed at, focused, selected or pressed in Said and in the head lights its rows,
 * and what is lit because of a row is painted. Made by <stream-lane>; says with "light" on its element that something
 * else is lit, `chosen` when it is to be brought into sight.
 */

import { settleNext } from "../model/frames.js";
import { nextWord, wordAt, wordBefore } from "../model/words.js";
import { unitUnder } from "./caret.js";
import { LanePaint } from "./lane-paint.js";
import { selectedSpots } from "./selected.js";
import { shownAround, spotAt } from "./spots.js";

/** @typedef {import("../model/links.js").Spot} Spot */
/** @typedef {import("./spots.js").ShownSpot} ShownSpot */

/** What has a press of its own. */
const PRESSED_APART = "a, button, input, summary, audio, iframe";

export class LaneLight {
  /** @param {HTMLElement} element the lane's */
  constructor(element) {
    this.element = element;
    /** @type {import("../model/lane.js").LaneModel | null} */
    this.lane = null;
    this.paint = new LanePaint();
    /** The word that arrows stand on in the part that has the focus. @type {{from: number, to: number} | null} */
    this.word = null;
    /** The one that the Tab key stops at. @type {HTMLElement | null} */
    this.stop = null;
    /** The person has gone to one: it stays the stop. */
    this.walked = false;
    /** Something of the lane is selected. */
    this.selecting = false;
    this.repaint = () => settleNext(this.draw);
    this.draw = () => this.#draw();
    this.selected = () => this.#selected();
    element.addEventListener("pointermove", (event) => this.#pointed(event));
    element.addEventListener("pointerleave", () => this.#leave());
    element.addEventListener("pointerup", () => this.#released());
    element.addEventListener("click", (event) => this.#pressed(event));
    element.addEventListener("focusin", (event) => this.#focused(event.target));
    element.addEventListener("focusout", (event) => shownAround(event.target) && this.#leave());
    element.addEventListener("keydown", (event) => this.#key(event));
  }

  connect() {
    document.addEventListener("selectionchange", this.selected);
  }

  disconnect() {
    document.removeEventListener("selectionchange", this.selected);
    this.paint.clear();
  }

  /** @param {boolean} changed @param {boolean} chosen */
  #tell(changed, chosen = false) {
    if (!changed && !chosen) return;
    this.repaint();
    this.element.dispatchEvent(new CustomEvent("light", { detail: { from: "said", chosen }, bubbles: true }));
  }

  /** Rows light by themselves: their pane tells. @param {Element | null} target */
  #inWire(target) {
    return target?.closest("wire-pane") !== null;
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const { lane } = this;
    const target = event.target instanceof Element ? event.target : null;
    if (!lane || event.pointerType === "touch" || event.buttons !== 0 || this.#inWire(target)) return;
    const spot = this.#spotUnder(target, event.clientX, event.clientY);
    this.#tell(spot ? lane.light.point([spot]) : lane.light.leave());
  }

  /**
   * What is shown at a point: a word of what grew, a field, or a part by its word.
   * @param {Element | null} target
   * @param {number} x
   * @param {number} y
   * @returns {Spot | null}
   */
  #spotUnder(target, x, y) {
    const element = shownAround(target);
    const shown = element && spotAt(element);
    if (!shown) return null;
    const { part, field, figure, text } = shown;
    if (!text) return { part, field, figure };
    const unit = unitUnder(x, y);
    const place = unit ? text.placeOf(unit.node, unit.offset) : -1;
    if (place < 0 || !text.growth) return null;
    return { part, field, ...wordAt(text.growth, place, text.length) };
  }

  #leave() {
    const { lane } = this;
    const focused = document.activeElement;
    if (!lane) return;
    if (focused && this.element.contains(focused) && focused.matches("[data-stop]:focus-visible")) this.#focused(focused);
    else this.#tell(lane.light.leave());
  }

  /** @param {MouseEvent} event */
  #pressed(event) {
    const { lane } = this;
    const target = event.target instanceof Element ? event.target : null;
    if (!lane || this.#inWire(target) || target?.closest(PRESSED_APART) || getSelection()?.isCollapsed === false) return;
    const spot = event.detail > 0 ? this.#spotUnder(target, event.clientX, event.clientY) : null;
    if (spot) this.#tell(lane.light.hold([spot]), true);
    else if (target?.closest("said-pane") && event.detail > 0) this.#tell(lane.light.release());
  }

  #selected() {
    const { lane } = this;
    if (!lane) return;
    const spots = selectedSpots(this.element);
    if (spots.length > 0) this.#tell(lane.light.hold(spots));
    else if (this.selecting) this.#tell(lane.light.release());
    this.selecting = spots.length > 0;
  }

  /** A selection was made: its rows come into sight. */
  #released() {
    if (selectedSpots(this.element).length > 0) this.#tell(false, true);
  }

  /** @param {EventTarget | null} target */
  #focused(target) {
    const shown = target instanceof Element && target.matches("[data-stop]:focus-visible") ? spotAt(target) : undefined;
    if (!shown || !this.lane) return;
    if (this.lane.light.pointed?.spots[0]?.part !== shown.part) this.word = null;
    this.walked = true;
    this.#stopAt(/** @type {HTMLElement} */ (target));
    this.#tell(this.lane.light.point([this.#spotOfStop(shown)]));
  }

  /** @param {HTMLElement | null} stop */
  #stopAt(stop) {
    if (this.stop) this.stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.stop = stop;
  }

  /** @param {ShownSpot} shown @returns {Spot} */
  #spotOfStop({ part, field, figure }) {
    const text = this.word && this.#textOf(part);
    return text && this.word ? { part, field: text.field, ...this.word } : { part, field, figure };
  }

  /** The text of a part that arrows walk through. @param {import("../model/transcript.js").Part} part */
  #textOf(part) {
    const { position } = this.lane?.shown ?? { position: 0 };
    for (const field of part.grown.keys()) {
      const growth = part.growth(field, position);
      const length = growth?.lengthAt(position) ?? 0;
      if (growth && length > 0) return { field, growth, length };
    }
    return null;
  }

  /** What arrows can reach, in the order of the page. @returns {HTMLElement[]} */
  get stops() {
    return [...this.element.querySelectorAll("[data-stop]")]
      .map((stop) => /** @type {HTMLElement} */ (stop))
      .filter((stop) => stop.checkVisibility({ visibilityProperty: true }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { lane } = this;
    const target = /** @type {HTMLElement} */ (event.target);
    if (!lane || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "Escape" && !target.matches("input, textarea") && this.#letGo(lane)) return this.#took(event);
    const shown = target.matches("[data-stop]") ? spotAt(target) : undefined;
    if (!shown) return;
    const { stops } = this;
    const place = stops.indexOf(target);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => stops[place + 1]?.focus(),
      ArrowUp: () => stops[place - 1]?.focus(),
      ArrowRight: () => this.#walk(shown, 1),
      ArrowLeft: () => this.#walk(shown, -1),
      Home: () => stops[0].focus(),
      End: () => stops[stops.length - 1].focus(),
      Enter: () => this.#tell(lane.light.hold([this.#spotOfStop(shown)]), true),
      " ": () => this.#tell(lane.light.hold([this.#spotOfStop(shown)]), true),
    };
    if (!(event.key in keys)) return;
    keys[event.key]();
    this.#took(event);
  }

  /** @param {KeyboardEvent} event */
  #took(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  /** Whether something that was chosen was let go. @param {import("../model/lane.js").LaneModel} lane */
  #letGo(lane) {
    const held = lane.light.held !== null || this.word !== null;
    if (!held) return false;
    this.word = null;
    const selection = getSelection();
    if (selection && selectedSpots(this.element).length > 0) selection.removeAllRanges();
    this.#tell(lane.light.release());
    return true;
  }

  /**
   * Go to the next or the previous word of a part.
   * @param {ShownSpot} shown
   * @param {1 | -1} by
   */
  #walk(shown, by) {
    const text = this.#textOf(shown.part);
    if (!text || shown.field !== "" || !this.lane) return;
    const word = by > 0 ? nextWord(text.growth, this.word?.to ?? 0, text.length) : wordBefore(text.growth, this.word?.from ?? 0, text.length);
    if (!word && by > 0) return;
    this.word = word;
    this.#tell(this.lane.light.point([this.#spotOfStop(shown)]));
    settleNext(() => this.bring(this.paint.firstIn(this.element)));
  }

  /** Bring something into sight; <stream-lane> says how. */
  bring = (/** @type {Range | HTMLElement | null} */ _what) => {};

  #draw() {
    const { lane, paint } = this;
    if (!this.walked || !this.stop?.checkVisibility()) this.#stopAt(this.element.querySelector("said-pane [data-stop]"));
    paint.clear();
    const beam = lane?.light.beam;
    if (!beam) return;
    for (const spot of beam.spots) paint.light(spot, null);
    for (const { spot, growth, did } of beam.changes) {
      if (did === "repeated" && spot.field === "") paint.lightWhole(spot.part);
      else paint.light(spot, growth);
    }
  }
}
