/**
 * What the other workers say of themselves: each is asked at its own port, all at once.
 */
import { ownPortOf } from './workers.js';

/**
 * @import { Workers } from './workers.js'
 * @import { Parts } from '../parts.js'
 */

const GATHER_LIMIT_MS = 2000;

/**
 * @typedef {(path: string, headers?: Record<string, string>) => Promise<any[]>} Gather gives an entry per other worker;
 *   undefined for one that did not answer, which has been logged
 */

/** @param {Pick<Parts, 'log' | 'workers'>} parts @returns {Gather} */
export function createGather({ workers, log }) {
  const ports = workers ? portsOfOthers(workers) : [];

  /** @type {(port: number, path: string, headers?: Record<string, string>) => Promise<any>} */
  const ask = async (port, path, headers) => {
    try {
      const signal = AbortSignal.timeout(GATHER_LIMIT_MS);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await response.json();
    } catch (error) {
      log.warn({ err: error, port, path }, 'a worker did not answer');
      return undefined;
    }
  };

  return (path, headers) => Promise.all(ports.map((port) => ask(port, path, headers)));
}

/** @param {Workers} workers */
function portsOfOthers(workers) {
  const indexes = Array.from({ length: workers.count }, (_, index) => index);
  return indexes.filter((index) => index !== workers.index).map((index) => ownPortOf(workers, index));
}
