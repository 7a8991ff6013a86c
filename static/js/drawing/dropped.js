/**
 * What was dropped or chosen, as imports: each file one of its own, but for those of a case folder. Used by
 * <import-drop>.
 */

const CASE_BODY = "stream.sse";
const CASE_FILES = new Set([CASE_BODY, "chunks.json", "http.json"]);

/**
 * @param {File[]} files
 * @returns {File[][]} the files of each import
 */
export function importsOf(files) {
  const parts = files.filter((file) => CASE_FILES.has(file.name.toLowerCase()));
  const bodies = parts.filter((file) => file.name.toLowerCase() === CASE_BODY);
  if (parts.length < 2 || bodies.length !== 1) return files.map((file) => [file]);
  return [parts, ...files.filter((file) => !CASE_FILES.has(file.name.toLowerCase()) && file.name !== "expect.json").map((file) => [file])];
}

/**
 * The files of a drop, those of dropped folders included.
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>}
 */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => (item.kind === "file" ? item.webkitGetAsEntry() : null));
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files];
  const lists = await Promise.all(entries.map((entry) => (entry ? filesUnder(entry) : [])));
  return lists.flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesUnder(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject))];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */
  const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  return (await Promise.all(entries.filter((each) => each.isFile).map(filesUnder))).flat();
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
