/**
 * The timeline of a session: a track a lane, the bands in which they are drawn, the view, the span that was chosen and the
 * place that keys stand on. Knows no canvas. Told by <time-line>.
 */

import { colourOfDeeds, wordOfDeeds } from "./deeds.js";
import { clockTime, count } from "./figures.js";
import { SEVERITIES } from "./findings.js";
import { spanFigures, spanRows, summed } from "./timeline-span.js";
import { LaneTrack } from "./timeline-track.js";
import { TimelineView } from "./timeline-view.js";
import { visibleLine } from "./visible.js";

/** @typedef {import("./deeds.js").Colour} Colour */
/** @typedef {{label: string, lane: number, colours: Colour[]}} Band colours: what comes later is drawn on top */
/** @typedef {{lane: number, row: number, band: number}} Found a row of a lane, by index, and the band it is drawn in, -1 for a mark */

/** The bands of a lane that is alone. @type {[label: string, colours: Colour[]][]} */
const BANDS_ALONE = [
  ["reasoning", ["reasoning"]], ["text", ["text"]], ["tools", ["tool"]], ["usage, errors", ["usage", "error"]], ["other", ["other"]],
];
/** What is rare is on top. @type {Colour[]} */
const TOGETHER = ["other", "text", "reasoning", "tool", "usage", "error"];

/** @param {import("./lane.js").LaneModel[]} lanes @returns {Band[]} */
function bandsOf(lanes) {
  if (lanes.length === 1) return BANDS_ALONE.map(([label, colours]) => ({ label, lane: 0, colours }));
  const formats = lanes.map((lane) => lane.facts.format);
  const alike = new Set(formats).size < formats.length;
  return formats.map((format, lane) => ({ label: alike ? `${lane + 1} ${format}` : format, lane, colours: TOGETHER }));
}

export class Timeline {
  constructor() {
    /** @type {LaneTrack[]} */
    this.tracks = [];
    /** @type {Band[]} */
    this.bands = [];
    this.view = new TimelineView();
    /** The stretch that was chosen; `from` may be the larger while it is drawn. @type {{from: number, to: number} | null} */
    this.span = null;
    /** The place that keys stand on, and the one at which the player stands: NaN where all is in view. */
    this.cursor = NaN;
    this.playhead = NaN;
  }

  /**
   * Take in what came since.
   * @param {import("./session.js").SessionModel} session
   */
  follow(session) {
    const { lanes, running, player } = session;
    const { axis } = player;
    const byRow = !axis.timed;
    if (lanes.length !== this.bands.length || lanes.length === 1) this.bands = bandsOf(lanes);
    for (const [index, lane] of lanes.entries()) {
      if (!this.tracks[index] || this.tracks[index].stale) this.tracks[index] = new LaneTrack(lane);
      const track = this.tracks[index];
      if (track.byRow !== byRow) {
        track.byRow = byRow;
        this.span = null;
        this.cursor = NaN;
      }
      track.began = axis.shift(index);
      track.follow();
    }
    this.playhead = this.#playhead(session);
    const over = this.tracks.map((track) => (track.marks.over ? track.over : 0));
    this.view.grow(Math.max(this.end, running ? this.playhead || 0 : 0, ...over), running, byRow ? "rows" : "time");
  }

  /**
   * Where the player stands; while it follows what comes, where time does, which never goes back.
   * @param {import("./session.js").SessionModel} session
   */
  #playhead({ lanes, player, running, clock }) {
    if (!player.following) return player.time;
    if (!running || this.byRow) return NaN;
    const now = clock();
    const places = this.tracks.map(({ began }, index) => {
      const { open, have, steps } = lanes[index];
      return open && have >= 0 && !lanes[index].catchingUp ? began + steps.clock.at(-1) + lanes[index].silence(now) : NaN;
    });
    return Math.max(this.playhead || 0, ...places.filter((place) => !Number.isNaN(place))) || NaN;
  }

  /** Times are missing: it is drawn by row number. */
  get byRow() {
    return this.tracks.length > 0 && this.tracks[0].byRow;
  }

  /** Where the last row of all lanes stands. */
  get end() {
    return Math.max(0, ...this.tracks.map((track) => track.end));
  }

  /**
   * Waits in sight that a finding speaks of, in the band of the row that ended them. None where times are missing.
   * @param {number} place of the band
   */
  waitsOf(place) {
    const { lane, colours } = this.bands[place];
    const track = this.tracks[lane];
    if (this.byRow) return [];
    return track.marks.waits(track, this.view.from, this.view.to).filter(({ row }) => {
      const index = row < 0 ? track.length - 1 : row;
      return colours.includes(colourOfDeeds(track.lane.rows.deeds.values[index]));
    });
  }

  /** The place that a zoom leaves where it is: the cursor where it is in sight, else the middle. */
  get middle() {
    const { view, cursor } = this;
    return cursor >= view.from && cursor <= view.to ? cursor : view.from + view.length / 2;
  }

  /** The stretch that was chosen, from left to right. */
  get chosen() {
    const { span } = this;
    return span && { from: Math.min(span.from, span.to), to: Math.max(span.from, span.to) };
  }

  /** The rows of each lane in the span. */
  get chosenRows() {
    const { chosen } = this;
    return chosen ? this.tracks.map((track) => spanRows(track, chosen.from, chosen.to)) : null;
  }

  /** Figures of all lanes over the span. */
  get chosenFigures() {
    const rows = this.chosenRows;
    return rows && summed(this.tracks.map((track, lane) => spanFigures(track, rows[lane])));
  }

  /**
   * The row that stands nearest to a place, of one band or of all.
   * @param {number} place
   * @param {number} reach how far away it may stand
   * @param {number} wanted the band, -1 for any
   * @returns {Found | null}
   */
  nearest(place, reach, wanted = -1) {
    /** @type {Found | null} */
    let best = null;
    let away = Infinity;
    for (const [band, { lane, colours }] of this.bands.entries()) {
      if (wanted >= 0 && band !== wanted) continue;
      const track = this.tracks[lane];
      for (const colour of colours) {
        const list = track.bands[colour];
        const found = track.nearest(list, place, reach);
        if (found < 0) continue;
        const row = list.values[found];
        const distance = Math.abs(track.at(row) - place);
        if (distance > away || (distance === away && best && best.row < row)) continue;
        best = { lane, row, band };
        away = distance;
      }
    }
    return best;
  }

  /**
   * The row with a finding that stands nearest to a place, the worst of those that stand together.
   * @param {number} place
   * @param {number} reach
   * @param {number} lane
   * @returns {Found | null}
   */
  nearestMark(place, reach, lane) {
    const track = this.tracks[lane];
    for (const severity of SEVERITIES) {
      const list = track.marks.rows[severity];
      const found = track.nearest(list, place, reach);
      if (found >= 0) return { lane, row: list.values[found], band: -1 };
    }
    return null;
  }

  /**
   * The next place with a row, at least `least` away.
   * @param {number} from
   * @param {1 | -1} way
   * @param {number} least
   */
  nextPlace(from, way, least) {
    const places = this.tracks.flatMap((track) => {
      const row = way > 0 ? track.rowAt(from + least) : track.rowBehind(from - least) - 1;
      return row >= 0 && row < track.length ? [track.at(row)] : [];
    });
    if (places.length === 0) return from;
    return way > 0 ? Math.min(...places) : Math.max(...places);
  }

  /** A place on the axis in words. @param {number} place */
  placeWords(place) {
    return this.byRow ? `row ${count(Math.round(place))}` : `${clockTime(place)} s`;
  }

  /**
   * A row in words: its number, what it is called, its time.
   * @param {Found} found
   */
  rowWords({ lane, row }) {
    const track = this.tracks[lane];
    const { rows } = track.lane;
    const kind = rows.kind(row);
    const name = kind === "event" ? rows.name(row) || wordOfDeeds(rows.deeds.values[row]) || kind : kind;
    const words = [`row ${count(row + 1)}`, visibleLine(name)];
    if (this.tracks.length > 1) words.unshift(this.bands[lane].label);
    if (!this.byRow) words.push(this.placeWords(track.at(row)));
    return [...words, ...track.lane.findings.ofRow(row).map(({ rule }) => rule)].join(" · ");
  }
}
