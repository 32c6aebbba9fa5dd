/** Where this site is: its origin, and the path below which it is served, which the server writes into each page. */

const { basePath = '', origin: publicOrigin } = document.documentElement.dataset;

/** The URL of the page's own site, without a slash at its end: an endpoint's path follows it. */
export const siteUrl = location.origin + basePath;

/** @param {string} url of a server @returns {boolean} whether it is at another origin than this page */
export const isElsewhere = (url) => new URL(url).origin !== location.origin;

/** @param {string} path of the site, like `/results` @returns {string} for links and requests of this page */
export const at = (path) => basePath + path;

/** Returns the origin of links to this site: `PUBLIC_URL`, if its operator set it. @returns {string} an origin */
export const linkOrigin = () => publicOrigin ?? location.origin;

/**
 * Returns the URL of this page, without its query. The home page's ends with a slash, as paths are resolved against it,
 * but a visitor may have left that out.
 */
export const pageUrl = () => (location.pathname === basePath ? `${siteUrl}/` : location.origin + location.pathname);

/** @param {string} key of what a browser keeps @returns {string} unlike that of another site on this origin */
export const ownKey = (key) => key + basePath;
