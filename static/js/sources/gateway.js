/**
 * What the gateway tells of itself, over its own addresses; and its ledger again and again while the page can be seen.
 * Called by gateway-page.js. Nothing here throws: what does not come is null.
 */

const LEDGER_EVERY = 2000;

/** @param {string} address below /v1 @param {string} key @returns {Promise<any>} */
export async function askGateway(address, key = "") {
  try {
    const answer = await fetch(`/v1${address}`, { headers: key ? { authorization: `Bearer ${key}` } : {} });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * Ask for the ledger now and every two seconds, but not while nobody sees the page.
 * @param {(ledger: import("../model/ledger.js").LedgerAnswer | null) => void} tell
 * @returns {{setKey: (key: string) => void}} `setKey` asks for another key's at once
 */
export function followLedger(tell) {
  let key = "";
  let timer = 0;
  /** Counts questions: a late answer to an earlier one is passed over. */
  let asked = 0;

  async function ask() {
    clearTimeout(timer);
    if (document.hidden) return;
    const mine = (asked += 1);
    const ledger = await askGateway("/usage?limit=50", key);
    if (mine !== asked) return;
    tell(ledger);
    timer = window.setTimeout(ask, LEDGER_EVERY);
  }

  document.addEventListener("visibilitychange", ask);
  ask();
  return {
    setKey(wanted) {
      key = wanted;
      ask();
    },
  };
}
