/** The slices of a timeline as a table. Called by <time-line>. */

import { count } from "../model/figures.js";
import { SLICE_KINDS, slicesOf } from "../model/timeline-slices.js";
import { make } from "./dom.js";

/**
 * @param {HTMLTableElement} table
 * @param {import("../model/timeline.js").Timeline} timeline
 */
export function fillTimeTable(table, timeline) {
  const several = timeline.tracks.length > 1;
  const titles = [...(several ? ["lane"] : []), "from", "to", ...SLICE_KINDS.map(([word]) => word), "findings"];
  const head = make("tr", "", ...titles.map((title) => headCell(title, "col")));
  const rows = slicesOf(timeline).map(({ lane, from, to, counts, findings }) => make("tr", "",
    ...(several ? [headCell(timeline.bands[lane].label, "row")] : []),
    make("td", "", timeline.placeWords(from)), make("td", "", timeline.placeWords(to)),
    ...[...counts, findings].map((value) => make("td", value === 0 ? "none" : "", count(value)))));
  table.replaceChildren(make("caption", "unseen", "Events over time, by kind"), make("thead", "", head), make("tbody", "", ...rows));
}

/** @param {string} title @param {"col" | "row"} scope */
function headCell(title, scope) {
  const cell = make("th", "", title);
  cell.scope = scope;
  return cell;
}
