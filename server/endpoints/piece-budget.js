/**
 * Counts the pieces that are sent to each address. How many streams are under way says how many are due, but not how many are sent: a
 * stream as fast as possible, or one that is resumed late, has many that are due at once.
 */
import { networkOf } from '../http/pool.js';

const SECOND_MS = 1000;

/** @typedef {{ readonly left: number, spend(count: number): void }} PieceAccount of one address; `left`: pieces in this second */

export class PieceBudget {
  #limit;
  #now;
  /** @type {Map<string, number>} by network, in this second */
  #spent = new Map();
  #startedAtMs = 0;

  /** @param {number} limit of one network, in each second @param {() => number} [now] ms */
  constructor(limit, now = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** @param {string} address @returns {PieceAccount} */
  open(address) {
    const network = networkOf(address);
    const left = () => this.#leftOf(network);
    const spend = (/** @type {number} */ count) => void this.#spent.set(network, this.#limit - left() + count);
    return {
      get left() {
        return left();
      },
      spend,
    };
  }

  /** @param {string} network */
  #leftOf(network) {
    const nowMs = this.#now();
    if (nowMs - this.#startedAtMs >= SECOND_MS) {
      this.#startedAtMs = nowMs;
      this.#spent.clear();
    }
    return this.#limit - (this.#spent.get(network) ?? 0);
  }
}
