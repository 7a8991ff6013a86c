/**
 * The links between Said and Wire: which rows brought a piece of what was said, and what a row changed. Pure questions
 * to a transcript, answered in O(log n + answer). Asked by light.js.
 *
 * @typedef {import("./transcript.js").Part} Part
 * @typedef {import("./transcript.js").Transcript} Transcript
 *
 * A spot is a piece of what was said: UTF-16 units `from` to `to` of a field that grows, a field as a whole, or with
 * field "" the part as a whole. `figure` names one number of a field that is an object of numbers.
 * @typedef {{part: Part, field: string, from?: number, to?: number, figure?: string}} Spot
 *
 * What one operation did: it brought a spot, it repeated what stands already, or it closed the part.
 * @typedef {{spot: Spot, growth: import("./growth.js").Growth | null, did: "brought" | "repeated" | "closed"}} Change
 *
 * @typedef {{brought: Uint32Array, repeated: Uint32Array}} LinkedRows numbers of rows, rising, each once
 */

/**
 * The rows of operations, each once, rising.
 * @param {Transcript} transcript
 * @param {ArrayLike<number>} positions
 */
function rowsAt(transcript, positions) {
  const rows = new Uint32Array(positions.length);
  const { values } = transcript.rowOf;
  let length = 0;
  let rising = true;
  for (let index = 0; index < positions.length; index++) {
    const row = values[positions[index] - 1];
    if (row === 0 || (length > 0 && row === rows[length - 1])) continue;
    if (length > 0 && row < rows[length - 1]) rising = false;
    rows[length++] = row;
  }
  const found = rows.subarray(0, length);
  return rising ? found : Uint32Array.from(new Set(found.sort()));
}

/**
 * The appends, or the set, that brought a range of what grew.
 * @param {Part} part
 * @param {string} field
 * @param {number} from
 * @param {number} to
 * @param {number} position
 */
function marksOf(part, field, from, to, position) {
  const growth = part.growth(field, position);
  if (!growth) return new Uint32Array(0);
  const { positions, lengths } = growth;
  const end = Math.min(lengths.rank(Math.max(from, to - 1)) + 1, positions.rank(position));
  return positions.values.subarray(Math.min(lengths.rank(from), end), end);
}

/**
 * Where a field got the value that it has at a position, and where that same value came once more. An object is what
 * all that came adds up to.
 * @param {Part} part
 * @param {string} field
 * @param {string | undefined} figure
 * @param {number} position
 * @returns {{brought: number[], repeated: number[]}}
 */
function settingsOf(part, field, figure, position) {
  const history = part.fields.get(field);
  if (!history) return { brought: [], repeated: [] };
  const count = history.countAt(position);
  const valueAt = (/** @type {number} */ index) => {
    const value = history.values[index];
    return figure === undefined ? value : /** @type {Record<string, unknown> | null} */ (value)?.[figure];
  };
  const standing = valueAt(count - 1);
  if (typeof standing === "object") return { brought: history.positions.slice(0, count), repeated: [] };
  let first = count - 1;
  while (first > 0 && valueAt(first - 1) === standing) first--;
  return { brought: history.positions.slice(first, first + 1), repeated: history.positions.slice(first + 1, count) };
}

/**
 * The operations that made a part what it is at a position: all that opened it, set it or let it grow.
 * @param {Part} part
 * @param {number} position
 */
function makingOf(part, position) {
  const single = [part.opened];
  for (const history of part.fields.values()) {
    for (let index = 0; index < history.countAt(position); index++) single.push(history.positions[index]);
  }
  let making = Uint32Array.from(single.sort((a, b) => a - b));
  for (const field of part.grown.keys()) making = merged(making, marksOf(part, field, 0, Infinity, position));
  return making;
}

/**
 * Two rising lists as one.
 * @param {ArrayLike<number>} few
 * @param {ArrayLike<number>} many
 */
function merged(few, many) {
  const all = new Uint32Array(few.length + many.length);
  let taken = 0;
  let length = 0;
  for (let index = 0; index < many.length; index++) {
    while (taken < few.length && few[taken] <= many[index]) all[length++] = few[taken++];
    all[length++] = many[index];
  }
  while (taken < few.length) all[length++] = few[taken++];
  return all;
}

/**
 * The rows that brought a spot as it stands at a position, and those that repeated or closed it.
 * @param {Transcript} transcript
 * @param {Spot} spot
 * @param {number} position
 * @returns {LinkedRows}
 */
export function rowsOf(transcript, { part, field, from = 0, to = Infinity, figure }, position = Infinity) {
  const repeats = part.repeats.filter((place) => place <= position);
  if (field === "") {
    if (part.closedAt <= position) repeats.push(part.closedAt);
    return linked(transcript, makingOf(part, position), repeats.sort((a, b) => a - b));
  }
  if (part.grown.has(field)) {
    const marks = marksOf(part, field, from, to, position);
    const last = marks.at(-1) ?? Infinity;
    return linked(transcript, marks, repeats.filter((place) => place > last));
  }
  const { brought, repeated } = settingsOf(part, field, figure, position);
  return linked(transcript, brought, repeated);
}

/**
 * @param {Transcript} transcript
 * @param {ArrayLike<number>} brought positions
 * @param {number[]} repeated positions
 * @returns {LinkedRows}
 */
function linked(transcript, brought, repeated) {
  const rows = rowsAt(transcript, brought);
  const others = rowsAt(transcript, repeated).filter((row) => !includes(rows, row));
  return { brought: rows, repeated: others };
}

/**
 * Whether a rising list has a row.
 * @param {Uint32Array} rows
 * @param {number} row
 */
export function includes(rows, row) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row;
}

/**
 * What a row changed, in the order of its operations.
 * @param {Transcript} transcript
 * @param {number} row its number
 * @returns {Change[]}
 */
export function changesOf(transcript, row) {
  /** @type {Change[]} */
  const changes = [];
  const last = transcript.rowOf.rank(row);
  for (let position = transcript.rowOf.rank(row - 1) + 1; position <= last; position++) {
    const part = transcript.partAt(position);
    if (part) changes.push(...changesAt(part, position));
  }
  return changes;
}

/**
 * What the operation at a position did to its part. Opening one may bring several fields at once.
 * @param {Part} part
 * @param {number} position
 * @returns {Change[]}
 */
function changesAt(part, position) {
  /** @type {Change[]} */
  const brought = [];
  for (const field of part.grown.keys()) {
    const growth = part.growth(field, position);
    const mark = growth ? growth.positions.rank(position) - 1 : -1;
    if (!growth || growth.positions.at(mark) !== position) continue;
    const from = mark > 0 ? growth.lengths.at(mark - 1) : 0;
    brought.push({ spot: { part, field, from, to: growth.lengths.at(mark) }, growth, did: "brought" });
  }
  for (const [field, history] of part.fields) {
    const place = history.countAt(position) - 1;
    if (place < 0 || history.positions[place] !== position) continue;
    for (const spot of spotsOf(part, field, history.values[place], history.values[place - 1])) {
      brought.push({ spot, growth: null, did: "brought" });
    }
  }
  if (brought.length > 0) return brought;
  const did = part.opened === position ? "brought" : part.closedAt === position ? "closed" : "repeated";
  return [{ spot: { part, field: "" }, growth: null, did }];
}

/**
 * What a new value of a field changed: of an object of numbers the figures that are others now, else the field.
 * @param {Part} part
 * @param {string} field
 * @param {unknown} value
 * @param {unknown} before
 * @returns {Spot[]}
 */
function spotsOf(part, field, value, before) {
  const earlier = /** @type {Record<string, unknown>} */ (before ?? {});
  const figures = Object.entries(value !== null && typeof value === "object" ? value : {})
    .filter(([name, figure]) => typeof figure === "number" && earlier[name] !== figure)
    .map(([name]) => name);
  return figures.length > 0 ? figures.map((figure) => ({ part, field, figure })) : [{ part, field }];
}
