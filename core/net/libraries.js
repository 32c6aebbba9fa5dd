/** Says where the libraries come from that rows name. */

/** What platforms have built in; every other library is the default export of the package with its name. */
const BUILT_IN = Object.freeze(['fetch', 'WebSocket', 'XMLHttpRequest', 'EventSource']);

/** @param {string} library @returns {boolean} must a platform load it? */
export const isPackage = (library) => !BUILT_IN.includes(library);

/** @param {readonly { library: string }[]} rows @returns {string[]} the packages that they need, each once */
export const packagesOf = (rows) => [...new Set(rows.map(({ library }) => library).filter(isPackage))];
