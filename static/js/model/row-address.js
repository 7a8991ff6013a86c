/**
 * The address of a row within a session's page: #row=120, with several lanes #row=2:120. Both numbers count from 1, as
 * on the page. Used by viewing.js and the stage.
 */

/**
 * @param {number} lane index
 * @param {number} row index
 * @param {number} lanes how many there are
 */
export function rowAddress(lane, row, lanes) {
  return `#row=${lanes > 1 ? `${lane + 1}:` : ""}${row + 1}`;
}

/**
 * The row that an address names, by indexes; null when it names none.
 * @param {string} hash
 * @returns {{lane: number, row: number} | null}
 */
export function rowOfAddress(hash) {
  const [, lane = "1", row] = /^#row=(?:(\d{1,9}):)?(\d{1,9})$/.exec(hash) ?? [];
  return row && Number(row) > 0 && Number(lane) > 0 ? { lane: Number(lane) - 1, row: Number(row) - 1 } : null;
}
