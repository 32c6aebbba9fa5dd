/**
 * Should a page be sparing with bytes here? On a phone they may be paid for one by one.
 * @param {object} browser @param {Navigator} browser.navigator @param {typeof window.matchMedia} browser.matchMedia
 * @returns {boolean} also where the visitor has said so
 */
export function isSparing({ navigator, matchMedia }) {
  // Neither is known to all browsers: https://developer.mozilla.org/docs/Web/API/NetworkInformation/saveData
  const { connection, userAgentData } = /** @type {{ connection?: { saveData?: boolean, type?: string },
    userAgentData?: { mobile?: boolean } } & Navigator} */ (navigator);
  if (connection?.saveData || connection?.type === 'cellular' || userAgentData?.mobile) return true;
  // The first way to point there is a finger.
  return matchMedia('(pointer: coarse)').matches;
}
