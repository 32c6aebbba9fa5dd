/** Tells documents by their schema. */

/**
 * @import { Experiment } from './contract.js'
 * @typedef {Pick<Experiment, 'schema'>} Schemas of an experiment's documents
 */

/** @param {Schemas} experiment @returns {string[]} the schemas of all documents that it reads */
export const schemasOf = ({ schema }) => [schema].flat();

/** @param {Schemas} experiment @param {{ schema?: any }} document @returns {boolean} does it read such a document? */
export const isDocumentOf = (experiment, { schema }) => schemasOf(experiment).includes(schema);
