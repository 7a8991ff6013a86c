/**
 * An exported page: a session and all that is needed to look at it in one file, opened from disk, without any network.
 * playground/recordings/exporting/ joins this module with those it stands on; unpack.js runs what was joined.
 */

import "./elements/shared-line.js";
import { SessionModel } from "./model/session.js";
import { linksInside, readBlocks } from "./sources/recording.js";
import { Viewing } from "./viewing.js";

const exportedSession = new SessionModel();
const exportedViewing = new Viewing();
const exportedLine = /** @type {import("./elements/shared-line.js").SharedLine} */ (document.querySelector("shared-line"));

exportedViewing.begin();
exportedViewing.show(exportedSession, linksInside());
exportedLine.session = exportedSession;
readBlocks(exportedSession);
