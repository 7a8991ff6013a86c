/**
 * The markers of a session: notes at bytes of a lane, found to their rows. The page gives the doors by which they are
 * kept, or a list alone where nothing may be changed. Made by session.js; read by Wire, the player's bar and the list.
 *
 * @typedef {{id: number, lane: number, start: number, end: number, note: string, created: number | null}} Marker
 * @typedef {{problem: {message: string}}} MarkerProblem
 * @typedef {{
 *   list: () => Promise<{markers: Marker[]} | MarkerProblem>,
 *   add: (marker: {lane: number, start: number, end: number, note: string}) => Promise<Marker | MarkerProblem>,
 *   edit: (id: number, note: string) => Promise<Marker | MarkerProblem>,
 *   remove: (id: number) => Promise<{} | MarkerProblem>,
 * }} MarkerDoors
 */

export class Markers {
  /** @param {import("./session.js").SessionModel} session */
  constructor(session) {
    this.session = session;
    /** In the order of lanes and bytes. @type {Marker[]} */
    this.list = [];
    /** @type {MarkerDoors | null} */
    this.doors = null;
    /** Why the last change was not kept, "" when it was. */
    this.problem = "";
  }

  /** Take a list as it is. @param {Marker[]} list */
  set(list) {
    this.list = [...list].sort((one, other) => one.lane - other.lane || one.start - other.start);
    this.session.changed();
  }

  /** Ask the doors for the list. */
  async load() {
    const answer = await this.doors?.list();
    if (answer && "markers" in answer) this.set(answer.markers);
  }

  /** The index of the row in which a marker's bytes begin, -1 while it is not here. @param {Marker} marker */
  rowOf({ lane, start }) {
    const rows = this.session.lanes[lane]?.rows;
    if (!rows) return -1;
    const row = rows.starts.rank(start) - 1;
    return row >= 0 && start < Math.max(rows.ends.at(row), rows.starts.at(row) + 1) ? row : -1;
  }

  /** The markers that begin in a row. @param {number} lane @param {number} row index */
  ofRow(lane, row) {
    return this.list.length === 0 ? [] : this.list.filter((marker) => marker.lane === lane && this.rowOf(marker) === row);
  }

  /** Note something at a row; whether it is kept. @param {number} lane @param {number} row @param {string} note */
  add(lane, row, note) {
    const { rows } = this.session.lanes[lane];
    const place = { lane, start: rows.starts.at(row), end: rows.ends.at(row) };
    return this.#change(this.doors?.add({ ...place, note }), (marker) => [...this.list, marker]);
  }

  /** @param {number} id @param {string} note */
  edit(id, note) {
    return this.#change(this.doors?.edit(id, note), (marker) => this.list.map((each) => (each.id === id ? marker : each)));
  }

  /** @param {number} id */
  remove(id) {
    return this.#change(this.doors?.remove(id), () => this.list.filter((each) => each.id !== id));
  }

  /**
   * @param {Promise<any> | undefined} asked
   * @param {(answer: Marker) => Marker[]} changed
   */
  async #change(asked, changed) {
    const answer = await asked;
    if (!answer) return false;
    this.problem = answer.problem?.message ?? "";
    if (this.problem) this.session.changed();
    else this.set(changed(answer));
    return this.problem === "";
  }
}
