/**
 * Steps out of the live socket of a session. Called by main.js; feeds a SessionModel and reconnects by itself.
 *
 * A frame is acknowledged when it was folded, so a page that is busy is never buried; after a break the server is told
 * what is here already and goes on from there.
 */

/** Close codes of the server after which trying again is of no use; what it said before goes before these sentences. */
const REFUSED = new Map([
  [4400, { code: "invalid", message: "The server does not understand this address." }],
  [4410, { code: "share-over", message: "This link shows nothing any more." }],
  [4404, { code: "no-such-session", message: "There is no such session here. If it was deleted, the library can bring it back." }],
  [4403, { code: "origin", message: "The server refused this page's address. Open the address that the server printed." }],
]);
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;

/**
 * The socket's address, with the last step of each lane that is here.
 * @param {string} path
 * @param {import("../model/session.js").SessionModel} session
 */
function socketAddress(path, session) {
  const address = new URL(path, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const have = session.lanes.flatMap((lane, index) => (lane.have >= 0 ? [`${index}:${lane.have}`] : []));
  if (have.length > 0) address.search = `${address.search ? `${address.search}&` : ""}have=${have.join(",")}`;
  return address;
}

/**
 * Watch a session until `close` is called.
 * @param {string} id
 * @param {import("../model/session.js").SessionModel} session
 * @param {string} path where its socket is, with a query that it may need
 * @returns {{stop: (lane?: number) => void, close: () => void}}
 */
export function connectLive(id, session, path = `/ws/sessions/${encodeURIComponent(id)}/`) {
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = 0;
  let closed = false;

  function open() {
    const mine = new WebSocket(socketAddress(path, session));
    /** @type {{code: string, message: string} | null} */
    let complaint = null;
    /** @type {string[]} */
    let pieces = [];
    socket = mine;
    session.onFolded = (frame) => {
      if (mine.readyState === WebSocket.OPEN) mine.send(JSON.stringify({ type: "ack", frame }));
    };
    session.onGap = () => mine.close();
    mine.onopen = () => {
      wait = FIRST_WAIT;
      session.setTouch("open");
    };
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return;
      let message = JSON.parse(data);
      if (message.type === "piece") {
        pieces.push(message.text);
        if (pieces.length < message.of) return;
        message = { ...JSON.parse(pieces.join("")), frame: message.frame };
        pieces = [];
      }
      if (message.type === "error") complaint = { code: message.code, message: message.message };
      session.push(message);
    };
    mine.onclose = ({ code }) => {
      if (mine === socket) lost(code, complaint);
    };
  }

  /** @param {number} code @param {{code: string, message: string} | null} complaint */
  function lost(code, complaint) {
    socket = null;
    const reason = REFUSED.get(code);
    if (closed || reason) return session.setTouch("closed", reason ? (complaint ?? reason) : null);
    session.drop();
    session.setTouch("reconnecting");
    timer = window.setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  open();
  return {
    stop(lane) {
      const message = lane === undefined ? { type: "stop" } : { type: "stop", lane };
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
      socket = null;
      session.setTouch("closed");
    },
  };
}
