/** Tells whether a visitor may pay for each byte. */

/**
 * Checks whether a page should save bytes: on a phone they may be expensive.
 * @param {object} browser @param {Navigator} browser.navigator @param {typeof window.matchMedia} browser.matchMedia
 * @returns {boolean} also true if the visitor has requested it
 */
export function isSparing({ navigator, matchMedia }) {
  // Some browsers know neither: https://developer.mozilla.org/docs/Web/API/NetworkInformation/saveData
  const { connection, userAgentData } = /** @type {any} */ (navigator);
  const isCostly = connection?.saveData || connection?.type === 'cellular' || userAgentData?.mobile;
  // The primary pointer of a phone is coarse.
  return isCostly || matchMedia('(pointer: coarse)').matches;
}
