/** What the thread does with documents (documents.js). Errors are given as data, as threads do not pass on their classes. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { CSV_FILE_START } from '../../core/base/foreign-text.js';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { upgradeDocument } from '../../core/experiment/documents/schemas.js';
import { findDescribed } from '../../core/full-test/all.js';
import { checkForm as checkFormIn, checkSubmission } from './submission.js';

const decompress = promisify(gunzip);

/**
 * @template G, T @param {(given: G) => T | Promise<T>} job
 * @returns {(given: G) => Promise<{ done: T } | { problem: { path: string, message: string } }>} `problem`: of a DocumentError
 */
const answering = (job) => async (given) => {
  try {
    return { done: await job(given) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { problem: { path: error.path, message: error.reason } };
  }
};

export const check = answering((/** @type {{ body: Uint8Array, nowMs: number }} */ { body, nowMs }) =>
  checkSubmission(body, { nowMs }),
);

export const checkForm = answering(checkFormIn);

/** Formats a saved document as a file; `document` is by gzip. */
export const formatCsv = answering(
  async (/** @type {{ experiment: string, document: Uint8Array }} */ { experiment, document }) => {
    const found = findDescribed(experiment);
    if (!found) throw new RangeError(`experiment: expected a known experiment, got ${experiment}`);
    const text = (await decompress(document)).toString();
    return Buffer.from(CSV_FILE_START + found.formatCsv(upgradeDocument(found, JSON.parse(text))));
  },
);
