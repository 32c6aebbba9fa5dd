/**
 * @typedef {object} Environment where and with what it was measured
 * @property {string} url of the page that was measured, or of the site where there was none
 * @property {string} [pageOrigin] of the page that measured, where it came from another server
 * @property {string} userAgent the browser's, or `Node.js` with its version
 * @property {number} [stepMs] of the clock; absent where it could not be measured
 * @property {boolean} isCrossOriginIsolated
 */
