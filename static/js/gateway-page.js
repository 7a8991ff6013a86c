/**
 * The gateway's page: its address, programs that call it, its ledger while it grows, its models and scenarios. All of it
 * is asked of the gateway itself, at the addresses that any client has.
 */

import "./elements/gateway-ledger.js";
import "./elements/gateway-programs.js";
import "./elements/theme-switch.js";
import { makeCopyButton } from "./drawing/dom.js";
import { modelsTable, scenarioList } from "./drawing/gateway-lists.js";
import { programRequests } from "./model/programs.js";
import { askGateway, followLedger } from "./sources/gateway.js";

/** @typedef {import("./elements/gateway-ledger.js").GatewayLedger} GatewayLedger */
/** @typedef {import("./elements/gateway-programs.js").GatewayPrograms} GatewayPrograms */

/** @type {import("./model/draft.js").Settings} */
const pageSettings = JSON.parse(document.querySelector("#play-settings")?.textContent ?? "{}");

function putCopyButton() {
  const copy = makeCopyButton("plain", () => pageSettings.gateway.base_url);
  copy.setAttribute("aria-label", "copy the base URL");
  document.querySelector("[data-copy]")?.replaceWith(copy);
}

async function listModels() {
  const listed = await askGateway("/models");
  const place = document.querySelector("#gateway-models");
  if (!listed) {
    const note = place?.querySelector("p");
    if (note) note.textContent = "The gateway does not answer. See whether this server still runs, then load the page again.";
    return;
  }
  const titles = new Map(pageSettings.formats.map(({ name, title }) => [String(name), title]));
  place?.replaceChildren(modelsTable(listed.data, titles));
  document.querySelector("#gateway-scenarios")?.replaceChildren(scenarioList(listed.scenarios));
}

function showLedger() {
  const element = /** @type {GatewayLedger} */ (document.querySelector("gateway-ledger"));
  const ledger = followLedger((answer) => element.show(answer));
  element.addEventListener("key", (event) => ledger.setKey(/** @type {CustomEvent<string>} */ (event).detail));
}

putCopyButton();
/** @type {GatewayPrograms} */ (document.querySelector("gateway-programs")).requests = programRequests(pageSettings);
showLedger();
listModels();
