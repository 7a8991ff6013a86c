/** A choice of one: radio buttons in a row. Used by the dialog of snippets and the gateway's page. */

import { make } from "./dom.js";

/**
 * Radio buttons that look like tabs.
 * @param {HTMLElement} box @param {string} label @param {string[]} titles @param {number} chosen
 * @param {(index: number) => void} choose
 */
export function fillSegments(box, label, titles, chosen, choose) {
  box.setAttribute("role", "radiogroup");
  box.setAttribute("aria-label", label);
  box.replaceChildren(
    ...titles.map((title, index) => {
      const radio = make("input");
      Object.assign(radio, { type: "radio", name: `segments-${label}`, checked: index === chosen });
      radio.addEventListener("change", () => choose(index));
      return make("label", "", radio, make("span", "", title));
    }),
  );
}
