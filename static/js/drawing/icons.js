/** Small signs as shapes (player-bar.css), so that every system shows the same ones. Used by the player's bar. */

import { make } from "./dom.js";

/** @typedef {"start" | "back" | "play" | "pause" | "forward" | "end" | "flag"} IconName */

/** @param {IconName} name */
export function makeIcon(name) {
  const icon = make("span", "sign");
  icon.setAttribute("aria-hidden", "true");
  icon.dataset.icon = name;
  return icon;
}

/** Draw another shape into an icon. @param {HTMLElement} icon @param {IconName} name */
export function drawIcon(icon, name) {
  if (icon.dataset.icon !== name) icon.dataset.icon = name;
}
