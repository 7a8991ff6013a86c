/** What the form begins with, and tools to try. Used by the draft, the list of tools and the empty stage. */

/** @typedef {import("./request.js").Tool} Tool */

export const FIRST_PROMPT = "When is high tide in Brest tomorrow, and how windy is it at six?";

/** @type {Tool[]} */
export const EXAMPLE_TOOLS = [
  {
    name: "tide_table",
    description: "High and low tides of a port on a day.",
    parameters: `{
  "type": "object",
  "properties": {
    "port": { "type": "string" },
    "day": { "enum": ["today", "tomorrow"] }
  },
  "required": ["port", "day"]
}`,
  },
  {
    name: "wind_at",
    description: "Wind speed and direction at a port.",
    parameters: `{
  "type": "object",
  "properties": {
    "port": { "type": "string" },
    "hour": { "type": "integer" }
  },
  "required": ["port", "hour"]
}`,
  },
];
