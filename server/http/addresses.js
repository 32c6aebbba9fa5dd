/** IP addresses, as sockets and proxies write them. */
import { BlockList, isIP } from 'node:net';

/** @import { IncomingMessage } from 'node:http' */

/** The addresses of this machine: other workers, and its operator. */
export const LOOPBACK = Object.freeze(['127.0.0.0/8', '::1']);

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
 * @param {string} text of an address, as proxies write it: perhaps with a port, in brackets, with a zone
 * @returns {string | undefined} the address alone; absent where there is none
 * @example readAddress('[2001:db8::1%eth0]:443') // '2001:db8::1'
 */
function readAddress(text) {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/%.*$/, '');
  return [bare, bare.replace(/:\d{1,5}$/, '')].find((address) => isIP(address) > 0);
}

/**
 * Finds the visitor of a request.
 * @param {{ socket: { remoteAddress?: string }, headers: IncomingMessage['headers'] }} req @param {number} hops the number of trusted proxies
 * @returns {{ address: string, isKnown: boolean }} `isKnown`: false where a trusted proxy names no address; then it is the proxy's
 */
export function findVisitor({ socket, headers }, hops) {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const nearest = forwarded.filter((text) => text.trim() !== '').reverse();
  const addresses = [socket.remoteAddress ?? '', ...nearest.slice(0, hops)].map(readAddress);
  const wrong = addresses.indexOf(undefined, 1);
  return { address: addresses.at(wrong < 0 ? -1 : wrong - 1) ?? '', isKnown: wrong < 0 };
}
