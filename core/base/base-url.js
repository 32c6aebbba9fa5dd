/** The URL of a site, which may be below a path of its host. A path of the site follows it, so it has no slash at its end. */

/** @param {string} text @returns {string | undefined} absent where it is no URL of a site @example readBaseUrl('https://example.org/shootout/') // 'https://example.org/shootout' */
export function readBaseUrl(text) {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, href } = new URL(text);
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
