/**
 * Shares out places that visitors hold for a while, so that an address that takes many leaves room for the others.
 * A classroom is one address, and so is everybody behind an untrusted proxy, so one address may have half of all places.
 * It is refused only while more than half are taken and it has more than a quarter.
 */
import { isIPv4 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import { RefusalError } from './exchange.js';

/** The prefix length of an IPv6 network: a customer has at least one network of this size. */
export const NETWORK_BITS = 56;

/**
 * @param {string} address @returns {string} an IPv4 address as it is, in any form; the network of an IPv6 one
 * @example networkOf('2001:db8:1:2::1') // '2001:db8:1::/56'
 */
export function networkOf(address) {
  // As most are, and every request asks: the library reads it as an IPv6 address first.
  const ofIpv4 = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIPv4(ofIpv4) ? ofIpv4 : ipKeyGenerator(address, NETWORK_BITS);
}

export class Pool {
  #limit;
  #noun;
  #takenCount = 0;
  /** @type {Map<string, number>} by network, of those that hold any */
  #counts = new Map();

  /** @param {{ limit: number, noun: string }} options `noun`: what the places are, for error messages */
  constructor({ limit, noun }) {
    this.#limit = limit;
    this.#noun = noun;
  }

  get takenCount() {
    return this.#takenCount;
  }

  /**
   * @param {string} address @param {number} [count] of places, which are left together
   * @returns {() => void} leaves them; may be called again @throws {RefusalError}
   */
  take(address, count = 1) {
    const network = networkOf(address);
    this.#requireRoom(network, count);
    this.#change(network, count);
    return this.#createLeave(network, count);
  }

  /**
   * Takes all of several places, or none.
   * @param {string} address @param {number} count @returns {(() => void)[]} leaves each @throws {RefusalError}
   */
  takeMany(address, count) {
    const network = networkOf(address);
    this.#requireRoom(network, count);
    this.#change(network, count);
    return Array.from({ length: count }, () => this.#createLeave(network, 1));
  }

  /** @param {string} network @param {number} count @returns {() => void} */
  #createLeave(network, count) {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#change(network, -count);
    };
  }

  /** @param {string} network @param {number} count @throws {RefusalError} */
  #requireRoom(network, count) {
    const limit = this.#limit;
    if (this.#takenCount + count > limit) {
      throw new RefusalError(
        'busy',
        `The server has ${this.#takenCount} of at most ${limit} ${this.#noun}. Try again later`,
        503,
      );
    }
    const ownCount = this.#counts.get(network) ?? 0;
    if (this.#takenCount <= limit / 2 || ownCount <= limit / 4) return;
    throw new RefusalError(
      'too-many',
      `Your IP address has ${ownCount} of ${limit} ${this.#noun}. Try again later`,
      429,
    );
  }

  /** @param {string} network @param {number} change */
  #change(network, change) {
    this.#takenCount += change;
    const count = (this.#counts.get(network) ?? 0) + change;
    if (count > 0) this.#counts.set(network, count);
    else this.#counts.delete(network);
  }
}
