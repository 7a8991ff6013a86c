/**
 * Exact bytes made visible: text with a mark for whatever cannot be seen, or a hex dump. Used by the open row.
 *
 * @typedef {{text: string, mark: boolean, title: string}} Visible `mark`: stands for something that cannot be seen
 */

const STRICT = new TextDecoder("utf-8", { fatal: true });

const CONTROLS = [
  "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE",
  "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
];

/** @type {Record<number, string>} */
const NAMES = {
  0x7f: "DEL", 0x85: "NEL", 0xa0: "NBSP", 0xad: "SHY", 0x061c: "ALM", 0x180e: "MVS", 0x200b: "ZWSP", 0x200c: "ZWNJ",
  0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
  0x2069: "PDI", 0xfeff: "BOM", 0xfffd: "U+FFFD",
};

/**
 * The mark of a character that cannot be seen, "" for all others.
 * @param {number} code
 */
function markOf(code) {
  if (code < 0x20) return CONTROLS[code];
  if (code in NAMES) return NAMES[code];
  if (code >= 0x80 && code < 0xa0) return codeName(code);
  return "";
}

/** @param {number} code */
function codeName(code) {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** @param {number} byte */
function hexByte(byte) {
  return byte.toString(16).padStart(2, "0");
}

/**
 * The length of the whole UTF-8 character that begins at `place`, 0 when the bytes there are none.
 * @param {Uint8Array} bytes
 * @param {number} place
 */
function characterAt(bytes, place) {
  const first = bytes[place];
  if (first < 0x80) return 1;
  const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || first >= 0xf5 || place + length > bytes.length) return 0;
  try {
    STRICT.decode(bytes.subarray(place, place + length));
    return length;
  } catch {
    return 0;
  }
}

/** What cannot be seen, or turns the direction of what follows: escaped wherever text stands in a line. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]/gu;
/** @type {Record<string, string>} */
const SHORT_ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Text for a line of its own: what cannot be seen in it is escaped as JSON would.
 * @param {string} text
 */
export function visibleLine(text) {
  return text.replace(
    UNSEEN,
    (unit) => SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Bytes without the character that their end cuts in two, for when more of them are to come.
 * @param {Uint8Array} bytes
 */
export function wholeCharacters(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) return bytes.subarray(0, bytes.length - back);
    if (length > 1) break;
  }
  return bytes;
}

/**
 * Bytes as text; control characters, marks of direction and bytes that are no UTF-8 become marks.
 * @param {Uint8Array} bytes
 * @returns {Visible[]}
 */
export function visibleText(bytes) {
  /** @type {Visible[]} */
  const pieces = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let from = 0;
  const flush = (/** @type {number} */ to) => {
    if (to > from) pieces.push({ text: decoder.decode(bytes.subarray(from, to)), mark: false, title: "" });
  };
  for (let place = 0; place < bytes.length; ) {
    const length = characterAt(bytes, place);
    if (length === 0) {
      flush(place);
      pieces.push({ text: `\\x${hexByte(bytes[place])}`, mark: true, title: "a byte that is no UTF-8" });
      from = ++place;
      continue;
    }
    const character = bytes.subarray(place, place + length);
    const code = length === 1 ? bytes[place] : (decoder.decode(character).codePointAt(0) ?? 0);
    const mark = markOf(code);
    if (mark) {
      flush(place);
      pieces.push({ text: mark, mark: true, title: codeName(code) });
      from = place + length;
      if (code === 0x0a) pieces.push({ text: "\n", mark: false, title: "" });
    }
    place += length;
  }
  flush(bytes.length);
  return pieces;
}

/**
 * A hex dump: offset, eight or sixteen bytes, what of them is ASCII.
 * @param {Uint8Array} bytes
 * @param {number} start the offset of the first byte
 * @param {8 | 16} across bytes a line
 */
export function hexDump(bytes, start, across = 16) {
  const lines = [];
  const width = Math.max(6, (start + bytes.length).toString(16).length);
  for (let place = 0; place < bytes.length; place += across) {
    const line = [...bytes.subarray(place, place + across)];
    const hex = line.map(hexByte);
    const halves = [hex.slice(0, 8), hex.slice(8)].slice(0, across / 8).map((half) => half.join(" ").padEnd(23));
    const ascii = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push([(start + place).toString(16).padStart(width, "0"), ...halves, ascii].join("  "));
  }
  return lines.join("\n");
}
