/**
 * All experiments at once, for whoever has to do with documents of any.
 */
import { createDocumentCheck as createCheck } from '../experiment/documents/check.js';
import { LOADERS } from './index.js';

/** @typedef {import('../experiment/contract.js').Experiment} Experiment */

/** @type {readonly Experiment[]} */
export const EXPERIMENTS = Object.freeze(await Promise.all(Object.values(LOADERS).map((load) => load())));

/**
 * @param {string} name
 * @returns {Experiment | undefined}
 */
export function findExperiment(name) {
  return EXPERIMENTS.find((experiment) => experiment.name === name);
}

/**
 * @param {import('../experiment/documents/fields.js').Valibot} v the validation library
 * @returns {ReturnType<typeof createCheck>}
 */
export const createDocumentCheck = (v) => createCheck(v, EXPERIMENTS);
