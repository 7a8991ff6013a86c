/**
 * Which rows of a long list are in sight, and where they stand. All rows have one height, but for one that may be open
 * with a detail below it. Pure, used by the Wire pane.
 */

export class ListWindow {
  /** @param {number} rowHeight pixels */
  constructor(rowHeight) {
    this.rowHeight = rowHeight;
    this.count = 0;
    /** The place in the list of the open row, -1 when none is, and the height of its detail. */
    this.open = -1;
    this.openHeight = 0;
  }

  get height() {
    return this.count * this.rowHeight + (this.open >= 0 ? this.openHeight : 0);
  }

  /** @param {number} place */
  top(place) {
    return place * this.rowHeight + (this.open >= 0 && place > this.open ? this.openHeight : 0);
  }

  /**
   * The place of the row that stands at a height.
   * @param {number} y
   */
  placeAt(y) {
    const plain = Math.floor(y / this.rowHeight);
    if (this.open < 0 || plain <= this.open) return plain;
    return Math.max(this.open, Math.floor((y - this.openHeight) / this.rowHeight));
  }

  /**
   * The first place in sight and the one behind the last, with `spare` rows on both sides.
   * @param {number} scrollTop
   * @param {number} height
   * @param {number} spare
   */
  sight(scrollTop, height, spare) {
    const first = Math.max(0, this.placeAt(scrollTop) - spare);
    const last = Math.min(this.count, this.placeAt(scrollTop + height) + 1 + spare);
    return { first: Math.min(first, last), last };
  }

  /**
   * Where to scroll so that a row is in sight; where it stands already when it is.
   * @param {number} place
   * @param {number} scrollTop
   * @param {number} height
   */
  reveal(place, scrollTop, height) {
    const top = this.top(place);
    const detail = place === this.open ? Math.min(this.openHeight, height - this.rowHeight) : 0;
    const bottom = top + this.rowHeight + detail;
    if (top < scrollTop) return top;
    return bottom > scrollTop + height ? bottom - height : scrollTop;
  }
}
