/**
 * The character of the page's text under a point. Used to find what is pointed at in Said.
 */

/**
 * @param {number} x
 * @param {number} y
 * @returns {{node: Text, offset: number} | null} the UTF-16 unit that is drawn there, null where nothing is
 */
export function unitUnder(x, y) {
  const caret = caretFrom(x, y);
  if (!caret || !(caret.node instanceof Text)) return null;
  const { node, offset } = caret;
  for (const place of [offset, offset - 1]) {
    const unit = pairStart(node.data, place);
    if (unit >= 0 && unit < node.length && isDrawnAt(node, unit, x, y)) return { node, offset: unit };
  }
  return null;
}

/** Browsers have one of two names for it. @param {number} x @param {number} y */
function caretFrom(x, y) {
  if ("caretPositionFromPoint" in document) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret && { node: caret.offsetNode, offset: caret.offset };
  }
  const range = /** @type {any} */ (document).caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

/** The place itself, or of the first half of a character where it is the second. @param {string} text @param {number} place */
function pairStart(text, place) {
  const inside = place > 0 && (text.codePointAt(place - 1) ?? 0) > 0xffff;
  return inside ? place - 1 : place;
}

/** @param {Text} node @param {number} unit @param {number} x @param {number} y */
function isDrawnAt(node, unit, x, y) {
  const range = document.createRange();
  range.setStart(node, unit);
  range.setEnd(node, unit + ((node.data.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1));
  return [...range.getClientRects()].some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
}
