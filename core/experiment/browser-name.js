/** The first that a user agent names is the one: Edge and Opera call themselves Chrome, and all of them Safari. */
const BROWSERS = /** @type {const} */ ([
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Firefox', /FxiOS\/(\d+)/],
  ['Chrome', /(?:Headless)?Chrome\/(\d+)/],
  ['Chrome', /CriOS\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
  ['WebKit', /AppleWebKit\/(\d+)/],
  ['Node.js', /^Node\.js v?(\d+)/],
]);

/** @param {string} userAgent @returns {boolean} else Node.js measured */
export const isBrowser = (userAgent) => !userAgent.startsWith('Node.js');

/** Without versions: what a list of runs can be filtered by. */
export const BROWSER_NAMES = [...new Set(BROWSERS.map(([name]) => name))];

/** What {@link nameBrowser} answers where it knows none. */
export const UNKNOWN_BROWSER = 'Unknown browser';

/**
 * @param {string} userAgent as the browser reports itself
 * @returns {string} like 'Firefox 145'; 'Unknown browser' where it names none that is known
 */
export function nameBrowser(userAgent) {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return UNKNOWN_BROWSER;
}
