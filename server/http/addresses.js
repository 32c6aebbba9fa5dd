/** IP addresses, as sockets and proxies write them, and the URL of this site. */
import { BlockList, isIP } from 'node:net';
import { RefusalError } from './exchange.js';

/** @import { IncomingMessage } from 'node:http' */

/** The addresses of this machine: other workers, and its operator. */
export const LOOPBACK = Object.freeze(['127.0.0.0/8', '::1']);

/** Matches a host name (with `_`, as containers have) or an IP address, optionally with a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const MAX_HOST_LENGTH = 253 + ':65535'.length;
const PROTOCOLS = ['http', 'https'];

/**
 * @param {string} address @returns {4 | 6 | undefined} absent where it is no address
 * @example familyOf('::ffff:10.1.2.3') // 4
 */
export function familyOf(address) {
  // A socket for both families reports an IPv4 address in this form.
  const family = isIP(address.replace(/^::ffff:(?=\d+\.)/, ''));
  return family === 4 || family === 6 ? family : undefined;
}

/** @param {string} text @returns {boolean} whether it is an address, or a network with its prefix length */
export function isAddressRange(text) {
  const [address, bits = '0', ...rest] = text.split('/');
  const maxBits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) > 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

/**
 * @param {readonly string[]} ranges addresses, or networks with their prefix length
 * @returns {(address: string) => boolean} whether it is one of them. An IPv4 address may come in either form
 */
export function createAddressCheck(ranges) {
  const typeOf = (/** @type {string} */ address) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, typeOf(address));
    else list.addSubnet(address, Number(bits), typeOf(address));
  }
  return (address) => isIP(address) > 0 && list.check(address, typeOf(address));
}

/**
 * Returns the address of the visitor, as Express determines it.
 * @param {Pick<IncomingMessage, 'socket' | 'headers'>} req
 * @param {number} hops the number of trusted proxies @returns {string} an address
 */
export function visitorOf({ socket, headers }, hops) {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .flatMap((text) => text.trim() || []);
  return [socket.remoteAddress ?? '', ...forwarded.reverse()][Math.min(hops, forwarded.length)];
}

/**
 * @typedef {(req: { protocol: string, host?: string }) => string} SiteUrlOf returns what links that leave the site begin with, by
 *   an Express request, with the forwarded headers of trusted proxies; a path where it names no host, as HTTP/1.0 may. Throws
 *   a RefusalError where the host cannot be one
 */

/**
 * @param {string | undefined} publicUrl an origin, by the operator; absent: the request's Host @param {string} basePath
 * @returns {SiteUrlOf}
 */
export function createSiteUrlOf(publicUrl, basePath) {
  return ({ protocol, host }) => {
    if (publicUrl !== undefined || !host) return (publicUrl ?? '') + basePath;
    const isHost = host.length <= MAX_HOST_LENGTH && HOST.test(host) && URL.canParse(`http://${host}`);
    if (isHost && PROTOCOLS.includes(protocol)) return `${protocol}://${host}${basePath}`;
    throw new RefusalError('bad-host', 'Host: expected a host name or an IP address, optionally with a port');
  };
}
