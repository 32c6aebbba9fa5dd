/**
 * Checks submissions in a thread of its own: reading 4 MiB of samples and computing all that is said of them takes some
 * tenths of a second, in which no echo would be answered.
 */
import { parentPort } from 'node:worker_threads';
import { DocumentError } from '../../core/documents/index.js';
import { checkSubmission } from './submission.js';

/** @param {{ id: number, body: Uint8Array }} message */
async function answer({ id, body }) {
  try {
    parentPort?.postMessage({ id, checked: await checkSubmission(body) });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    parentPort?.postMessage({ id, problem: { path: error.path, message: error.reason } });
  }
}

parentPort?.on('message', answer);
