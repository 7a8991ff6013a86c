/** Says when the page gets other colours: by the switch, or because the system's theme changed. For what is painted. */

/** @param {() => void} listener @returns {() => void} undoes it */
export function onThemeChange(listener) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(listener);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  system.addEventListener("change", listener);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", listener);
  };
}
