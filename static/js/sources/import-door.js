/**
 * Files to the server's door for imports, with progress, until the session stands there. Called by pages, which give
 * it to <import-drop>.
 */

/** @typedef {{address: string} | {problem: {code: string, message: string}}} ImportAnswer */
/** @typedef {{answer: Promise<ImportAnswer>, stop: () => void}} Upload */

const NO_ANSWER = { code: "network", message: "This playground’s server does not answer. See whether it still runs, then import again." };
const STOPPED_IMPORT = { code: "stopped", message: "The import was stopped; nothing of it was kept." };

/**
 * One file is the request's body; the files of a case go together as a form.
 * @param {File[]} files
 * @param {(sent: number) => void} progress bytes that are on their way; Infinity once the server has all
 * @returns {Upload}
 */
export function sendImport(files, progress) {
  const request = new XMLHttpRequest();
  const answer = new Promise((resolve) => {
    request.upload.onprogress = (event) => progress(event.loaded);
    request.upload.onload = () => progress(Infinity);
    request.onabort = () => resolve({ problem: STOPPED_IMPORT });
    request.onerror = () => resolve({ problem: NO_ANSWER });
    request.onload = () => resolve(importAnswer(request));
  });
  const address = files.length === 1 ? `/sessions/import?name=${encodeURIComponent(files[0].name)}` : "/sessions/import";
  request.open("POST", address);
  request.setRequestHeader("x-csrftoken", document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "");
  if (files.length === 1) request.setRequestHeader("content-type", "application/octet-stream");
  request.send(files.length === 1 ? files[0] : formOf(files));
  return { answer, stop: () => request.abort() };
}

/** @param {File[]} files */
function formOf(files) {
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  return form;
}

/** @param {XMLHttpRequest} request @returns {ImportAnswer} */
function importAnswer(request) {
  let said = null;
  try {
    said = JSON.parse(request.responseText);
  } catch {
    // No JSON: the status says what there is to say.
  }
  if (request.status === 201 && said) return said;
  if (said?.message) return { problem: said };
  return { problem: { code: `http-${request.status}`, message: `The server answered with status ${request.status}. Load this page again and try once more.` } };
}
