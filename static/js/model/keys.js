/**
 * The keys of the page: a key press -> what it does. main.js listens and asks; the dialog of keys shows the table.
 */

/**
 * @typedef {"run"|"stop"|"filter"|"next"|"previous"|"lit"|"litBefore"|"open"|"nextFinding"|"previousFinding"|"keys"|
 *   "play"|"back"|"forward"|"start"|"end"|"note"} KeyAction
 */
/**
 * @typedef {object} KeyLine
 * @property {string[]} keys as they stand on the keyboard
 * @property {string} does
 * @property {boolean} single a single character: it can be switched off (WCAG 2.1.4)
 */

/** @type {{title: string, lines: KeyLine[]}[]} */
export const KEY_TABLE = [
  {
    title: "Anywhere",
    lines: [
      { keys: ["Ctrl", "Enter"], does: "Run", single: false },
      { keys: ["Esc"], does: "Stop the stream", single: false },
      { keys: ["?"], does: "Show these keys", single: true },
    ],
  },
  {
    title: "Wire",
    lines: [
      { keys: ["/"], does: "Filter the rows", single: true },
      { keys: ["j"], does: "Next row", single: true },
      { keys: ["k"], does: "Previous row", single: true },
      { keys: ["n"], does: "Next lit row", single: true },
      { keys: ["p"], does: "Previous lit row", single: true },
      { keys: ["Enter"], does: "Open or close the row", single: false },
      { keys: ["]"], does: "Next finding", single: true },
      { keys: ["["], does: "Previous finding", single: true },
    ],
  },
  {
    title: "Player",
    lines: [
      { keys: ["Space"], does: "Play or pause", single: false },
      { keys: ["←", "→"], does: "One row back or on", single: false },
      { keys: ["Home", "End"], does: "To the start, to the end", single: false },
      { keys: ["m"], does: "Note something at the current row", single: true },
    ],
  },
  {
    title: "Said",
    lines: [
      { keys: ["↑", "↓"], does: "Previous and next part or figure", single: false },
      { keys: ["←", "→"], does: "Previous and next word of the part", single: false },
      { keys: ["Enter"], does: "Keep its rows lit", single: false },
      { keys: ["Esc"], does: "Put the light out", single: false },
    ],
  },
  {
    title: "Timeline",
    lines: [
      { keys: ["←", "→"], does: "Previous and next event", single: false },
      { keys: ["Shift", "←", "→"], does: "Choose a span", single: false },
      { keys: ["+", "−", "0"], does: "Zoom in, out, all", single: false },
      { keys: ["Enter"], does: "Go there", single: false },
    ],
  },
  {
    title: "Library",
    lines: [
      { keys: ["/"], does: "Search", single: true },
      { keys: ["j"], does: "Next session", single: true },
      { keys: ["k"], does: "Previous session", single: true },
      { keys: ["Enter"], does: "Open it", single: false },
      { keys: ["x"], does: "Choose it, or not", single: true },
      { keys: ["e"], does: "Edit its title", single: true },
      { keys: ["t"], does: "Edit its tags", single: true },
      { keys: ["Delete"], does: "Delete it, or all that are chosen", single: false },
      { keys: ["u"], does: "Undo its deletion", single: true },
    ],
  },
  {
    title: "Body",
    lines: [
      { keys: ["Ctrl", "]"], does: "Indent the lines", single: false },
      { keys: ["Ctrl", "["], does: "Outdent the lines", single: false },
      { keys: ["Tab"], does: "Leave the editor", single: false },
    ],
  },
];

/** @type {Record<string, KeyAction>} */
const SINGLE_ACTIONS = {
  "/": "filter", j: "next", k: "previous", n: "lit", p: "litBefore", "]": "nextFinding", "[": "previousFinding", "?": "keys",
  m: "note",
};

/** @type {Record<string, KeyAction>} */
const MOVING_ACTIONS = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" };

/**
 * What a press does, null when it is none of the page's business.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, isComposing: boolean, repeat: boolean}} press
 * @param {{typing: boolean, control: boolean, moving: boolean, dialog: boolean, single: boolean}} where whether the
 *   focus is in a field, on a control that has Enter and Space of its own, on one that arrow keys move, a dialog is open;
 *   whether single characters are on
 * @returns {KeyAction|null}
 */
export function keyAction({ key, ctrlKey, metaKey, altKey, isComposing, repeat }, { typing, control, moving, dialog, single }) {
  if (isComposing || dialog) return null;
  if (key === "Enter" && (ctrlKey || metaKey) && !altKey) return repeat ? null : "run";
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "Escape") return "stop";
  if (typing) return null;
  if (key === "Enter") return control ? null : "open";
  if (key === " ") return control || repeat ? null : "play";
  if (MOVING_ACTIONS[key]) return moving ? null : MOVING_ACTIONS[key];
  return single ? (SINGLE_ACTIONS[key] ?? null) : null;
}
