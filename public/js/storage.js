/**
 * What a browser keeps for the site. It may refuse to, and what is there may be broken: then there is less to show, and
 * nothing else happens.
 *
 * @typedef {'localStorage' | 'sessionStorage'} Place of this browser, or of this tab
 */

/**
 * @param {Place} place @param {string} key @returns {any} absent where there is nothing, or nothing that can be read
 */
export function readKept(place, key) {
  try {
    return JSON.parse(window[place].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Place} place @param {string} key @param {unknown} value absent to forget what is there
 * @returns {boolean} whether it is kept now; where it is not, what was there before is
 */
export function keep(place, key, value) {
  try {
    if (value === undefined) window[place].removeItem(key);
    else window[place].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
