/**
 * A lane as another format: a lane of its own, made of the events that the server wrote, each at the time of the row that
 * brought it about; and what was lost. Filled by the Lens pane.
 *
 * @typedef {[row: number, name: string, data: string]} ConvertedEvent the number of the row that brought it about
 * @typedef {{lost: [element: string, sentence: string][], over: boolean}} ConvertedEnd `over`: the lane has its end
 * @typedef {object} LensLinks
 * @property {{name: string, title: string}[]} formats that there are
 * @property {(lane: number, format: string) => string} file the address of the converted wire
 * @property {(lane: number, format: string, take: (lines: (ConvertedEvent | ConvertedEnd)[]) => void, signal: AbortSignal) => Promise<void>} read
 */

import { Column } from "./columns.js";
import { USAGE } from "./deeds.js";
import { LaneModel } from "./lane.js";

const UTF8 = new TextEncoder();

/** An event as it stands on the wire. @param {string} name @param {string} data */
function onTheWire(name, data) {
  return name ? `event: ${name}\ndata: ${data}\n\n` : `data: ${data}\n\n`;
}

export class LensModel {
  /**
   * @param {LaneModel} source
   * @param {string} format
   */
  constructor(source, format) {
    this.source = source;
    this.format = format;
    this.lane = new LaneModel({ ...source.facts, format, word: "ended", last_step: null }, source.clock);
    this.lane.take({ step: 0, time: null, size: 0, offset: 0 });
    /** By event: the number of the row that brought it about. */
    this.sources = new Column(Uint32Array);
    /** Events of one read, which are not in the lane yet. @type {ConvertedEvent[]} */
    this.waiting = [];
    this.offset = 0;
    /** @type {ConvertedEnd | null} */
    this.end = null;
  }

  /** @param {(ConvertedEvent | ConvertedEnd)[]} lines */
  take(lines) {
    for (const line of lines) {
      if (Array.isArray(line)) {
        if (this.waiting.length > 0 && this.#stepOf(line[0]) !== this.#stepOf(this.waiting[0][0])) this.#push();
        this.waiting.push(line);
      } else {
        if (this.waiting.length > 0) this.#push();
        this.end = line;
        const end = { how: "closed", detail: "", word: "ended", complete: true };
        this.lane.take({ step: this.lane.steps.length, time: null, size: 0, offset: this.offset, end });
      }
    }
  }

  /** The step that brought a row of the source. @param {number} row number */
  #stepOf(row) {
    return this.source.rows.steps.at(row - 1);
  }

  /** The events that wait are a read of the lane. */
  #push() {
    const { lane, source, sources } = this;
    const first = lane.rows.length;
    const begun = this.offset;
    /** @type {import("./messages.js").RowMessage[]} */
    const rows = this.waiting.map(([, name, data], place) => {
      const start = this.offset;
      this.offset += UTF8.encode(onTheWire(name, data)).length;
      return [first + place + 1, "event", name, start, this.offset, data];
    });
    const time = source.steps.times.at(this.#stepOf(this.waiting[0][0]));
    const step = { step: lane.steps.length, size: this.offset - begun, offset: this.offset, rows };
    lane.take({ ...step, time: Number.isNaN(time) ? null : time });
    for (const [place, [row, , data]] of this.waiting.entries()) {
      sources.push(row);
      const deeds = source.rows.deeds.at(row - 1) || 0;
      lane.rows.deeds.values[first + place] = data.includes('"usage":{') ? deeds : deeds & ~USAGE;
    }
    this.waiting = [];
  }

  /** Show what came of the rows that are in view of the source. */
  stand() {
    const { lane, source, sources } = this;
    if (!source.shown.past) return lane.stand(null);
    const rows = sources.rank(source.shown.rows);
    lane.stand({ step: rows > 0 ? lane.rows.steps.at(rows - 1) : 0, rows, time: source.shown.time });
  }

  /**
   * Bytes of the converted wire, within one event.
   * @param {number} from
   * @param {number} to
   */
  bytes(from, to) {
    const { rows } = this.lane;
    const index = rows.starts.rank(from) - 1;
    const start = rows.starts.values[index];
    return UTF8.encode(onTheWire(rows.name(index), rows.data[index])).subarray(from - start, to - start);
  }

  /** The converted wire. */
  get text() {
    const { rows } = this.lane;
    return rows.data.map((data, index) => onTheWire(rows.name(index), data)).join("");
  }
}
