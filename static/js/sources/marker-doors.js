/** The server's doors to the markers of a session. Called by main.js for the session's model. */

import { ask, post } from "./doors.js";

/**
 * @param {string} id of the session
 * @returns {import("../model/markers.js").MarkerDoors}
 */
export function markerDoors(id) {
  const base = `/sessions/${encodeURIComponent(id)}/markers`;
  return {
    list: () => ask(base),
    add: (marker) => post(`${base}/new`, marker),
    edit: (marker, note) => post(`${base}/${marker}/note`, { note }),
    remove: (marker) => post(`${base}/${marker}/delete`, {}),
  };
}
