/** Tells which transports a plan can have, and which libraries a run needs. */
import { transports } from '../../net/echo/index.js';
import { packagesOf } from '../../net/libraries.js';

/**
 * @import { Experiment } from '../contract.js'
 * @import { Fields } from './fields.js'
 */

/** @param {{ fields: Fields }} experiment @returns the rows in core/net that the transports of its plans are names of */
export const transportRowsOf = ({ fields: { transports: field } }) =>
  (field?.type === 'names' && field.rows) || transports;

/**
 * @param {{ fields: Fields, transportsOf?: Experiment['transportsOf'] }} experiment
 * @param {any} [plan] absent where the choice on its page is not a plan
 * @returns {string[]} the packages that its run needs
 */
export function packagesFor({ fields, transportsOf }, plan) {
  const rows = transportRowsOf({ fields });
  /** @type {readonly string[]} */
  const names = plan ? (transportsOf?.(plan) ?? plan.transports) : [];
  return packagesOf(names.map((name) => rows[name]));
}
