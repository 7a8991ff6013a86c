/**
 * What an event or a field of an open row is for, in one sentence; "" where nobody knows. Asked by the Wire pane.
 *
 * A field is looked up by the end of its path, the longest first: `choices[].delta.tool_calls[].id` finds
 * `tool_calls.id`. A key `event/path` is for the fields of that event alone, a key that ends in `.**` for all that lies
 * below it, since its keys are free.
 *
 * @typedef {Record<string, string>} Sentences
 * @typedef {{events: Sentences, fields: Sentences, types: Sentences}} Book `types`: what the values of `type` mean
 */

import { CHAT_EVENTS, CHAT_FIELDS, CHAT_TYPES } from "./explain-chat.js";
import { DIALECT_FIELDS } from "./explain-dialects.js";
import { MESSAGES_EVENTS, MESSAGES_FIELDS, MESSAGES_TYPES } from "./explain-messages.js";
import { RESPONSE_ITEM_FIELDS, RESPONSE_TOOL_TYPES, RESPONSES_TYPES } from "./explain-response-items.js";
import { RESPONSE_FIELDS, RESPONSE_TOOL_FIELDS } from "./explain-response-object.js";
import { RESPONSES_EVENTS, RESPONSES_FIELDS } from "./explain-responses.js";

/** @type {Record<string, Book>} */
const BOOKS = {
  chat: { events: CHAT_EVENTS, fields: { ...DIALECT_FIELDS, ...CHAT_FIELDS }, types: CHAT_TYPES },
  messages: { events: MESSAGES_EVENTS, fields: MESSAGES_FIELDS, types: MESSAGES_TYPES },
  responses: {
    events: RESPONSES_EVENTS,
    fields: { ...RESPONSE_TOOL_FIELDS, ...RESPONSE_ITEM_FIELDS, ...RESPONSE_FIELDS, ...RESPONSES_FIELDS },
    types: { ...RESPONSE_TOOL_TYPES, ...RESPONSES_TYPES },
  },
};

/** Rows that are no event, by their kind. @type {Sentences} */
const SILENT_ROWS = {
  comment: "A comment: readers pass over it, servers send it to keep the connection alive.",
  ignored: "A line that does nothing: its field has no meaning, or its value is not valid.",
  block: "Fields without any data, ended by a blank line: they are dropped, not dispatched.",
  tail: "What stood at the end of the body without its line end or its blank line: it is dropped.",
};

/** @param {string} format a format that is not known is looked up in all */
function booksOf(format) {
  return format in BOOKS ? [BOOKS[format]] : Object.values(BOOKS);
}

/**
 * What a row is for.
 * @param {string} format
 * @param {string} kind of the row
 * @param {string} name what the row is called: its event name, or what it did, several joined by " + "
 */
export function explainEvent(format, kind, name) {
  if (kind !== "event") return SILENT_ROWS[kind] ?? "";
  for (const { events } of booksOf(format)) {
    const sentences = name.split(" + ").map((word) => (Object.hasOwn(events, word) ? events[word] : ""));
    const known = sentences.filter(Boolean).join(" ");
    if (known) return known;
  }
  return "";
}

/**
 * What a field is for.
 * @param {string} format
 * @param {string} event name or type of the event
 * @param {string} path as `choices[].delta.content`
 * @param {string} value of a `type`, "" when there is none to tell
 */
export function explainField(format, event, path, value = "") {
  const keys = path.replaceAll("[]", "").split(".");
  for (const book of booksOf(format)) {
    const general = sentenceOf(book.fields, event, keys);
    const kind = keys.at(-1) === "type" ? (keys.length === 1 ? book.events : book.types) : {};
    if (Object.hasOwn(kind, value)) return kind[value];
    if (general) return general;
  }
  return "";
}

/**
 * @param {Sentences} fields
 * @param {string} event
 * @param {string[]} keys
 */
function sentenceOf(fields, event, keys) {
  const own = `${event}/${keys.join(".")}`;
  if (Object.hasOwn(fields, own)) return fields[own];
  for (let first = 0; first < keys.length; first++) {
    const end = keys.slice(first).join(".");
    if (Object.hasOwn(fields, end)) return fields[end];
    for (let last = keys.length - 1; last > first; last--) {
      const above = `${keys.slice(first, last).join(".")}.**`;
      if (Object.hasOwn(fields, above)) return fields[above];
    }
  }
  return "";
}
