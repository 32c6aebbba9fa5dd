/** Tells documents by their schema, and brings those of former schemas up to date. */

/**
 * @import { Experiment } from '../contract.js'
 * @typedef {Pick<Experiment, 'schema' | 'otherSchema' | 'formerSchemas'>} Schemas of an experiment's documents
 */

/** @param {Schemas} experiment @returns {string[]} the schemas of all documents that it reads */
export const schemasOf = ({ schema, otherSchema, formerSchemas = {} }) =>
  [...new Set([schema, otherSchema, ...Object.keys(formerSchemas)])].filter((name) => name !== undefined);

/** @param {Schemas} experiment @param {{ schema?: any }} document @returns {boolean} does it read such a document? */
export const isDocumentOf = (experiment, { schema }) => schemasOf(experiment).includes(schema);

/**
 * Returns the same run as a document of today's schema.
 * @param {Pick<Schemas, 'formerSchemas'>} experiment @param {any} stored of one of its schemas @returns {any}
 */
export const upgradeDocument = ({ formerSchemas = {} }, stored) =>
  Object.hasOwn(formerSchemas, stored.schema) ? formerSchemas[stored.schema](stored) : stored;
