/**
 * A typed array that grows: 100,000 numbers take 400 kB and no object each. Used by every store of the model.
 *
 * @typedef {Uint8ArrayConstructor | Uint32ArrayConstructor | Float64ArrayConstructor} Numbers
 */

export class Column {
  /**
   * @param {Numbers} numbers
   * @param {number} room how many values fit before it grows for the first time
   */
  constructor(numbers, room = 256) {
    this.numbers = numbers;
    this.values = new numbers(room);
    this.length = 0;
  }

  /** @param {number} value */
  push(value) {
    if (this.length === this.values.length) {
      const wider = new this.numbers(this.length * 2);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  /**
   * The value at `index`; from the end when it is negative; NaN where there is none.
   * @param {number} index
   */
  at(index) {
    const place = index < 0 ? this.length + index : index;
    return place >= 0 && place < this.length ? this.values[place] : NaN;
  }

  /**
   * How many values of a column that never falls are no greater than `limit`.
   * @param {number} limit
   */
  rank(limit) {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.values[middle] <= limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * A rising column with more numbers, rising again; the same one where they come behind what is there.
 * @param {Column} column
 * @param {number[]} fresh
 */
export function joined(column, fresh) {
  fresh.sort((one, other) => one - other);
  if (column.length === 0 || fresh[0] >= column.at(-1)) {
    for (const value of fresh) column.push(value);
    return column;
  }
  const whole = new Column(Uint32Array, column.length + fresh.length);
  let next = 0;
  for (let place = 0; place < column.length; place++) {
    while (next < fresh.length && fresh[next] < column.values[place]) whole.push(fresh[next++]);
    whole.push(column.values[place]);
  }
  for (; next < fresh.length; next++) whole.push(fresh[next]);
  return whole;
}
