/**
 * The programs of the gateway's page: a short request in each format, to the format's own model. Used by gateway-programs.
 */

import { requestAddress, wholeBase } from "./address.js";
import { newBody, usualModel } from "./request.js";

const PROGRAM_PROMPT = "Say in two sentences what server-sent events are.";

/**
 * @param {import("./draft.js").Settings} settings
 * @returns {import("./snippets.js").SnippetRequest[]} one a format
 */
export function programRequests({ gateway, formats }) {
  return formats.map(({ name, title, path }) => {
    const form = {
      model: usualModel(name), maxTokens: "256", stream: true, system: "", user: PROGRAM_PROMPT, reasoning: "off",
      tools: [], otherTools: 0,
    };
    return {
      format: name,
      title,
      base: wholeBase(gateway.base_url),
      url: requestAddress(gateway.base_url, path),
      headers: [],
      body: newBody(name, form).text,
      variable: "",
      key: "",
    };
  });
}
