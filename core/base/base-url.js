/** The URL of a site, which may be below a path of its host. A path of the site follows it, so it has no slash at its end. */

/**
 * Parses a URL. `URL.canParse` of Node.js 20 takes a valid URL with letters like `ö` for none as soon as V8 has compiled its caller.
 * @param {string} text @param {string} [base] @returns {URL | undefined} absent where it is none
 */
export function parseUrl(text, base) {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** @param {string} text @returns {string | undefined} absent where it is no URL of a site @example readBaseUrl('https://example.org/shootout/') // 'https://example.org/shootout' */
export function readBaseUrl(text) {
  const url = parseUrl(text);
  if (!url) return undefined;
  const { protocol, origin, pathname, href } = url;
  // Neither a password, nor a query, nor a fragment.
  if (!['http:', 'https:'].includes(protocol) || href !== origin + pathname) return undefined;
  return origin + pathname.replace(/\/+$/, '');
}

/** @param {string} pathname of a page of any site @returns {string} its path within the site, as pages have a single part @example pagePathOf('/shootout/polltest') // '/polltest' */
export const pagePathOf = (pathname) => pathname.slice(pathname.lastIndexOf('/'));

/**
 * Returns the path of the study of all runs with a label. The label is in the query, as proxies and browsers resolve a path.
 * @param {string} label
 */
export const studyPath = (label) => `/c?label=${encodeURIComponent(label)}`;
