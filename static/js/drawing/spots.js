/**
 * Which element shows which piece of what was said. Told by whatever draws a part or a figure; asked by lane-light.js.
 *
 * @typedef {import("../model/transcript.js").Part} Part
 * @typedef {import("../model/links.js").Spot} Spot
 * @typedef {{part: Part, field: string, figure?: string, text?: import("./grown-text.js").GrownText}} ShownSpot `text`:
 *   it shows the characters of a field that grows, so a piece of it can be told
 */

/** @type {WeakMap<Element, ShownSpot>} */
const spotOf = new WeakMap();
/** @type {WeakMap<Part, Map<string, Set<HTMLElement>>>} */
const elementsOf = new WeakMap();

/**
 * An element shows a field of a part, or with "" stands for the part as a whole.
 * @param {HTMLElement} element
 * @param {ShownSpot} spot
 */
export function showsSpot(element, spot) {
  const known = spotOf.get(element);
  if (known?.part === spot.part && known.field === spot.field && known.figure === spot.figure) return;
  if (known) elementsOf.get(known.part)?.get(known.field)?.delete(element);
  spotOf.set(element, spot);
  element.dataset.spot = spot.field;
  let fields = elementsOf.get(spot.part);
  if (!fields) elementsOf.set(spot.part, (fields = new Map()));
  let elements = fields.get(spot.field);
  if (!elements) fields.set(spot.field, (elements = new Set()));
  elements.add(element);
}

/**
 * An element can be reached by arrows in Said, and pressed to light its rows.
 * @param {HTMLElement} element
 */
export function makeStop(element) {
  element.tabIndex = -1;
  element.dataset.stop = "";
}

/** What an element shows. @param {Element} element */
export function spotAt(element) {
  return spotOf.get(element);
}

/** The element that shows something and holds this one. @param {EventTarget | null} target */
export function shownAround(target) {
  return target instanceof Element ? target.closest("[data-spot]") : null;
}

/**
 * The elements on the page that show a spot; all figures where it names none.
 * @param {Spot} spot
 */
export function elementsShowing({ part, field, figure }) {
  const elements = elementsOf.get(part)?.get(field) ?? new Set();
  for (const element of elements) if (!element.isConnected) elements.delete(element);
  return [...elements].filter((element) => figure === undefined || spotOf.get(element)?.figure === figure);
}
