/**
 * IP addresses, as sockets and proxies write them.
 */
import { BlockList, isIP } from 'node:net';

/** This machine: the other workers, and whoever runs it. */
export const LOOPBACK = Object.freeze(['127.0.0.0/8', '::1']);

/**
 * @param {string} address
 * @returns {4 | 6 | undefined} absent where it is no address
 * @example familyOf('::ffff:10.1.2.3') // 4
 */
export function familyOf(address) {
  // On a socket that takes both families an IPv4 address comes so.
  const family = isIP(address.replace(/^::ffff:(?=\d+\.)/, ''));
  return family === 4 || family === 6 ? family : undefined;
}

/**
 * @param {readonly string[]} ranges addresses, or networks with their prefix length
 * @returns {{ includes(address: string): boolean }} an IPv4 address in either form
 */
export function createAddressList(ranges) {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, typeOf(address));
    else list.addSubnet(address, Number(bits), typeOf(address));
  }
  return { includes: (address) => isIP(address) > 0 && list.check(address, typeOf(address)) };
}

/** @param {string} address */
function typeOf(address) {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
