/**
 * Runs jobs that take long a few at a time, in turns by address: an address with many jobs delays another by one or two of
 * them, not by all.
 */
import { RefusalError, whenOver } from './exchange.js';
import { networkOf } from './pool.js';

/**
 * @import { Request, Response } from 'express'
 *
 * @typedef {{ address: string, signal: AbortSignal }} Client whose job it is; `signal` is aborted when it has left
 */

const hasLeft = () => new RefusalError('busy', 'The client left before its turn', 503);

/**
 * Returns the address of who asks, and the signal that gives a job up when they leave.
 * @param {Request} req @param {Response} res @returns {Client}
 */
export function clientOf(req, res) {
  const left = new AbortController();
  if (res.closed || req.socket.destroyed) left.abort();
  else whenOver(req, res, () => left.abort());
  return { address: req.ip ?? '', signal: left.signal };
}

/** Each job belongs to a request, so the limits on requests also limit the queue. */
export class FairQueue {
  #atOnce;
  #runningCount = 0;
  /** @type {string | undefined} whose job began last */
  #last;
  /** @type {Map<string, Set<() => void>>} what begins each waiting job, by network, in the order of their turns */
  #waiting = new Map();

  /** @param {{ atOnce: number }} options the number of jobs that run at the same time */
  constructor({ atOnce }) {
    this.#atOnce = atOnce;
  }

  /**
   * @template T @param {Client} client who leaves before its turn loses it; a job that has begun goes on
   * @param {() => Promise<T>} job @returns {Promise<T>} what the job gives @throws {RefusalError} where the client has left
   */
  async run({ address, signal }, job) {
    await this.#waitForTurn(networkOf(address), signal);
    try {
      return await job();
    } finally {
      this.#runningCount--;
      this.#beginNext();
    }
  }

  /** @param {string} network @param {AbortSignal} signal @returns {Promise<void>} */
  #waitForTurn(network, signal) {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(network) ?? new Set();
      const giveUp = () => {
        own.delete(begin);
        if (own.size === 0) this.#waiting.delete(network);
        reject(hasLeft());
      };
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      if (signal.aborted) throw hasLeft();
      signal.addEventListener('abort', giveUp);
      this.#waiting.set(network, own.add(begin));
      this.#beginNext();
    });
  }

  #beginNext() {
    while (this.#runningCount < this.#atOnce && this.#waiting.size > 0) {
      const networks = [...this.#waiting.keys()];
      const network = networks.find((one) => one !== this.#last) ?? networks[0];
      const own = this.#waiting.get(network) ?? new Set();
      const [begin] = own;
      own.delete(begin);
      // To the end of the line.
      this.#waiting.delete(network);
      if (own.size > 0) this.#waiting.set(network, own);
      this.#last = network;
      this.#runningCount++;
      begin();
    }
  }
}
