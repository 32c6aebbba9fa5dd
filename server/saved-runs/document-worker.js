/**
 * Reads large documents in a thread of its own: 4 MiB of samples, and computing all that is said of them, take some tenths
 * of a second, in which no echo would be answered.
 */
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { findExperiment } from '../../core/experiments/all.js';
import { checkSubmission } from './submission.js';

const decompress = promisify(gunzip);

/** @type {Readonly<Record<string, (given: any) => Promise<unknown>>>} */
const JOBS = Object.freeze({
  check: ({ body, nowMs }) => checkSubmission(body, { nowMs }),
  formatCsv,
});

/**
 * @param {{ experiment: string, document: Uint8Array }} saved its document by gzip
 * @returns {Promise<Uint8Array>} UTF-8
 */
async function formatCsv({ experiment, document }) {
  const found = findExperiment(experiment);
  if (!found) throw new RangeError(`experiment: expected one that there is, got ${experiment}`);
  return Buffer.from(found.formatCsv(JSON.parse((await decompress(document)).toString())));
}

/**
 * One job that fails is nobody else's business: the thread goes on.
 *
 * @param {{ id: number, job: string, given: unknown }} message
 */
async function answer({ id, job, given }) {
  try {
    parentPort?.postMessage({ id, done: await JOBS[job](given) });
  } catch (error) {
    if (error instanceof DocumentError) {
      parentPort?.postMessage({ id, problem: { path: error.path, message: error.reason } });
    } else {
      parentPort?.postMessage({ id, error });
    }
  }
}

parentPort?.on('message', answer);
