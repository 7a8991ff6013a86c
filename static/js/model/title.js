/** The title of the page: what happens, with which model. Used by main.js. */

const SITE = "Stream Playground";

/** @param {import("./session.js").SessionModel | null} session */
export function pageTitle(session) {
  if (!session || session.lanes.length === 0) return SITE;
  const words = new Set(session.lanes.map(({ word }) => word));
  const word = words.size === 1 ? [...words][0] : session.running ? "streaming" : [...words].join(", ");
  const models = [...new Set(session.lanes.map(({ facts }) => facts.model).filter((model) => model !== ""))];
  return [word, models.length > 2 ? `${models.length} models` : models.join(", "), SITE].filter((part) => part !== "").join(" · ");
}
