/**
 * What keys do on the rows of Wire. Used by the Wire pane.
 *
 * @typedef {object} RowKeys
 * @property {(by: number) => void} move
 * @property {(end: "first" | "last") => void} leap
 * @property {(open?: boolean) => void} toggle the current row; with `open` only towards that
 */

/**
 * What a press does, undefined when it is none of the rows' business.
 * @param {KeyboardEvent} event
 * @param {number} page rows that one page holds
 * @param {RowKeys} rows
 * @returns {(() => void) | undefined}
 */
export function rowKey(event, page, { move, leap, toggle }) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    PageDown: () => move(page),
    PageUp: () => move(-page),
    Home: () => leap("first"),
    End: () => leap("last"),
    Enter: () => toggle(),
    " ": () => toggle(),
    ArrowRight: () => toggle(true),
    ArrowLeft: () => toggle(false),
  };
  return keys[event.key];
}
