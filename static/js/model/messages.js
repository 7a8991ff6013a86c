/**
 * The messages between server and browser, as playground/messages.py defines them; a test holds the lists together.
 *
 * @typedef {[number, string, string, number, number, string]} RowMessage number, kind, name, start, end, data
 * @typedef {[string, import("./findings.js").Severity, number[], number | null, number | null, number | null, string]}
 *   FindingMessage rule, severity, rows, start, end, part, detail
 * @typedef {{
 *   status: number | null, reason: string, headers: [string, string][], started: number | null,
 * }} HeadMessage
 * @typedef {{how: string, detail: string, word: string, complete: boolean, body?: string, notes?: string[]}} EndMessage
 * @typedef {{
 *   step: number, time: number | null, size: number, offset: number, rows?: RowMessage[],
 *   operations?: import("./transcript.js").Operation[], findings?: FindingMessage[], head?: HeadMessage, end?: EndMessage,
 * }} StepMessage
 * @typedef {{
 *   lane: number, format: string, target: string, model: string, method: string, url: string,
 *   request_headers: [string, string][], request_body: string, word: string, last_step: number | null,
 * }} LaneMessage
 * @typedef {{type: "session", id: string, title: string, created: number, tags?: string[], left_out?: string[], lanes: LaneMessage[]}} SessionMessage
 * @typedef {{type: "steps", lane: number, frame: number, steps: StepMessage[]}} StepsMessage
 * @typedef {{type: "piece", frame: number, piece: number, of: number, text: string}} PieceMessage
 * @typedef {{type: "behind", lane: number, last_step: number}} BehindMessage
 * @typedef {{type: "error", code: string, message: string}} ErrorMessage
 * @typedef {SessionMessage | StepsMessage | PieceMessage | BehindMessage | ErrorMessage} ServerMessage
 */

export const SERVER_MESSAGES = ["session", "steps", "piece", "behind", "error"];
export const BROWSER_MESSAGES = ["ack", "stop"];
