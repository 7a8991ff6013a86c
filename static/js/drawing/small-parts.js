/** Citations, images, audio, extra objects and errors. */

import { exactOf } from "../model/exact-json.js";
import { count } from "../model/figures.js";
import { make, makeLink, reveal, write } from "./dom.js";
import { GrownText } from "./grown-text.js";
import { jsonTree } from "./json-tree.js";
import { PartFrame } from "./part-frame.js";
import { makeStop, showsSpot } from "./spots.js";

/** Fields of a citation that stand in its tooltip: where in the text it belongs, and what the vendor needs back. */
const PLACES = [
  "type", "start_index", "end_index", "file_id", "filename", "index", "container_id", "encrypted_index", "source",
  "document_index", "document_title", "search_result_index", "start_char_index", "end_char_index",
  "start_page_number", "end_page_number", "start_block_index", "end_block_index",
];

/** The host of an address, "" when it is none. @param {unknown} address */
function hostOf(address) {
  return typeof address === "string" && URL.canParse(address) ? new URL(address).host : "";
}

export class CitationPart extends PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {import("./part-frame.js").SaidContext} context
   */
  constructor(part, context) {
    super(part, context, ["url", "title", "cited_text", ...PLACES]);
    this.state = "";
    for (const name of ["role", "tabindex", "data-stop"]) this.label.removeAttribute(name);
  }

  /** @override */
  update() {
    super.update();
    const [url, title, cited] = ["url", "title", "cited_text"].map((field) => this.value(field));
    const state = JSON.stringify([url, title, cited]);
    if (state === this.state) return;
    this.state = state;
    const host = hostOf(url);
    const named = title || host || url || this.value("document_title") || this.value("filename");
    const label = String(named || "source without a title");
    const line = make("div", "citation", typeof url === "string" ? makeLink(url, label) : make("span", "", label));
    if (host && host !== label) line.append(" ", make("span", "citation-host", host));
    const [from, to] = [this.value("start_index"), this.value("end_index")];
    if (typeof from === "number") line.append(" ", make("span", "citation-host", `at ${from}–${to ?? "?"}`));
    if (cited) line.append(make("q", "citation-text", String(cited).toWellFormed()));
    const places = PLACES.filter((field) => this.value(field) !== undefined);
    line.title = places.map((field) => `${field} ${JSON.stringify(this.value(field))}`).join("\n");
    line.setAttribute("role", "group");
    line.setAttribute("aria-label", `citation ${label}`);
    showsSpot(line, { part: this.part, field: "" });
    makeStop(line);
    this.body.replaceChildren(line);
  }
}

export class MediaPart extends PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part image or audio
   * @param {import("./part-frame.js").SaidContext} context
   */
  constructor(part, context) {
    super(part, context, ["url", "size"]);
    this.figure = make("div", "media");
    this.note = make("div", "media-note");
    this.text = new GrownText("said-text");
    showsSpot(this.figure, { part, field: "" });
    showsSpot(this.text.element, { part, field: "transcript", text: this.text });
    showsSpot(this.note, { part, field: "size" });
    this.body.append(this.figure, this.text.element, this.note);
    /** How much of it had come when it was last loaded; the address that it was linked to. */
    this.loaded = -1;
    this.linked = "";
  }

  /** @override */
  update() {
    super.update();
    const url = this.value("url");
    const size = this.value("size") ?? 0;
    this.text.update(this.grown("transcript"), this.growing);
    if (typeof url === "string") {
      if (this.linked !== url) this.note.replaceChildren(makeLink(url, url));
      this.linked = url;
      return;
    }
    this.linked = "";
    reveal(this.figure, !this.open);
    write(this.note, size > 0 ? `${count(size)} characters of base64${this.open ? " so far" : ""}` : "");
    if (size > 0 && !this.open && size !== this.loaded) {
      this.loaded = size;
      this.#load();
    }
  }

  #load() {
    const source = this.context.media(this.part.number);
    if (this.part.kind === "audio") {
      const audio = make("audio");
      audio.controls = true;
      audio.preload = "none";
      audio.src = source;
      this.figure.replaceChildren(audio);
      return;
    }
    const image = make("img");
    image.alt = "image out of the stream";
    image.loading = "lazy";
    image.addEventListener("error", () => write(this.figure, "These bytes are no image that this browser can show."));
    image.src = source;
    this.figure.replaceChildren(image);
  }
}

export class ExtraPart extends PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {import("./part-frame.js").SaidContext} context
   */
  constructor(part, context) {
    super(part, context, ["name", "value"]);
    this.name = make("div", "extra-name");
    this.tree = make("div", "extra-tree");
    showsSpot(this.name, { part, field: "name" });
    showsSpot(this.tree, { part, field: "value" });
    this.body.append(this.name, this.tree);
    /** @type {unknown} */
    this.treeOf = undefined;
  }

  /** @override */
  update() {
    super.update();
    write(this.name, String(this.value("name") ?? this.part.kind));
    const value = this.value("value");
    if (value === this.treeOf) return;
    this.treeOf = value;
    this.tree.replaceChildren(...(value === undefined ? [] : [jsonTree(exactOf(value))]));
  }
}

export class ErrorPart extends PartFrame {
  /**
   * @param {import("../model/transcript.js").Part} part
   * @param {import("./part-frame.js").SaidContext} context
   */
  constructor(part, context) {
    super(part, context, ["message", "raw"]);
    this.message = make("div", "error-message");
    showsSpot(this.message, { part, field: "message" });
    this.body.append(this.message);
    const raw = part.value("raw");
    if (raw !== null && typeof raw === "object") this.body.append(jsonTree(exactOf(raw)));
  }

  /** @override */
  update() {
    super.update();
    write(this.message, String(this.value("message") ?? "An error without a message.").toWellFormed());
  }
}
