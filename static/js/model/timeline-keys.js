/**
 * What keys do on the timeline: walk from event to event, choose a span, zoom, move. Called by <time-line>.
 */

/** What of the view a page up or down is, and what of its length a press of + leaves. */
const STRIDE_SHARE = 0.2;
const CLOSER = 0.5;

/** @typedef {"look" | "go" | "clear"} TimelineDeed look: cursor, span or view are others; go: the person wants to be there */

/**
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} press
 * @param {number} column how long a pixel column is
 * @returns {TimelineDeed | null} null where the key means nothing here
 */
export function pressTimeline(timeline, { key, shiftKey, ctrlKey, metaKey, altKey }, column) {
  if (ctrlKey || metaKey || altKey) return null;
  const { view, span } = timeline;
  if (key === "Enter") return "go";
  if (key === "Escape" && span) return "clear";
  const cursor = [timeline.cursor, timeline.playhead, view.from].find((place) => !Number.isNaN(place)) ?? 0;
  if (key === "+" || key === "=") view.zoom(CLOSER, timeline.middle);
  else if (key === "-") view.zoom(1 / CLOSER, timeline.middle);
  else if (key === "0") view.showAll();
  else {
    const place = placeOfKey(timeline, key, cursor, column);
    if (place === null) return null;
    if (shiftKey) timeline.span = { from: span?.to === cursor ? span.from : cursor, to: place };
    timeline.cursor = place;
    view.reveal(place);
  }
  return "look";
}

/**
 * @param {import("./timeline.js").Timeline} timeline
 * @param {string} key
 * @param {number} cursor
 * @param {number} column
 */
function placeOfKey(timeline, key, cursor, column) {
  const stride = timeline.view.length * STRIDE_SHARE;
  switch (key) {
    case "ArrowRight":
      return timeline.nextPlace(cursor, 1, column);
    case "ArrowLeft":
      return timeline.nextPlace(cursor, -1, column);
    case "PageDown":
      return Math.min(timeline.end, cursor + stride);
    case "PageUp":
      return Math.max(0, cursor - stride);
    case "Home":
      return timeline.nextPlace(0, 1, 0);
    case "End":
      return timeline.end;
    default:
      return null;
  }
}
