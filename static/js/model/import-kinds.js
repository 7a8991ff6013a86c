/** What can be imported: the list of playground/recordings/importing, which a test holds this one to. */

/** @type {[title: string, sentence: string][]} */
export const IMPORT_KINDS = [
  ["A case folder", "stream.sse, chunks.json and http.json as a zip or dropped together. There are no times and no request."],
  ["A recording", "The file that Export writes: every lane, byte and time of a session."],
  ["A HAR file", "Saved by a browser or a proxy: each event stream in it becomes a lane, with Chrome's event times if there."],
  ["What curl printed", "With -i: status and headers beside the body. With -v: the request's headers too; keys in them are masked."],
  ["Events as JSON lines", "An event's data a line, or {\"event\", \"data\"}. The bytes of the stream are made anew from them."],
  ["A raw body", "The bytes of an answer, as a file or pasted. There are no times and no request."],
];
