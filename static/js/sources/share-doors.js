/** The server's doors to the links of a session. Called by main.js for <share-dialog>. */

import { ask, post } from "./doors.js";

/**
 * @param {string} id of the session
 * @returns {import("../elements/share-dialog.js").ShareDoors}
 */
export function shareDoors(id) {
  const base = `/sessions/${encodeURIComponent(id)}`;
  return {
    list: () => ask(`${base}/shares`),
    make: (request) => post(`${base}/shares/new`, request),
    revoke: (share) => post(`${base}/shares/${encodeURIComponent(share)}/revoke`, {}),
    preview: `${base}/shared-view/`,
    page: `${base}/export/html`,
  };
}
