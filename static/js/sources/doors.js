/**
 * The server's doors over HTTP: start and stop a session, ask a target for its models and its ledger. No success,
 * and a server that cannot be reached, come back as a problem, never as an exception. Called by main.js.
 */

/** @typedef {import("../model/draft.js").Problem} Problem */
/** @typedef {{models: import("../model/draft.js").Model[], scenarios?: import("../model/draft.js").Scenario[]}} Offer */

const OUT_OF_REACH = {
  code: "network",
  message: "This playground’s server does not answer. See whether it still runs, then try again.",
};

/** @param {object} request the body of POST /sessions/ @returns {Promise<{id: string, address: string} | {problem: Problem}>} */
export function startSession(request) {
  return post("/sessions/", request);
}

/** @param {string} id @returns {Promise<{} | {problem: Problem}>} */
export function stopSession(id) {
  return post(`/sessions/${encodeURIComponent(id)}/stop`, {});
}

/** @param {string} id @param {string} title @returns {Promise<{title: string} | {problem: Problem}>} */
export function renameSession(id, title) {
  return post(`/sessions/${encodeURIComponent(id)}/title`, { title });
}

/**
 * @param {{target: string, base_url: string, key: string}} target
 * @returns {Promise<Offer | {problem: Problem}>}
 */
export function askModels(target) {
  return post("/models/", target);
}

/**
 * What a request came to, by the target's own ledger.
 * @param {{format: string, target: string, base_url: string, key: string, headers: [string, string][]}} lane as it was sent
 * @param {string} requestId
 * @returns {Promise<import("./charges.js").ChargeAnswer>}
 */
export function askCharge({ format, target, base_url, key, headers }, requestId) {
  return post("/usage/", { format, target, base_url, key, headers, request_id: requestId });
}

/** @param {string} address @param {object} body @returns {Promise<any>} */
export function post(address, body) {
  const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
  const headers = { "content-type": "application/json", "x-csrftoken": token };
  return ask(address, { method: "POST", headers, body: JSON.stringify(body) });
}

/** @param {string} address @param {RequestInit} [way] @returns {Promise<any>} */
export async function ask(address, way) {
  let answer;
  try {
    answer = await fetch(address, way);
  } catch {
    return { problem: OUT_OF_REACH };
  }
  const said = await answer.json().catch(() => null);
  if (answer.ok && said) return said;
  if (said?.message) return { problem: said };
  return { problem: { code: `http-${answer.status}`, message: unexplained(answer.status) } };
}

/** @param {number} status */
function unexplained(status) {
  if (status === 403) return "The server did not accept this page, it may be too old. Load it again.";
  if (status === 413) return "The request is larger than the server takes.";
  return `The server answered with status ${status} and no explanation. Its log says more.`;
}
