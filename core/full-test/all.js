/** Loads all that can be saved: the experiments, and the full test that is made of them. */
import { createDocumentCheck as createCheck } from '../experiment/documents/check.js';
import { EXPERIMENTS } from '../experiments/all.js';
import { withDigest } from './digest.js';
import { createFullTest } from './index.js';

/**
 * @import { Experiment } from '../experiment/contract.js'
 * @import { Valibot } from '../base/valibot.js'
 * @import { DocumentCheck } from '../experiment/documents/check.js'
 */

export const fullTest = withDigest(createFullTest(EXPERIMENTS));

/** The descriptions of all documents, in the order of lists. @type {readonly Experiment[]} */
export const DESCRIBED = Object.freeze([fullTest, ...EXPERIMENTS]);

/** Finds what describes a document, by its name. @param {string} name */
export const findDescribed = (name) => DESCRIBED.find((one) => one.name === name);

/** @param {Valibot} v the validation library @returns {DocumentCheck} */
export const createDocumentCheck = (v) => createCheck(v, DESCRIBED);
