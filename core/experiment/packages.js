/** Tells which libraries a run needs. */
import { transports } from '../net/echo/index.js';
import { packagesOf } from '../net/libraries.js';

/** @import { Planned } from './contract.js' */

/**
 * @param {Pick<Planned, 'name' | 'transportRows' | 'transportsOf'>} experiment
 * @param {any} [plan] absent where the choice on its page is not a plan
 * @returns {string[]} the packages that its run needs
 */
export function packagesFor({ transportRows = transports, transportsOf }, plan) {
  /** @type {readonly string[]} */
  const names = plan ? (transportsOf?.(plan) ?? plan.transports) : [];
  return packagesOf(names.map((name) => transportRows[name]));
}
