/** Loads all experiments at once, for modules that handle documents of any. */
import { createDocumentCheck as createCheck } from '../experiment/documents/check.js';
import { LOADERS } from './index.js';
import { sharesOf } from './reach/places.js';

/**
 * @import { Experiment, Planned } from '../experiment/contract.js'
 * @import { Valibot } from '../base/valibot.js'
 * @import { DocumentCheck } from '../experiment/documents/check.js'
 */

/** All experiments, in the order of lists. @type {readonly Experiment[]} */
export const EXPERIMENTS = Object.freeze(await Promise.all(Object.values(LOADERS).map((load) => load())));

/**
 * Checks whether the experiment's page is generated from its description: not the home page, and none where records are made one
 * by one.
 * @param {Experiment} experiment @returns {experiment is Planned}
 */
export function isPlanned(experiment) {
  const { path = '/', openStored } = experiment;
  return path !== '/' && !openStored;
}

/** Finds an experiment by its name. @param {string} name */
export function findExperiment(name) {
  return EXPERIMENTS.find((experiment) => experiment.name === name);
}

/** @param {Valibot} v the validation library @returns {DocumentCheck} */
export const createDocumentCheck = (v) => createCheck(v, EXPERIMENTS);

/**
 * What counts the shares that stand above a list of one experiment's runs, by its name; most have none.
 * @type {ReadonlyMap<string, (runs: readonly any[]) => readonly object[]>}
 */
export const SHARES = new Map([['reach', sharesOf]]);
