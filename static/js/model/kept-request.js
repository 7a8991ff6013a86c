/**
 * The request of a kept lane as a snippet is made from it: masked, without what the relay adds. Used by the Request pane
 * and by draft.js.
 */

import { baseOfAddress, keyVariable, wholeBase } from "./address.js";

/** With this header the gateway is told its pace. */
export const PACE_HEADER = "x-gateway-pace";

/** Headers that the relay adds by itself; they are not taken from an earlier session as the person's own. */
const RELAY_HEADERS = new Set([
  "accept", "accept-encoding", "anthropic-version", "authorization", "connection", "content-length", "content-type",
  "host", "transfer-encoding", "user-agent", "x-api-key", PACE_HEADER,
]);

/** The headers that a person gave. @param {[string, string][]} headers */
export function personHeaders(headers) {
  return headers.filter(([name]) => !RELAY_HEADERS.has(name.toLowerCase()));
}

/**
 * @param {import("./messages.js").LaneMessage} facts
 * @returns {import("./snippets.js").SnippetRequest}
 */
export function keptSnippet({ format, target, url, request_headers, request_body }) {
  const base = wholeBase(baseOfAddress(url));
  return {
    format: /** @type {import("./request.js").FormatName} */ (format),
    title: format,
    base,
    url,
    headers: personHeaders(request_headers),
    body: request_body,
    variable: target === "gateway" ? "" : keyVariable(base),
    key: "",
  };
}
