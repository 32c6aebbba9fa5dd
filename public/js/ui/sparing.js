/** Tells whether a visitor may pay for each byte. */

/**
 * Checks whether bytes are known to be expensive: the visitor saves data, or the connection is a phone's.
 * @param {Navigator} navigator @returns {boolean} false where the browser does not say it
 */
export function isMetered(navigator) {
  // Some browsers do not know it: https://developer.mozilla.org/docs/Web/API/NetworkInformation/saveData
  const { connection } = /** @type {Navigator & { connection?: { saveData?: boolean, type?: string } }} */ (navigator);
  return Boolean(connection?.saveData) || connection?.type === 'cellular';
}

/**
 * Checks whether a page should save bytes: on a phone they may be expensive.
 * @param {object} browser @param {Navigator} browser.navigator @param {typeof window.matchMedia} browser.matchMedia
 * @returns {boolean} also true if the visitor has requested it
 */
export function isSparing({ navigator, matchMedia }) {
  const { userAgentData } = /** @type {Navigator & { userAgentData?: { mobile: boolean } }} */ (navigator);
  // The primary pointer of a phone is coarse.
  return isMetered(navigator) || userAgentData?.mobile || matchMedia('(pointer: coarse)').matches;
}
