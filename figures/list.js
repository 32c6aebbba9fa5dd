/**
 * The figures of the documents, in the order in which they are made.
 */
import { fixedRate, inFlight, jobsHttp, masking, of2012, payload, smallServer } from './far.js';
import { answer, jobs, jobsMemory, load, of2018, of2019 } from './here.js';

/**
 * @typedef {object} Made
 * @property {string} client what sent the messages: a browser, or Node.js
 * @property {string} [conditions] how it was measured, where its command does not say that
 * @property {string} markdown
 *
 * @typedef {object} Figure
 * @property {string} name
 * @property {string} file the document
 * @property {string} command that makes it, for readers
 * @property {boolean} [needsRoot] for network namespaces
 * @property {(signal: AbortSignal) => Promise<Made>} make `signal` ends it, and removes what it has started
 */

/** @type {readonly Figure[]} */
export const FIGURES = [
  ...[answer, jobs, of2018, jobsMemory, of2019, load, masking],
  ...[smallServer, inFlight, fixedRate, jobsHttp, payload, of2012],
];
