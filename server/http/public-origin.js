/**
 * Where this site is, for links that leave it: those that are mailed out, and what other sites show beside them.
 */

/** A name (with `_`, as containers have), or an address; with a port, if any. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const MAX_LENGTH = 253 + ':65535'.length;
const PROTOCOLS = ['http', 'https'];

/**
 * @typedef {{ protocol: string, host?: string }} Asked an Express request, forwarded headers of trusted proxies included
 * @typedef {(req: Asked) => string} OriginOf empty where the request names no host, as HTTP/1.0 may: a link is relative then;
 *   throws a HostError
 */

/** The client named a host that cannot be one. */
export class HostError extends Error {
  /** For Express. */
  status = 400;
}

/** @param {string | undefined} publicUrl an origin, by the operator; absent: the request's Host @returns {OriginOf} */
export function createPublicOrigin(publicUrl) {
  return ({ protocol, host }) => {
    if (publicUrl !== undefined || !host) return publicUrl ?? '';
    if (isHost(host) && PROTOCOLS.includes(protocol)) return `${protocol}://${host}`;
    throw new HostError('Host: expected a host name or an address, and a port if any');
  };
}

/** @param {string} text */
function isHost(text) {
  return text.length <= MAX_LENGTH && HOST.test(text) && URL.canParse(`http://${text}`);
}
