/**
 * The site's own address, as the browser of whoever asks has it: PUBLIC_URL, else what trusted proxies forward, else Host.
 * Links, the check of origins and cross-origin isolation all come from here.
 */
import { parseUrl } from '../../core/base/base-url.js';
import { isLoopback } from '../../core/experiment/run/names.js';
import { RefusalError } from './exchange.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @typedef {{ headers: IncomingMessage['headers'] }} Asked
 */

/** Matches an origin with a host name (with `_`, as containers have) or an IP address, optionally with a port. */
const ORIGIN = /^https?:\/\/(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const MAX_LENGTH = 'https://'.length + 253 + ':65535'.length;

/**
 * @param {string} text @returns {string | undefined} the origin as browsers write it; absent where the text is none
 * @example readOrigin('https://Example.org:443') // 'https://example.org'
 */
export function readOrigin(text) {
  return text.length <= MAX_LENGTH && ORIGIN.test(text) ? parseUrl(text)?.origin : undefined;
}

/** @param {string | string[] | undefined} header @returns {string | undefined} of a list the first, which the visitor's proxy wrote */
const firstOf = (header) =>
  String(header ?? '')
    .split(',')[0]
    .trim() || undefined;

/** @typedef {ReturnType<typeof createIdentity>} Identity */

/**
 * Creates what knows the address of the site, as whoever asks has it.
 * @param {{ publicUrl?: string, basePath: string, trustProxy: number }} config
 */
export function createIdentity({ publicUrl, basePath, trustProxy }) {
  /** @param {Asked} req @param {string} name */
  const forwarded = ({ headers }, name) => (trustProxy > 0 ? firstOf(headers[name]) : undefined);
  const hostOf = (/** @type {Asked} */ req) => forwarded(req, 'x-forwarded-host') ?? req.headers.host;
  const askedOriginOf = (/** @type {Asked} */ req) =>
    readOrigin(`${forwarded(req, 'x-forwarded-proto') ?? 'http'}://${hostOf(req)}`);

  return {
    /**
     * @param {Asked} req @returns {string} what links that leave the site begin with; a path where the request names no host, as
     *   HTTP/1.0 may @throws {RefusalError} where the host cannot be one
     */
    urlOf(req) {
      if (publicUrl !== undefined || !hostOf(req)) return (publicUrl ?? '') + basePath;
      const origin = askedOriginOf(req);
      if (origin !== undefined) return origin + basePath;
      throw new RefusalError('bad-host', 'Host: expected a host name or an IP address, optionally with a port');
    },

    /** @param {Asked} req @returns {boolean} whether browsers take its pages for a secure context */
    isSecure: (req) =>
      [publicUrl, askedOriginOf(req)].some((origin) => origin?.startsWith('https:') || isLoopback(origin)),

    /**
     * Checks whether a page of this site asks, or a program. By Host alone nobody can tell http from https, as a proxy may not say.
     * @param {Asked} req @returns {boolean}
     */
    isOwn(req) {
      const { origin, host, 'sec-fetch-site': site } = req.headers;
      // Browsers set it, and no page can.
      if (site === 'same-origin') return true;
      // A script or an image on another site sends no Origin, but does say that it is on another site.
      if (origin === undefined) return !/^(cross|same)-site$/.test(String(site));
      const page = readOrigin(origin);
      if (page === undefined) return false;
      const { protocol } = new URL(page);
      return [publicUrl, ...[hostOf(req), host].map((one) => readOrigin(`${protocol}//${one}`))].includes(page);
    },
  };
}
