/** @param {string | undefined} text @returns {any} absent where it is not JSON */
export function parseJson(text) {
  try {
    return JSON.parse(/** @type {string} */ (text));
  } catch {
    return undefined;
  }
}
